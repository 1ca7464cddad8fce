(** The counter: states are words, equal states are counted once. What decides the result is
    proved; tries, hash, forward layers and hints only decide how long it takes. *)
From Coq Require Import List NArith Permutation Lia Bool Arith.
From Satcal Require Import Spec Places Cover Tilings Words.
Import ListNotations.
Local Open Scope nat_scope.

Module Counter (W : WORD).
Include Sets W.

(** * Programs *)

(** ** Values: how many tilings each reveal has, as a list in the order of [W.ltb]. *)
Inductive value := Nil | Cons (key : W.t) (number : W.num) (rest : value).

Fixpoint merge (a : value) : value -> value :=
  match a with
  | Nil => fun b => b
  | Cons k n a' =>
    fix merge_a (b : value) : value :=
      match b with
      | Nil => a
      | Cons k' n' b' =>
        if W.eqb k k' then
          if W.safe n n' then Cons k (W.add n n') (merge a' b') else Cons k n (merge a' b)
        else if W.ltb k k' then Cons k n (merge a' b) else Cons k' n' (merge_a b')
      end
  end.

Fixpoint mark (m : W.t) (v : value) : value :=
  match v with Nil => Nil | Cons k n v => Cons (W.union k m) n (mark m v) end.

Fixpoint total (k : W.t) (v : value) : N :=
  match v with
  | Nil => 0
  | Cons k' n v => if W.eqb k k' then W.value_of n + total k v else total k v
  end%N.

(** ** Tables from words to anything *)
Inductive table (A : Type) := Empty | Leaf (k : W.t) (a : A) | Node (a b c d : table A).
Arguments Empty {A}.
Arguments Leaf {A}.
Arguments Node {A}.

Fixpoint find {A} (k : W.t) (h : W.path) (t : table A) : option A :=
  match t with
  | Empty => None
  | Leaf k' a => if W.eqb k k' then Some a else None
  | Node a b c d =>
    let h' := W.half h in
    if W.low h then if W.low h' then find k (W.half h') d else find k (W.half h') b
    else if W.low h' then find k (W.half h') c else find k (W.half h') a
  end.

Definition depth : nat := 31.

(** A leaf one level down, [fuel] levels above the bottom. *)
Definition push (place : W.path) (fuel : nat) (k : W.t) : table unit :=
  let h := Nat.iter (depth - S fuel) (fun h => W.half (W.half h)) (W.hash place k) in
  let leaf := Leaf k tt in
  if W.low h then if W.low (W.half h) then Node Empty Empty Empty leaf else Node Empty leaf Empty Empty
  else if W.low (W.half h) then Node Empty Empty leaf Empty else Node leaf Empty Empty Empty.

Fixpoint insert (place : W.path) (fuel : nat) (k : W.t) (h : W.path) (t : table unit) : table unit :=
  match fuel with
  | O => t
  | S fuel =>
    match match t with
          | Leaf k' _ => if W.eqb k k' then t else push place fuel k'
          | _ => t
          end with
    | Empty => Leaf k tt
    | Node a b c d =>
      let h' := W.half h in
      if W.low h then
        if W.low h' then Node a b c (insert place fuel k (W.half h') d) else Node a (insert place fuel k (W.half h') b) c d
      else
        if W.low h' then Node a b (insert place fuel k (W.half h') c) d else Node (insert place fuel k (W.half h') a) b c d
    | Leaf _ _ => t
    end
  end.

Fixpoint tabulate {A} (f : W.t -> A) (t : table unit) : table A :=
  match t with
  | Empty => Empty
  | Leaf k _ => Leaf k (f k)
  | Node a b c d => Node (tabulate f a) (tabulate f b) (tabulate f c) (tabulate f d)
  end.

Fixpoint fold {A} (f : W.t -> A -> A) (t : table unit) (x : A) : A :=
  match t with
  | Empty => x
  | Leaf k _ => f k x
  | Node a b c d => fold f d (fold f c (fold f b (fold f a x)))
  end.

(** ** Options and steps as words *)

(** [test] are the bits that must be free, [fill] those that are set; in a field of several bits,
    for the copies of a piece, those in [spread] follow their lower neighbour. A state is dead if
    it is [snd] of one of [dead] on the bits of [fst]. *)
Record entry := Entry { test : W.t; fill : W.t; spread : W.t; key : W.t; dead : list (W.t * W.t) }.
Record step := Step { here : W.t; entries : list entry }.

Definition next (s : W.t) (e : entry) : W.t :=
  W.union (W.union s (fill e)) (W.meet (W.shl s) (spread e)).
Fixpoint is_dead (s : W.t) (hints : list (W.t * W.t)) : bool :=
  match hints with
  | [] => false
  | (bits, full) :: hints => if W.eqb (W.meet s bits) full then true else is_dead s hints
  end.

Section Run.
Context (full : W.t) (place : W.path).

Definition finished (s : W.t) : value :=
  if W.eqb (W.meet s full) full then Cons W.zero W.one Nil else Nil.

Fixpoint sum (f : W.t -> value) (s : W.t) (l : list entry) : value :=
  match l with
  | [] => Nil
  | e :: l =>
    if free s (test e) then
      let s' := next s e in
      if is_dead s' (dead e) then sum f s l
      else merge (if W.eqb (key e) W.zero then f s' else mark (key e) (f s')) (sum f s l)
    else sum f s l
  end.

Fixpoint naive (steps : list step) (s : W.t) : value :=
  match steps with
  | [] => finished s
  | g :: steps => if free s (here g) then sum (naive steps) s (entries g) else naive steps s
  end.

(** The value of a state, from the tables for the steps. *)
Fixpoint look (steps : list step) (tables : list (table value)) (s : W.t) : value :=
  match steps with
  | [] => finished s
  | g :: steps' =>
    match tables with
    | [] => naive steps s
    | t :: tables =>
      if free s (here g) then
        match find s (W.hash place s) t with Some v => v | None => naive steps s end
      else look steps' tables s
    end
  end.

(** Put a state to those of the step that covers its first free cell. *)
Fixpoint put (steps : list step) (states : list (table unit)) (s : W.t) : list (table unit) :=
  match steps, states with
  | g :: steps, t :: states0 =>
    if free s (here g) then
      let h := W.hash place s in
      (* most are known already, and inserting copies nodes *)
      match find s h t with Some _ => states | None => insert place depth s h t :: states0 end
    else t :: put steps states0 s
  | _, _ => states
  end.

Fixpoint spread_out (steps : list step) (l : list entry) (s : W.t) (states : list (table unit)) :=
  match l with
  | [] => states
  | e :: l =>
    if free s (test e) then
      let s' := next s e in
      spread_out steps l s (if is_dead s' (dead e) then states else put steps states s')
    else spread_out steps l s states
  end.

Fixpoint run (steps : list step) (states : list (table unit)) : list (table value) :=
  match steps, states with
  | g :: steps, t :: states =>
    let tables := run steps (fold (spread_out steps (entries g)) t states) in
    tabulate (fun s => sum (look steps tables) s (entries g)) t :: tables
  | _, _ => []
  end.

Definition value_of_all (steps : list step) : value :=
  look steps (run steps (put steps (map (fun _ => Empty) steps) W.zero)) W.zero.

End Run.

(** ** From a puzzle to words *)

Fixpoint offsets (from : nat) (sizes : list nat) : list nat :=
  match sizes with [] => [] | n :: sizes => from :: offsets (from + n) sizes end.

Section Puzzle.
Context (p : puzzle).

Definition sizes : list nat := map (start p) (seq 0 (items p)).
Definition places_of : list (nat * nat) := combine (offsets 0 sizes) sizes.
Definition width : nat := list_sum sizes.

(** Per item: its highest bit, its lowest bit, and all but the lowest. *)
Definition tops : list W.t := map (fun f => W.bit (fst f + snd f - 1)) places_of.
Definition lows : list W.t := map (fun f => W.bit (fst f)) places_of.
Definition spreads : list W.t := map (fun f => all (map W.bit (seq (fst f + 1) (snd f - 1)))) places_of.

Definition pick (l : list W.t) (o : option_) : W.t := all (map (fun x => nth x l W.zero) (takes o)).
Definition full_word : W.t :=
  all (map (fun f => W.bit (fst f + snd f - 1)) (filter (fun f => 1 <=? snd f) places_of)).
Definition key_of (o : option_) : W.t := if is_label p o then W.bit (first_cell o) else W.zero.

(** A hint: if [cell] is free and [blocked] is full, no option can cover the cell. *)
Definition sound (tests : list W.t) (top blocked : W.t) : bool :=
  W.eqb (W.meet blocked top) W.zero &&
  forallb (fun t => W.eqb (W.meet t top) W.zero || negb (W.eqb (W.meet t blocked) W.zero)) tests.

Definition hint_words (tops tests : list W.t) (cell : nat) (blocked : W.t) : list (nat * (W.t * W.t)) :=
  let top := nth cell tops W.zero in
  if (cell <? length (board p)) && sound tests top blocked then [(cell, (W.union top blocked, blocked))] else [].

(** [hints]: cells with words; [wants o h]: is the hint worth a look after an option? *)
Definition steps_of (hints : list (nat * W.t)) (wants : option_ -> nat * (W.t * W.t) -> bool) : list step :=
  let tops := tops in
  let lows := lows in
  let spreads := spreads in
  let options := options p in
  let tests := map (pick tops) options in
  let hints := flat_map (fun h => hint_words tops tests (fst h) (snd h)) hints in
  map (fun k =>
    {| here := nth k tops W.zero;
       entries := map (fun o =>
         {| test := pick tops o; fill := pick lows o; spread := pick spreads o; key := key_of o;
            dead := map snd (filter (wants o) hints) |}) (filter (starts k) options) |})
    (seq 0 (length (board p))).

Definition all_values (hints : list (nat * W.t)) (wants : option_ -> nat * (W.t * W.t) -> bool) : value :=
  value_of_all full_word (W.place (length (board p))) (steps_of hints wants).

(** ** Hints: holes of up to [largest] cells. Nothing is proved about them, nor has to be. *)

Fixpoint grow (nears : list (list nat)) (fuel : nat) (regions : list (list nat)) : list (list nat) :=
  match fuel with
  | O => regions
  | S fuel =>
    let larger (r : list nat) : list (list nat) :=
      let border := nodup Nat.eq_dec (flat_map (fun i => nth i nears []) r) in
      map (fun i => filter (fun j => j <? i) r ++ i :: filter (fun j => i <? j) r)
        (filter (fun i => negb (existsb (Nat.eqb i) r)) border) in
    regions ++ grow nears fuel (once (flat_map larger regions))
  end.

Definition holes (largest : nat) : list (nat * W.t) :=
  let tops := tops in
  let tests := map (pick tops) (options p) in
  let others := all (skipn (length (board p)) tops) in
  let nears := map (near (board p)) (board p) in
  flat_map (fun h =>
    let top := nth h tops W.zero in
    let covering := filter (fun t => negb (free t top)) tests in
    map (fun region =>
      let ring := all (map (fun i => nth i tops W.zero)
        (filter (fun i => negb (existsb (Nat.eqb i) region)) (flat_map (fun i => nth i nears []) region))) in
      (h, W.union ring (all (map (W.meet others) (filter (fun t => free t ring) covering)))))
    (grow nears (largest - 1) [[h]]))
  (seq 0 (length (board p))).

(** A hint is worth a look after an option that starts before its cell and touches the hole. *)
Definition touches (tops : list W.t) (o : option_) (h : nat * (W.t * W.t)) : bool :=
  (first_cell o <? fst h) && negb (existsb (Nat.eqb (fst h)) (snd o)) &&
  negb (free (all (map (fun x => nth x tops W.zero) (snd o))) (snd (snd h))).

Definition values (largest : nat) : value :=
  let tops := tops in all_values (holes largest) (touches tops).

(** Every reveal with the number of its tilings. *)
Fixpoint choices {A} (l : list (list A)) : list (list A) :=
  match l with [] => [[]] | c :: l => flat_map (fun x => map (cons x) (choices l)) c end.

Fixpoint word_of (q : list option_) : W.t :=
  match q with [] => W.zero | o :: q => W.union (word_of q) (key_of o) end.

Definition counts (largest : nat) : list (list (list cell) * N) :=
  let v := values largest in
  map (fun reveal => (reveal, total (word_of (marks p reveal)) v)) (choices (categories p)).

(** * Proofs *)

Fixpoint weigh (f : W.t -> N) (v : value) : N :=
  match v with Nil => 0 | Cons k n v => W.value_of n * f k + weigh f v end%N.

Lemma weigh_merge f a b : weigh f (merge a b) = (weigh f a + weigh f b)%N.
Proof.
  revert b; induction a as [|k n a IH]; intros b; [easy|].
  induction b as [|k' n' b IHb]; cbn -[N.mul N.add]; [lia|].
  destruct (W.eqb k k') eqn:E; [apply W.eqb_spec in E; subst k'; destruct (W.safe n n') eqn:S|].
  - cbn [weigh]; rewrite IH, W.add_spec by easy; lia.
  - cbn [weigh]; rewrite IH; cbn [weigh]; lia.
  - destruct (W.ltb k k'); cbn [weigh]; [rewrite IH; cbn [weigh]; lia|].
    cbn in IHb; rewrite IHb; lia.
Qed.

Lemma weigh_mark f m v : weigh f (mark m v) = weigh (fun k => f (W.union k m)) v.
Proof. induction v as [|k n v IH]; cbn [weigh mark]; [easy|]; now rewrite IH. Qed.

Lemma total_weigh k v : total k v = weigh (fun k' => if W.eqb k k' then 1 else 0)%N v.
Proof. induction v as [|k' n v IH]; cbn [weigh total]; [easy|]; rewrite IH; destruct (W.eqb k k'); lia. Qed.

(** ** Tables hold what was put in. *)
Fixpoint holds {A} (P : W.t -> A -> Prop) (t : table A) : Prop :=
  match t with
  | Empty => True
  | Leaf k a => P k a
  | Node a b c d => holds P a /\ holds P b /\ holds P c /\ holds P d
  end.

Lemma find_holds {A} (P : W.t -> A -> Prop) k h t a : holds P t -> find k h t = Some a -> P k a.
Proof.
  revert h; induction t as [|k' a'|t1 IH1 t2 IH2 t3 IH3 t4 IH4]; intros h H F; cbn in *; [easy| |].
  - destruct (W.eqb k k') eqn:E; [|easy]; apply W.eqb_spec in E; now injection F as ->; subst.
  - destruct H as (?&?&?&?); destruct (W.low h), (W.low (W.half h)); eauto.
Qed.

Lemma tabulate_holds {A} (P : W.t -> A -> Prop) f t : (forall k, P k (f k)) -> holds P (tabulate f t).
Proof. intros H; induction t; cbn; auto. Qed.

(** ** Words and needs *)

Notation C := (length (board p)).
Notation m := (start p).
Notation items := (items p).
Context (wf : well_formed p) (room : W.room width = true).

Definition off (x : nat) : nat := list_sum (map m (seq 0 x)).

Lemma off_succ x : off (S x) = off x + m x.
Proof. unfold off; rewrite seq_S, map_app, list_sum_app; cbn; lia. Qed.

Lemma off_le x y : x < y -> off x + m x <= off y.
Proof. induction 1; rewrite off_succ; lia. Qed.

Lemma off_width x : x < items -> off x + m x <= width.
Proof. intros H; apply off_le in H; exact H. Qed.

Lemma offsets_nth from l x : x < length l -> nth x (offsets from l) 0 = from + list_sum (firstn x l).
Proof.
  revert from x; induction l as [|n l IH]; intros from [|x] H; cbn in *; try lia.
  rewrite IH by lia; unfold list_sum; lia.
Qed.

Lemma offsets_length from l : length (offsets from l) = length l.
Proof. revert from; induction l; intros; cbn; auto. Qed.

Lemma firstn_seq n x k : x <= n -> firstn x (seq k n) = seq k x.
Proof.
  revert x k; induction n as [|n IH]; intros [|x] k H; cbn; try easy; try lia.
  now rewrite IH by lia.
Qed.

Lemma places_of_nth x : x < items -> nth x places_of (0, 0) = (off x, m x).
Proof.
  intros H; unfold places_of; assert (L : length sizes = items) by (unfold sizes; now rewrite map_length, seq_length).
  rewrite combine_nth by apply offsets_length.
  rewrite offsets_nth by lia; f_equal; unfold sizes.
  - cbn [Nat.add]; rewrite firstn_map, firstn_seq by lia; reflexivity.
  - rewrite nth_indep with (d' := m 0) by (fold sizes; lia).
    rewrite map_nth, seq_nth by lia; easy.
Qed.

Lemma places_of_length : length places_of = items.
Proof.
  unfold places_of, sizes; rewrite combine_length, offsets_length, map_length, seq_length; lia.
Qed.

Lemma nth_places {A} (f : nat * nat -> A) x d : x < items -> nth x (map f places_of) d = f (off x, m x).
Proof.
  intros H; rewrite nth_indep with (d' := f (0, 0)) by (now rewrite map_length, places_of_length).
  now rewrite map_nth, places_of_nth.
Qed.

Lemma in_places f : In f places_of <-> exists x, x < items /\ f = (off x, m x).
Proof.
  split.
  - intros H; destruct (In_nth _ _ (0, 0) H) as (x & L & <-); rewrite places_of_length in L.
    exists x; split; [easy | now apply places_of_nth].
  - intros (x & L & ->); rewrite <- places_of_nth by easy; apply nth_In; now rewrite places_of_length.
Qed.

Lemma get_top x j : x < items -> 1 <= m x ->
  W.get (nth x tops W.zero) j = (off x + m x - 1 =? j).
Proof.
  intros H M; unfold tops; rewrite nth_places by easy; cbn [fst snd].
  apply (W.get_bit width); auto; assert (T := off_width x H); lia.
Qed.

Lemma get_low x j : x < items -> 1 <= m x -> W.get (nth x lows W.zero) j = (off x =? j).
Proof.
  intros H M; unfold lows; rewrite nth_places by easy; cbn [fst snd].
  apply (W.get_bit width); auto; assert (T := off_width x H); lia.
Qed.

Lemma get_spread x j : x < items ->
  W.get (nth x spreads W.zero) j = true <-> off x + 1 <= j < off x + m x.
Proof.
  intros H; unfold spreads; rewrite nth_places, get_all, existsb_exists by easy; cbn [fst snd].
  assert (T := off_width x H); split.
  - intros (w & (i & <- & Hi%in_seq)%in_map_iff & G).
    rewrite (W.get_bit width) in G by (auto; lia); apply Nat.eqb_eq in G; lia.
  - intros Hj; exists (W.bit j); split; [apply in_map, in_seq; lia|].
    rewrite (W.get_bit width) by (auto; lia); apply Nat.eqb_refl.
Qed.

(** A state stands for a need if it has as many low bits of each field as were taken. *)
Definition stands (s : W.t) (c : need) : Prop :=
  (forall x, c x <= m x) /\ forall x j, x < items -> j < m x -> W.get s (off x + j) = (j <? m x - c x).

Lemma stands_start : stands W.zero m.
Proof. split; [easy|]; intros x j _ _; rewrite W.get_zero, Nat.sub_diag; now destruct j. Qed.

Lemma stands_beyond s c x : stands s c -> items <= x -> c x = 0.
Proof. intros (H & _) L; specialize (H x); rewrite start_beyond in H by easy; lia. Qed.

Lemma top_of s c x : stands s c -> x < items -> 1 <= m x -> W.get s (off x + m x - 1) = (c x =? 0).
Proof.
  intros (B & H) L M; replace (off x + m x - 1) with (off x + (m x - 1)) by lia.
  rewrite H by lia; specialize (B x).
  apply eq_iff_eq_true; rewrite Nat.ltb_lt, Nat.eqb_eq; lia.
Qed.

Lemma subset_spec s bits full : W.eqb (W.meet s bits) full = true ->
  forall i, W.get bits i = true -> W.get s i = W.get full i.
Proof.
  rewrite W.eqb_spec; intros <- i Hi; now rewrite W.get_meet, Hi, andb_true_r.
Qed.

Lemma in_takes o x : In o (options p) -> In x (takes o) -> x < items /\ 1 <= m x.
Proof.
  intros Ho Hx; destruct (options_ok p wf o Ho) as (_ & _ & B & F).
  destruct Hx as [<-|Hx]; [split; [lia|]|].
  - unfold start; destruct (Nat.ltb_spec (fst o) C); [easy|].
    destruct (Nat.ltb_spec (fst o) (C + length (pieces p))); [|destruct (Nat.ltb_spec (fst o) items); lia].
    apply in_app_iff in Ho as [Ho|Ho].
    + apply (place_options_spec p wf) in Ho as (i & c & Hi & K & _ & _ & _ & ->); cbn [fst].
      apply times_in, in_map_iff; replace (C + i - C) with i by lia.
      exists (nth i (pieces p) no_piece); split; [easy | now apply nth_In].
    + apply label_options_spec in Ho as (j & l & _ & _ & ->); cbn [fst] in *; lia.
  - specialize (B x Hx); split; [lia|]; unfold start; now rewrite (proj2 (Nat.ltb_lt x C) B).
Qed.

Lemma get_pick (l : list W.t) (P : nat -> nat -> Prop) o i :
  (forall x, In x (takes o) -> W.get (nth x l W.zero) i = true <-> P x i) ->
  W.get (pick l o) i = true <-> exists x, In x (takes o) /\ P x i.
Proof.
  intros H; unfold pick; rewrite get_all, existsb_exists; split.
  - intros (w & (x & <- & Hx)%in_map_iff & G); exists x; split; [easy|]; now apply H.
  - intros (x & Hx & G); exists (nth x l W.zero); split; [|now apply H].
    now apply (in_map (fun x => nth x l W.zero)).
Qed.

Lemma get_test o i : In o (options p) ->
  W.get (pick tops o) i = true <-> exists x, In x (takes o) /\ off x + m x - 1 = i.
Proof.
  intros Ho; apply (get_pick tops (fun x i => off x + m x - 1 = i)); intros x Hx; destruct (in_takes o x Ho Hx).
  rewrite get_top by easy; apply Nat.eqb_eq.
Qed.

Lemma free_fits s c o : stands s c -> In o (options p) -> free s (pick tops o) = fits o c.
Proof.
  intros R Ho; apply eq_iff_eq_true; rewrite free_spec, fits_spec; split.
  - intros H x Hx; destruct (in_takes o x Ho Hx) as (L & M).
    specialize (H (off x + m x - 1)); rewrite (top_of s c) in H by easy.
    apply Nat.eqb_neq in H; [lia|]; apply get_test; eauto.
  - intros H i (x & Hx & <-)%get_test; auto; destruct (in_takes o x Ho Hx) as (L & M).
    rewrite (top_of s c) by easy; apply Nat.eqb_neq; specialize (H x Hx); lia.
Qed.

Lemma field_apart x y j i : j < m x -> i < m y -> off x + j = off y + i -> x = y /\ j = i.
Proof.
  intros Hj Hi E; destruct (lt_eq_lt_dec x y) as [[L| ->]|L]; [apply off_le in L; lia | lia | apply off_le in L; lia].
Qed.

Lemma stands_next s c o hints k : stands s c -> In o (options p) -> fits o c = true ->
  stands (next s (Entry (pick tops o) (pick lows o) (pick spreads o) k hints)) (after o c).
Proof.
  intros R Ho F; rewrite fits_spec in F; assert (R' := R); destruct R' as (B & H).
  destruct (options_ok p wf o Ho) as (N & _).
  split; [intros x; specialize (B x); unfold after; lia|].
  intros x j L J; unfold next; cbn [fill spread]; rewrite !W.get_union, W.get_meet, H by easy.
  assert (Lo : W.get (pick lows o) (off x + j) = true <-> In x (takes o) /\ j = 0).
  { rewrite (get_pick _ (fun x i => off x = i)).
    - split; [|intros (I & ->); exists x; split; [easy | lia]].
      intros (y & Hy & E); destruct (in_takes o y Ho Hy).
      destruct (field_apart x y j 0); auto; [lia|]; now subst.
    - intros y Hy; destruct (in_takes o y Ho Hy); rewrite get_low by easy; apply Nat.eqb_eq. }
  assert (Sp : W.get (pick spreads o) (off x + j) = true <-> In x (takes o) /\ 1 <= j).
  { rewrite (get_pick _ (fun x i => off x + 1 <= i < off x + m x)).
    - split; [|intros (I & ?); exists x; split; [easy | lia]].
      intros (y & Hy & E); destruct (in_takes o y Ho Hy).
      destruct (field_apart x y j (off x + j - off y)); auto; [lia|lia|]; subst; split; [easy | lia].
    - intros y Hy; destruct (in_takes o y Ho Hy); now rewrite get_spread. }
  unfold after; apply eq_iff_eq_true; rewrite !orb_true_iff, andb_true_iff, Lo, Sp, !Nat.ltb_lt.
  destruct (in_dec Nat.eq_dec x (takes o)) as [I|I].
  - assert (times x (takes o) = 1) as -> by (assert (T1 := times_nodup x _ N); apply times_in in I; lia).
    specialize (F x I); destruct j as [|j]; [specialize (B x); split; [lia | tauto]|].
    assert (W.get (W.shl s) (off x + S j) = (j <? m x - c x)) as ->.
    { rewrite Nat.add_succ_r, (W.get_shl width), H; auto; [lia|].
      assert (T := off_width x L); lia. }
    rewrite Nat.ltb_lt; specialize (B x); split; [|right; split; [|split]; auto; lia].
    intros [[|(_ & ?)]|(? & _)]; lia.
  - assert (times x (takes o) = 0) as -> by (rewrite times_in in I; lia).
    rewrite Nat.sub_0_r; tauto.
Qed.

Lemma full_spec s c : stands s c ->
  W.eqb (W.meet s full_word) full_word = forallb (fun x => c x =? 0) (seq 0 items).
Proof.
  intros R; apply eq_iff_eq_true; rewrite forallb_forall.
  assert (G : forall i, W.get full_word i = true <-> exists x, x < items /\ 1 <= m x /\ off x + m x - 1 = i).
  { intros i; unfold full_word; rewrite get_all, existsb_exists; split.
    - intros (w & (f & <- & (Hf & Mf)%filter_In)%in_map_iff & G); apply in_places in Hf as (x & L & ->).
      cbn [fst snd] in *; apply Nat.leb_le in Mf; exists x; repeat split; auto.
      assert (T := off_width x L); rewrite (W.get_bit width) in G by (auto; lia); now apply Nat.eqb_eq.
    - intros (x & L & M & <-); exists (W.bit (off x + m x - 1)); split.
      + apply (in_map (fun f => W.bit (fst f + snd f - 1)) _ (off x, m x)), filter_In.
        split; [apply in_places; eauto | now apply Nat.leb_le].
      + assert (T := off_width x L); rewrite (W.get_bit width) by (auto; lia); apply Nat.eqb_refl. }
  split.
  - intros E x Hx%in_seq; destruct (le_lt_dec 1 (m x)) as [M|M].
    + rewrite <- (top_of s c) by (auto; lia).
      assert (W.get full_word (off x + m x - 1) = true) as T by (apply G; exists x; repeat split; auto; lia).
      rewrite (subset_spec _ _ _ E _ T); exact T.
    + destruct R as (B & _); specialize (B x); apply Nat.eqb_eq; lia.
  - intros H; apply W.eqb_spec, W.get_ext; intros i; rewrite W.get_meet.
    destruct (W.get full_word i) eqn:T; [|apply andb_false_r].
    apply G in T as (x & L & M & <-); rewrite andb_true_r, (top_of s c) by easy; apply H, in_seq; lia.
Qed.

(** ** Values are right. *)

Fixpoint added (f : W.t -> N) (l : list (list option_)) : N :=
  match l with [] => 0 | q :: l => f (word_of q) + added f l end%N.

Lemma added_app f a b : added f (a ++ b) = (added f a + added f b)%N.
Proof. induction a as [|q a IH]; [easy|]; cbn [app added]; rewrite IH; lia. Qed.

Lemma added_map f o l : added f (map (cons o) l) = added (fun k => f (W.union k (key_of o))) l.
Proof. induction l as [|q l IH]; [easy|]; cbn [map added word_of]; now rewrite IH. Qed.

Lemma weigh_ext f g v : (forall k, f k = g k) -> weigh f v = weigh g v.
Proof. intros H; induction v; cbn [weigh]; [easy|]; now rewrite H, IHv. Qed.

Definition good (n k : nat) (s : W.t) (v : value) : Prop :=
  forall c, stands s c -> forall f, weigh f v = added f (paths items (options p) n k c).

Section Steps.
Context (hints : list (nat * W.t)) (wants : option_ -> nat * (W.t * W.t) -> bool).

Definition checked : list (nat * (W.t * W.t)) :=
  flat_map (fun h => hint_words tops (map (pick tops) (options p)) (fst h) (snd h)) hints.

Definition entry_of (o : option_) : entry :=
  Entry (pick tops o) (pick lows o) (pick spreads o) (key_of o) (map snd (filter (wants o) checked)).

Definition step_of (k : nat) : step :=
  Step (nth k tops W.zero) (map entry_of (filter (starts k) (options p))).

Lemma steps_of_spec : steps_of hints wants = map step_of (seq 0 C).
Proof. reflexivity. Qed.

Lemma cell_size x : x < C -> m x = 1 /\ x < items.
Proof.
  intros H; split; [unfold start; now rewrite (proj2 (Nat.ltb_lt x C) H)|].
  unfold Tilings.items; lia.
Qed.

Lemma here_spec s c k : stands s c -> k < C -> free s (nth k tops W.zero) = negb (c k =? 0).
Proof.
  intros R H; destruct (cell_size k H) as (M & L); apply eq_iff_eq_true; rewrite free_spec, negb_true_iff.
  split.
  - intros F; specialize (F (off k + m k - 1)); rewrite get_top, (top_of s c) in F by (auto; lia).
    apply F, Nat.eqb_refl.
  - intros E i Hi; rewrite get_top in Hi by (auto; lia); apply Nat.eqb_eq in Hi; subst i.
    rewrite (top_of s c) by (auto; lia); easy.
Qed.

Lemma dead_spec s c o n k : stands s c -> is_dead s (dead (entry_of o)) = true ->
  paths items (options p) n k c = [].
Proof.
  cbn [entry_of dead]; intros R D.
  assert (exists h, In h checked /\ W.eqb (W.meet s (fst (snd h))) (snd (snd h)) = true) as (h & Hh & E).
  { assert (incl (filter (wants o) checked) checked) as I by (intros h Hh; now apply filter_In in Hh).
    induction (filter (wants o) checked) as [|(n', (a, b)) l IH]; cbn in D; [easy|].
    destruct (W.eqb (W.meet s a) b) eqn:E; [exists (n', (a, b)); auto with datatypes|].
    apply IH; auto; intros x Hx; apply I; now right. }
  apply in_flat_map in Hh as ((x, full) & _ & Hh); unfold hint_words in Hh; cbn [fst snd] in Hh.
  set (top := nth x tops W.zero) in *.
  destruct (x <? C) eqn:L; [|easy]; destruct (sound _ top full) eqn:S; [|easy].
  destruct Hh as [<-|[]]; cbn [fst snd] in E; apply Nat.ltb_lt in L; destruct (cell_size x L) as (M & Lx).
  unfold sound in S; apply andb_true_iff in S as (S1 & S2); rewrite forallb_forall in S2.
  apply W.eqb_spec in S1.
  assert (T : W.get top (off x + m x - 1) = true) by (unfold top; rewrite get_top by (auto; lia); apply Nat.eqb_refl).
  apply (paths_dead items C (options p)) with (h := x); auto.
  - unfold Tilings.items; lia.
  - now apply options_ok.
  - intros y; now apply (stands_beyond s).
  - assert (G := subset_spec _ _ _ E (off x + m x - 1)); rewrite W.get_union, T in G; specialize (G eq_refl).
    apply (f_equal (fun w => W.get w (off x + m x - 1))) in S1.
    rewrite W.get_meet, W.get_zero, T, andb_true_r in S1.
    rewrite S1, (top_of s c) in G by (auto; lia); apply Nat.eqb_neq in G; lia.
  - intros o' Ho Hx; specialize (S2 (pick tops o') (in_map _ _ _ Ho)); apply orb_true_iff in S2.
    assert (W.eqb (W.meet (pick tops o') top) W.zero = false) as Z.
    { apply not_true_iff_false; intros Z%W.eqb_spec; apply (f_equal (fun w => W.get w (off x + m x - 1))) in Z.
      rewrite W.get_meet, W.get_zero, T, andb_true_r in Z.
      assert (W.get (pick tops o') (off x + m x - 1) = true) by (apply get_test; eauto); congruence. }
    rewrite Z in S2; destruct S2 as [|S2]; [easy|]; apply negb_true_iff in S2.
    destruct (existsb (fun y => W.get full (off y + m y - 1)) (takes o')) eqn:X.
    + apply existsb_exists in X as (y & Hy & Gy); exists y; split; [easy|].
      destruct (in_takes o' y Ho Hy).
      assert (G := subset_spec _ _ _ E (off y + m y - 1)); rewrite W.get_union, Gy, orb_true_r in G.
      specialize (G eq_refl); rewrite (top_of s c) in G by easy; now apply Nat.eqb_eq.
    + exfalso; apply not_true_iff_false in S2; apply S2, W.eqb_spec, W.get_ext; intros i.
      rewrite W.get_meet, W.get_zero; destruct (W.get (pick tops o') i) eqn:P; [|easy].
      apply get_test in P as (y & Hy & <-); auto; cbn.
      apply not_true_iff_false; intros Gy; apply not_true_iff_false in X; apply X.
      apply existsb_exists; eauto.
Qed.

Lemma next_entry s o : next s (entry_of o) = next s (Entry (pick tops o) (pick lows o) (pick spreads o) W.zero []).
Proof. reflexivity. Qed.

Lemma sum_good n k s c (f : W.t -> value) : stands s c -> (forall s', good n (S k) s' (f s')) ->
  forall l, incl l (options p) -> forall g,
  weigh g (sum f s (map entry_of l)) =
  added g (flat_map (fun o => if fits o c then map (cons o) (paths items (options p) n (S k) (after o c)) else []) l).
Proof.
  intros R G; induction l as [|o l IH]; intros I g; [easy|]; cbn [map sum flat_map].
  assert (Ho : In o (options p)) by (apply I; now left).
  cbn [entry_of test]; rewrite (free_fits s c) by easy.
  assert (IH' := IH (fun x Hx => I x (or_intror Hx)) g).
  destruct (fits o c) eqn:F; [|exact IH']; rewrite added_app, added_map.
  assert (R' : stands (next s (entry_of o)) (after o c)) by (rewrite next_entry; now apply stands_next).
  destruct (is_dead (next s (entry_of o)) (dead (entry_of o))) eqn:D.
  - rewrite (dead_spec _ _ _ n (S k) R' D); exact IH'.
  - rewrite weigh_merge, IH'; f_equal; cbn [entry_of key].
    destruct (W.eqb (key_of o) W.zero) eqn:Z.
    + apply W.eqb_spec in Z; rewrite <- (G _ _ R'); apply weigh_ext; intros w; f_equal.
      rewrite Z; apply W.get_ext; intros i; now rewrite W.get_union, W.get_zero, orb_false_r.
    + rewrite weigh_mark; apply (G _ _ R').
Qed.

Lemma step_good n k s (f : W.t -> value) : k < C -> (forall s', good n (S k) s' (f s')) ->
  free s (here (step_of k)) = true -> good (S n) k s (sum f s (entries (step_of k))).
Proof.
  intros H G F c R g; cbn [paths step_of entries here] in *; rewrite (here_spec s c) in F by easy.
  apply negb_true_iff in F; rewrite F; apply (sum_good n k s c); auto.
  intros o Ho; now apply filter_In in Ho.
Qed.

Lemma pass_good n k s v : k < C -> good n (S k) s v -> free s (here (step_of k)) = false -> good (S n) k s v.
Proof.
  intros H G F c R g; cbn [paths step_of here] in *; rewrite (here_spec s c) in F by easy.
  apply negb_false_iff in F; rewrite F; now apply G.
Qed.

Lemma finished_good k s : good 0 k s (finished full_word s).
Proof.
  intros c R g; unfold finished; cbn [paths]; rewrite (full_spec s c) by easy.
  destruct (forallb _ _); cbn [weigh added word_of]; [rewrite W.one_spec; lia | easy].
Qed.

Lemma naive_good n k s : k + n = C -> good n k s (naive full_word (map step_of (seq k n)) s).
Proof.
  revert k s; induction n as [|n IH]; intros k s H; [apply finished_good|]; cbn [seq map naive].
  destruct (free s (here (step_of k))) eqn:F.
  - apply step_good; [lia| |easy]; intros s'; apply IH; lia.
  - apply pass_good; [lia| |easy]; apply IH; lia.
Qed.

Fixpoint valid (n k : nat) (tables : list (table value)) : Prop :=
  match tables with [] => True | t :: tables => holds (fun s v => free s (here (step_of k)) = true -> good n k s v) t /\ valid (pred n) (S k) tables end.

Lemma look_good place n k tables s : k + n = C -> valid n k tables ->
  good n k s (look full_word place (map step_of (seq k n)) tables s).
Proof.
  revert k tables; induction n as [|n IH]; intros k tables H V; [destruct tables; apply finished_good|].
  destruct tables as [|t tables]; [now apply (naive_good (S n))|].
  destruct V as (V1 & V2); cbn [seq map look].
  destruct (free s (here (step_of k))) eqn:F; [|apply pass_good; [lia| |easy]; apply IH; [lia | easy]].
  destruct (find s (W.hash place s) t) as [v|] eqn:E; [|now apply (naive_good (S n))].
  now apply (find_holds (fun s v => free s (here (step_of k)) = true -> good (S n) k s v) s (W.hash place s) t).
Qed.

(** A table is asked only about states whose first free cell is its own; others may be in it. *)
Lemma run_valid place n k states : k + n = C -> valid n k (run full_word place (map step_of (seq k n)) states).
Proof.
  revert k states; induction n as [|n IH]; intros k states H; cbn [seq map run]; [now destruct states|].
  destruct states as [|t states]; [easy|]; cbn [valid pred]; split; [|apply IH; lia].
  apply tabulate_holds; intros s F; apply step_good; [lia| |easy].
  intros s'; apply look_good; [lia | apply IH; lia].
Qed.

Theorem all_values_good : good C 0 W.zero (all_values hints wants).
Proof.
  unfold all_values, value_of_all; rewrite steps_of_spec; apply look_good; [lia | apply run_valid; lia].
Qed.
End Steps.

(** * Reveals *)

Lemma get_word q i : incl q (options p) ->
  W.get (word_of q) i = true <-> exists o, In o q /\ is_label p o = true /\ first_cell o = i.
Proof.
  induction q as [|o q IH]; intros I; cbn [word_of].
  - rewrite W.get_zero; split; [easy | now intros (? & [] & _)].
  - assert (Io : In o (options p)) by (apply I; now left).
    rewrite W.get_union, orb_true_iff, IH by (intros x Hx; apply I; now right).
    assert (W.get (key_of o) i = true <-> is_label p o = true /\ first_cell o = i) as ->.
    { unfold key_of; destruct (is_label p o) eqn:L; [|rewrite W.get_zero; intuition congruence].
      destruct (option_cells p wf o Io) as (N & _ & B & _).
      assert (first_cell o < C) as F by (destruct (snd o) as [|x l] eqn:X; [easy|]; apply B; unfold first_cell; rewrite X; now left).
      destruct (cell_size _ F) as (M & Lx); assert (T := off_width _ Lx).
      assert (first_cell o <= off (first_cell o)).
      { clear - F wf; revert F; generalize (first_cell o) as x; induction x as [|x IH]; intros F; [lia|].
        rewrite off_succ; destruct (cell_size x) as (-> & _); lia. }
      rewrite (W.get_bit width), Nat.eqb_eq by (auto; lia); tauto. }
    cbn [In]; split.
    + intros [(o' & ? & ?)|(? & ?)]; [exists o' | exists o]; auto.
    + intros (o' & [->|H] & ?); [now right | left; now exists o'].
Qed.

Lemma word_of_marks r q : Forall2 (@In (list cell)) r (categories p) -> exact q m -> incl q (options p) ->
  W.eqb (word_of (marks p r)) (word_of q) = true <-> Permutation (filter (is_label p) q) (marks p r).
Proof.
  intros R E I; rewrite W.eqb_spec.
  destruct (marks_spec p wf r R) as (M1 & M2 & _).
  assert (MI : incl (marks p r) (options p)) by (intros o Ho; apply in_app_iff; right; now apply M1).
  assert (Lab : forall o, In o (options p) -> is_label p o = true -> In o (label_options p))
    by (intros o Ho L; now apply (option_cells p wf)).
  assert (ML : forall o, In o (marks p r) -> is_label p o = true)
    by (intros o Ho; apply (option_cells p wf); auto).
  split.
  - intros W; apply exact_halves in E as (F & _); auto; apply places_firsts in F as (_ & F); auto.
    apply NoDup_Permutation_bis.
    + apply (NoDup_map_inv fst); rewrite F; apply seq_NoDup.
    + rewrite <- (map_length fst (filter _ q)), F, <- M2, map_length; lia.
    + intros o (Ho & L)%filter_In.
      assert (W.get (word_of (marks p r)) (first_cell o) = true) as G
        by (rewrite W; apply get_word; auto; exists o; auto).
      apply get_word in G as (o' & Ho' & L' & E'); auto.
      replace o with o'; [easy|].
      assert (N := labels_apart p wf).
      assert (A := Lab o (I o Ho) L); assert (A' := M1 o' Ho').
      clear - N A A' E'; induction (label_options p) as [|x l IH]; [easy|]; cbn [map] in N; inversion_clear N.
      destruct A as [->|A], A' as [->|A']; auto; exfalso.
      * apply H; rewrite <- E'; now apply in_map.
      * apply H; rewrite E'; now apply in_map.
  - intros P; apply W.get_ext; intros i; apply eq_iff_eq_true; rewrite !get_word by easy; split.
    + intros (o & Ho & L & X); exists o; split; auto.
      rewrite <- P in Ho; now apply filter_In in Ho.
    + intros (o & Ho & L & X); exists o; split; auto.
      rewrite <- P; now apply filter_In.
Qed.

(** What the counter says of a reveal is the number of its tilings. *)
Theorem counter_correct hints wants r : Forall2 (@In (list cell)) r (categories p) ->
  number_of_tilings p r (total (word_of (marks p r)) (all_values hints wants)).
Proof.
  intros R; rewrite total_weigh, (all_values_good hints wants m stands_start).
  fold (all_paths p); set (w := word_of (marks p r)).
  replace (added _ (all_paths p)) with (N.of_nat (length (filter (fun q => W.eqb w (word_of q)) (all_paths p)))).
  - apply tilings_are_paths; auto; intros q E I; now apply word_of_marks.
  - induction (all_paths p) as [|q l IH]; [easy|]; cbn [filter added]; rewrite <- IH.
    destruct (W.eqb w (word_of q)); cbn [length]; lia.
Qed.

Lemma choices_spec {A} (l : list (list A)) r : In r (choices l) <-> Forall2 (@In A) r l.
Proof.
  revert r; induction l as [|c l IH]; intros r; cbn [choices].
  - split; [intros [<-|[]]; constructor | inversion 1; now left].
  - rewrite in_flat_map; setoid_rewrite in_map_iff; split.
    + intros (x & Hx & (s & <- & Hs)); constructor; [easy | now apply IH].
    + inversion 1 as [|x ? s ? Hx Hs]; subst; exists x; split; [easy|]; exists s; split; [easy | now apply IH].
Qed.

Theorem counts_correct largest :
  Forall (fun row => number_of_tilings p (fst row) (snd row)) (counts largest) /\
  forall r, In r (map fst (counts largest)) <-> Forall2 (@In (list cell)) r (categories p).
Proof.
  unfold counts; split.
  - apply Forall_forall; intros row (r & <- & Hr)%in_map_iff; cbn [fst snd].
    now apply counter_correct, choices_spec.
  - intros r; rewrite map_map, map_id; apply choices_spec.
Qed.

End Puzzle.
End Counter.
