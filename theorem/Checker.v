(** The checker of search trees. A state is a word, as in the counter; a node of the tree names an
    item that is to be taken exactly once, and every placement that fits there is a child. *)
From Coq Require Import Ascii List NArith PArith Permutation Lia Bool Arith FMapPositive.
From Satcal Require Import Spec Places Cover Tilings Words Counter Counts.
Import ListNotations.
Module M := PositiveMap.
Local Open Scope nat_scope.

(** * How many exact covers there are, up to their order *)

Definition number (P : list option_ -> Prop) (n : N) : Prop :=
  exists found, N.of_nat (length found) = n /\ Forall P found /\
    ForallOrdPairs (fun q q' => ~ Permutation q q') found /\
    forall q, P q -> Exists (Permutation q) found.

Lemma number_ext (P Q : list option_ -> Prop) n : (forall q, P q <-> Q q) -> number P n -> number Q n.
Proof.
  intros E (l & L & F & D & A); exists l; repeat split; auto.
  - revert F; apply Forall_impl; intros; now apply E.
  - intros q H; now apply A, E.
Qed.

Lemma number_none (P : list option_ -> Prop) : (forall q, ~ P q) -> number P 0.
Proof.
  intros H; exists []; split; [reflexivity|]; split; [constructor|]; split; [constructor|].
  intros q Hq; now destruct (H q).
Qed.

Lemma number_one : number (fun q => q = []) 1.
Proof.
  exists [[]]; split; [reflexivity|]; split; [repeat constructor|]; split; [repeat constructor|].
  intros q ->; now left.
Qed.

Lemma pairs_app {A} (R : A -> A -> Prop) l m : ForallOrdPairs R l -> ForallOrdPairs R m ->
  (forall a b, In a l -> In b m -> R a b) -> ForallOrdPairs R (l ++ m).
Proof.
  intros D E H; induction D as [|a l F D IH]; cbn [app]; [easy|]; constructor.
  - apply Forall_app; split; [easy|]; apply Forall_forall; intros b Hb; apply H; cbn; auto.
  - apply IH; intros x y Hx Hy; apply H; cbn; auto.
Qed.

Lemma number_plus (P Q : list option_ -> Prop) a b : (forall q q', P q -> Q q' -> ~ Permutation q q') ->
  number P a -> number Q b -> number (fun q => P q \/ Q q) (a + b).
Proof.
  intros X (l & L & F & D & A) (m & M & G & E & B); exists (l ++ m); repeat split.
  - rewrite app_length; lia.
  - apply Forall_app; split; [revert F | revert G]; apply Forall_impl; auto.
  - rewrite Forall_forall in F, G; apply pairs_app; auto.
  - intros q [H|H]; apply Exists_app; auto.
Qed.

Lemma number_cons (P : list option_ -> Prop) o n : number P n ->
  number (fun q => exists q', Permutation q (o :: q') /\ P q') n.
Proof.
  intros (l & L & F & D & A); exists (map (cons o) l); repeat split.
  - now rewrite map_length.
  - clear - F; induction F as [|q l H F IH]; constructor; eauto.
  - clear - D; induction D as [|q l F D IH]; constructor; [|easy].
    apply Forall_forall; intros ? (q' & <- & H)%in_map_iff P; rewrite Forall_forall in F.
    now apply (F q' H), (Permutation_cons_inv P).
  - intros q (q' & P' & H); specialize (A q' H).
    clear - A P'; induction A as [q'' l S|q'' l _ IH]; [left; now rewrite P', S | right; easy].
Qed.

(** The exact covers that begin with one of [os], each with its own number *)
Lemma number_sum (P : option_ -> list option_ -> Prop) os ns :
  (forall o o' q q', In o os -> In o' os -> P o q -> P o' q' -> Permutation (o :: q) (o' :: q') -> o = o') ->
  NoDup os -> Forall2 (fun o n => number (P o) n) os ns ->
  number (fun q => exists o q', In o os /\ Permutation q (o :: q') /\ P o q') (fold_right N.add 0%N ns).
Proof.
  intros X N F; induction F as [|o n os ns H F IH]; cbn [fold_right].
  - apply number_none; now intros q (o & ? & [] & _).
  - inversion_clear N as [|? ? No N'].
    apply (number_ext (fun q => (exists q', Permutation q (o :: q') /\ P o q') \/
      exists o' q', In o' os /\ Permutation q (o' :: q') /\ P o' q')).
    + intros q; split.
      * intros [(q' & S & T)|(o' & q' & I & S & T)]; [exists o, q' | exists o', q']; cbn; auto.
      * intros (o' & q' & [<-|I] & S & T); [left | right]; eauto.
    + apply number_plus; [|now apply number_cons|].
      * intros q q' (r & S & T) (o' & r' & I & S' & T') Q; apply No.
        enough (o = o') by now subst.
        apply (X o o' r r'); cbn; auto; now rewrite <- S, <- S'.
      * apply IH; auto; intros o1 o2 q q' I1 I2; apply X; cbn; auto.
Qed.

(** * Areas *)

Definition area (p : puzzle) (r : list (list cell)) : nat :=
  length (concat r) + list_sum (map (fun q => length (drawing q)) (pieces p)).

Lemma orientations_length p o : In o (orientations p) -> length o = length (drawing p).
Proof.
  unfold orientations; rewrite in_flat_map; intros (f & Hf & (n & <- & _)%in_map_iff).
  rewrite map_length; destruct Hf as [<-|Hf]; [easy|]; destruct (may_flip p); [|easy].
  destruct Hf as [<-|[]]; apply map_length.
Qed.

Lemma tiling_area p r t : tiling p r t -> length (board p) = area p r.
Proof.
  intros (_ & M & F & P); apply Permutation_length in P; rewrite <- P, app_length; unfold area; f_equal.
  rewrite <- M; clear - F; induction F as [|a t (o & v & Ho & Q) F IH]; [easy|].
  cbn [flat_map map list_sum fold_right]; rewrite app_length; fold (list_sum (map (fun q => length (drawing q)) (map fst t))).
  rewrite IH; f_equal; rewrite (Permutation_length Q), map_length; now apply orientations_length.
Qed.

Lemma number_of_no_area p r : length (board p) <> area p r -> number_of_tilings p r 0.
Proof.
  intros D; exists []; split; [reflexivity|]; split; [constructor|]; split; [constructor|].
  intros t T; now apply tiling_area in T.
Qed.

(** * Bytes *)

(** A tree is written as bytes. A node is a number below 2 ^ 14 in one byte, or two, the least seven bits first: whether its
    state is to be remembered, and what it names. *)
Definition tree : Type := list ascii.
Definition node (bytes : tree) : option (bool * nat * tree) :=
  match bytes with
  | [] => None
  | a :: rest =>
    let n := N_of_ascii a in
    let found (n : N) (rest : tree) := Some (N.odd n, N.to_nat (N.div2 n), rest) in
    if (n <? 128)%N then found n rest
    else
      match rest with
      | [] => None
      | b :: rest =>
        let more := N_of_ascii b in
        if (0 <? more)%N && (more <? 128)%N then found (n - 128 + 128 * more)%N rest else None
      end
  end.

(** Why trees are refused; [left] is how many of their bytes come behind the place. *)
Inductive flaw := Ended (left : nat) | NotOpen (left : nat) | NotEnded (left : nat) | Overlap.

Module Checker (W : WORD).
Include Counter W.

(** * The program *)

(** The numbers of the states that were marked; keys are only about speed. *)
Definition memory : Type := M.t (list (W.t * N)).
Definition bucket (s : W.t) (known : memory) : list (W.t * N) :=
  match M.find (W.bucket_of s) known with Some l => l | None => [] end.
Definition recall (s : W.t) (known : memory) : option N :=
  match List.find (fun e => W.eqb s (fst e)) (bucket s known) with
  | Some (_, n) => Some n
  | None => None
  end.
Definition remember (s : W.t) (n : N) (known : memory) : memory :=
  M.add (W.bucket_of s) ((s, n) :: bucket s known) known.


Section Walk.
Context (full : W.t).

Definition complete (s : W.t) : bool := W.eqb (W.meet s full) full.
Definition has (bit : W.t) (e : entry) : bool := negb (free bit (test e)).

(** [named] is the bit of the item that a node names. *)
Context (named : W.t -> nat -> option W.t).

Fixpoint walk (fuel : nat) (fitting : list entry) (s : W.t) (known : memory) (bytes : tree) :
  flaw + N * memory * tree :=
  if complete s then inr (1%N, known, bytes)
  else match recall s known with
  | Some n => inr (n, known, bytes)
  | None =>
    match fuel, node bytes with
    | S fuel, Some (marked, steps, bytes) =>
      match named s steps with
      | Some bit =>
        match (fix each (children : list entry) (sum : N) (known : memory) (bytes : tree) :=
          match children with
          | [] => inr (sum, known, bytes)
          | e :: children =>
            let s := next s e in
            match walk fuel (filter (fun e => free s (test e)) fitting) s known bytes with
            | inl flaw => inl flaw
            | inr (n, known, bytes) => each children (n + sum)%N known bytes
            end
          end) (filter (has bit) fitting) 0%N known bytes with
        | inl flaw => inl flaw
        | inr (n, known', bytes) => inr (n, if marked then remember s n known' else known', bytes)
        end
      | None => inl (NotOpen (length bytes))
      end
    | _, _ => inl (Ended (length bytes))
    end
  end.
End Walk.

(** The bits of the items that a node may name: cells, then pieces of which there is one. A node
    counts its steps from the first that is not taken. *)
Definition singles (p : puzzle) : list W.t :=
  map (fun f => W.bit (fst f + snd f - 1)) (filter (fun f => snd f =? 1) (places_of p)).
Fixpoint from_first (s : W.t) (singles : list W.t) : list W.t :=
  match singles with
  | [] => []
  | bit :: rest => if free s bit then singles else from_first s rest
  end.
Definition stepped (singles : list W.t) (s : W.t) (steps : nat) : option W.t :=
  match nth_error (from_first s singles) steps with
  | Some bit => if free s bit then Some bit else None
  | None => None
  end.

Definition moves (p : puzzle) : list option_ -> list entry :=
  let tops := tops p in let lows := lows p in let spreads := spreads p in
  map (fun o => Entry (pick tops o) (pick lows o) (pick spreads o) W.zero []).

Fixpoint reveal_word (labels : list entry) (s : W.t) : option W.t :=
  match labels with
  | [] => Some s
  | e :: labels => if free s (test e) then reveal_word labels (next s e) else None
  end.

(** The trees of some reveals, one after another; they share what is remembered. *)
Definition check (p : puzzle) (reveals : list (list (list cell))) (bytes : tree) : flaw + list N :=
  let every := moves p (place_options p) in
  let full := full_word p in
  let singles := singles p in
  let fuel := S (items p) in
  (fix each reveals known bytes :=
    match reveals with
    | [] => if is_empty bytes then inr [] else inl (NotEnded (length bytes))
    | r :: reveals =>
      match
        (if length (board p) =? area p r then
          match reveal_word (moves p (marks p r)) W.zero with
          | Some s => walk full (stepped singles) fuel (filter (fun e => free s (test e)) every) s known bytes
          | None => inl Overlap
          end
        else inr (0%N, known, bytes))
      with
      | inl flaw => inl flaw
      | inr (n, known, bytes) => match each reveals known bytes with inl flaw => inl flaw | inr l => inr (n :: l) end
      end
    end) reveals (M.empty _) bytes.

(** * Proofs *)

Section Puzzle.
Context (p : puzzle) (wf : well_formed p) (room : W.room (width p) = true).
Notation m := (start p).
Notation places := (place_options p).

Definition move (o : option_) : entry :=
  Entry (pick (tops p) o) (pick (lows p) o) (pick (spreads p) o) W.zero [].

(** What is counted at a state: the exact covers of what is still needed, by placements *)
Definition covering (c : need) (q : list option_) : Prop := exact q c /\ incl q places.

Lemma places_are o : In o places -> In o (options p).
Proof. intros H; apply in_app_iff; now left. Qed.

Lemma covering_permutation c q q' : Permutation q q' -> covering c q -> covering c q'.
Proof.
  intros P (E & I); split; [now apply (exact_permutation q)|].
  intros o Ho; apply I; now rewrite P.
Qed.

Lemma stands_same s c c' : stands p s c -> stands p s c' -> forall x, c x = c' x.
Proof.
  intros (B & H) (B' & H') x; specialize (B x); specialize (B' x).
  destruct (le_lt_dec (items p) x) as [L|L]; [rewrite start_beyond in * by easy; lia|].
  assert (forall j, j < m x -> (j <? m x - c x) = (j <? m x - c' x)) as E
    by (intros j J; now rewrite <- H, <- H').
  destruct (lt_eq_lt_dec (c x) (c' x)) as [[G|G]|G]; [exfalso|easy|exfalso].
  - specialize (E (m x - c' x) ltac:(lia)); rewrite Nat.ltb_irrefl, Nat.ltb_ge in E; lia.
  - specialize (E (m x - c x) ltac:(lia)); rewrite Nat.ltb_irrefl in E; symmetry in E.
    rewrite Nat.ltb_ge in E; lia.
Qed.

Lemma covering_same c c' q : (forall x, c x = c' x) -> covering c q -> covering c' q.
Proof. intros S (E & I); split; [|easy]; intros x; now rewrite E. Qed.

Definition right (known : memory) : Prop := forall k l, M.find k known = Some l ->
  forall s n, In (s, n) l -> forall c, stands p s c -> number (covering c) n.

Lemma right_empty : right (M.empty _).
Proof. intros k l; now rewrite M.gempty. Qed.

Lemma right_bucket known s : right known -> forall s' n, In (s', n) (bucket s known) ->
  forall c, stands p s' c -> number (covering c) n.
Proof. intros R s' n; unfold bucket; destruct (M.find _ known) eqn:F; [now apply (R _ _ F) | easy]. Qed.

Lemma recall_right known s n c : right known -> recall s known = Some n -> stands p s c -> number (covering c) n.
Proof.
  unfold recall; intros R H S; destruct (List.find _ _) as [(s', n')|] eqn:F; [|easy].
  injection H as ->; apply find_some in F as (I & E%W.eqb_spec); cbn in E; subst s'.
  now apply (right_bucket known s R s n I).
Qed.

Lemma remember_right known s n c : right known -> stands p s c -> number (covering c) n -> right (remember s n known).
Proof.
  intros R S H k l; unfold remember; destruct (Pos.eq_dec k (W.bucket_of s)) as [->|N].
  - rewrite M.gss; intros [= <-] s' n' [[= <- <-]|I] c' S'; [|now apply (right_bucket known s R s' n' I)].
    revert H; apply number_ext; intros q; split; apply covering_same; intros x; now apply (stands_same s).
  - rewrite M.gso by easy; apply R.
Qed.

(** ** A node: exactly one of the placements at an item that is needed once *)
Lemma cover_has c q x : covering c q -> c x = 1 ->
  exists o q', In o places /\ In x (takes o) /\ fits o c = true /\ Permutation q (o :: q') /\ covering (after o c) q'.
Proof.
  intros (E & I) H; assert (In x (taken q)) as (o & Ho & Hx)%taken_in by (apply times_in; rewrite E; lia).
  destruct (in_split _ _ Ho) as (a & b & Q).
  assert (P : Permutation q (o :: a ++ b)) by (rewrite Q; symmetry; apply Permutation_middle).
  assert (E' := exact_permutation _ _ _ P E).
  assert (F : forall y, In y (takes o) -> 1 <= c y)
    by (intros y Hy%times_in; rewrite <- (E' y), taken_cons, times_app; lia).
  exists o, (a ++ b); repeat split; auto; [now apply fits_spec| |].
  - apply exact_after; [apply (options_ok p wf), places_are, I, Ho | easy | easy].
  - intros y Hy; apply I; rewrite P; now right.
Qed.

Lemma cover_from c o q : In o places -> fits o c = true -> covering (after o c) q -> covering c (o :: q).
Proof.
  intros Ho F (E & I); split.
  - apply exact_after; [apply (options_ok p wf), places_are, Ho | now apply fits_spec | easy].
  - intros y [<-|Hy]; auto.
Qed.

Lemma number_node c x os ns : c x = 1 -> NoDup os ->
  (forall o, In o os <-> In o places /\ In x (takes o) /\ fits o c = true) ->
  Forall2 (fun o n => number (covering (after o c)) n) os ns ->
  number (covering c) (fold_right N.add 0%N ns).
Proof.
  intros H N O F; eapply number_ext; [|apply (number_sum (fun o => covering (after o c)) os ns); auto].
  - intros q; split.
    + intros (o & q' & (Ho & _ & Fo)%O & P & Q); eapply covering_permutation; [symmetry; exact P|].
      now apply cover_from.
    + intros Q; destruct (cover_has c q x Q H) as (o & q' & Ho & Hx & Fo & P & Q').
      exists o, q'; split; [now apply O | easy].
  - intros o o' q q' (Ho & Hx & Fo)%O (Ho' & Hx' & Fo')%O Q Q' P.
    assert (In o' (o :: q)) as [|I] by (rewrite P; now left); [easy | exfalso].
    destruct Q as (E & _); specialize (E x); unfold after in E; rewrite H in E.
    apply times_in in Hx; assert (1 <= times x (taken q)) by (apply times_in, taken_in; eauto); lia.
Qed.

Lemma number_complete c : (forall x, c x = 0) -> number (covering c) 1.
Proof.
  intros Z; eapply number_ext; [|apply number_one]; intros q; split.
  - intros ->; split; [intros x; now rewrite Z | easy].
  - intros (E & I); destruct q as [|o q]; [easy|]; exfalso; specialize (E (fst o)).
    rewrite Z in E; assert (1 <= times (fst o) (taken (o :: q))); [|lia].
    apply times_in, taken_in; exists o; split; now left.
Qed.

Section Names.
Context (named : W.t -> nat -> option W.t).
Context (named_single : forall s name bit, named s name = Some bit ->
  exists x, x < items p /\ m x = 1 /\ bit = nth x (tops p) W.zero /\ free s bit = true).

Lemma has_spec x o : x < items p -> m x = 1 -> In o (options p) ->
  has (nth x (tops p) W.zero) (move o) = true <-> In x (takes o).
Proof.
  intros L M Ho; unfold has; cbn [move test]; rewrite negb_true_iff, <- not_true_iff_false, free_spec; split.
  - intros H; destruct (in_dec Nat.eq_dec x (takes o)) as [|N]; [easy | exfalso]; apply H.
    intros i (y & Hy & <-)%(get_test p wf room); auto.
    destruct (in_takes p wf o y Ho Hy) as (Ly & My).
    apply not_true_iff_false; rewrite (get_top p room) by lia; intros E%Nat.eqb_eq.
    destruct (field_apart p x y (m x - 1) (m y - 1)); try lia; now subst.
  - intros Hx H; specialize (H (off p x + m x - 1)); rewrite (get_top p room), Nat.eqb_refl in H by lia.
    enough (true = false) by easy; apply H, (get_test p wf room); eauto.
Qed.

Lemma filter_moves f os : filter f (map move os) = map move (filter (fun o => f (move o)) os).
Proof. induction os as [|o os IH]; [easy|]; cbn; rewrite IH; now destruct (f (move o)). Qed.

Lemma walk_right fuel : forall os s c known bytes n known' bytes',
  stands p s c -> right known -> NoDup os -> (forall o, In o places -> fits o c = true -> In o os) -> incl os places ->
  (forall o, In o os -> fits o c = true) ->
  walk (full_word p) named fuel (map move os) s known bytes = inr (n, known', bytes') ->
  number (covering c) n /\ right known'.
Proof.
  induction fuel as [|fuel IH]; intros os s c known bytes n known' bytes' S R N A I F; cbn [walk].
  all: destruct (complete (full_word p) s) eqn:E.
  1, 3: intros [= <- <- <-]; split; [|easy]; apply number_complete; unfold complete in E;
    rewrite (full_spec p room s c S), forallb_forall in E; intros x; destruct (le_lt_dec (items p) x);
    [now apply (stands_beyond p s) | apply Nat.eqb_eq, E, in_seq; lia].
  all: destruct (recall s known) as [n0|] eqn:K.
  1, 3: intros [= <- <- <-]; split; [|easy]; now apply (recall_right known s).
  - easy.
  - destruct (node bytes) as [((marked, name), rest)|]; [|easy].
    destruct (named s name) as [bit|] eqn:B; [|easy].
    apply named_single in B as (x & L & M & -> & G).
    assert (Cx : c x = 1).
    { assert (T := top_of p s c x S L ltac:(lia)).
      rewrite free_spec in G; specialize (G (off p x + m x - 1)).
      rewrite (get_top p room), Nat.eqb_refl in G by lia; specialize (G eq_refl); rewrite G in T.
      symmetry in T; apply Nat.eqb_neq in T; destruct S as (S & _); specialize (S x); lia. }
    match goal with |- context [?f (filter _ _) 0%N known rest] => set (each := f) end.
    set (bit := nth x (tops p) W.zero) in *.
    assert (T : forall kids sum known bytes n known' bytes', right known ->
      (forall o, In o kids -> In o os) -> each (map move kids) sum known bytes = inr (n, known', bytes') ->
      exists ns, Forall2 (fun o n => number (covering (after o c)) n) kids ns /\
        n = (fold_right N.add 0 ns + sum)%N /\ right known').
    { clear - IH S N A I F wf room; induction kids as [|o kids IHk]; intros sum known bytes n known' bytes' R J H; cbn in H.
      - injection H as <- <- <-; exists []; repeat split; auto.
      - assert (Ho : In o os) by (apply J; now left).
        assert (S' : stands p (next s (move o)) (after o c)) by (apply (stands_next p wf room); auto using places_are).
        destruct (walk _ _ fuel _ _ known bytes) as [|((n1, known1), bytes1)] eqn:E; [easy|].
        rewrite filter_moves in E; apply IH with (c := after o c) in E as (E & R1); auto.
        + apply IHk in H as (ns & F' & -> & R'); auto with datatypes.
          exists (n1 :: ns); repeat split; auto; cbn [fold_right]; lia.
        + now apply NoDup_filter.
        + intros o' Ho' F'; apply filter_In; split.
          * apply A; auto; rewrite fits_spec in *; intros y Hy; specialize (F' y Hy); unfold after in F'; lia.
          * cbn [move test]; rewrite (free_fits p wf room _ (after o c)); auto using places_are.
        + intros o' (Ho' & _)%filter_In; auto.
        + intros o' (Ho' & F')%filter_In; cbn [move test] in F'.
          rewrite (free_fits p wf room _ (after o c)) in F'; auto using places_are. }
    rewrite filter_moves; set (kids := filter _ os) in *.
    destruct (each _ _ _ _) as [|((n1, known1), bytes1)] eqn:H; [easy|]; intros [= <- <- <-].
    apply T in H as (ns & Fn & -> & R1); auto; [|now intros o (Ho & _)%filter_In].
    assert (Y : number (covering c) (fold_right N.add 0 ns + 0)%N).
    { rewrite N.add_0_r; apply (number_node c x kids); auto; [now apply NoDup_filter|].
      intros o; unfold kids; rewrite filter_In; split.
      - intros (Ho & H); repeat split; auto; apply has_spec in H; auto using places_are.
      - intros (Ho & Hx & Fo); split; [auto|]; apply has_spec; auto using places_are. }
    split; [easy|]; destruct marked; [now apply (remember_right known1 s _ c) | easy].
Qed.
End Names.

Lemma reveal_stands l : forall s c s', incl l (options p) -> stands p s c ->
  reveal_word (map move l) s = Some s' ->
  exists c', stands p s' c' /\ forall q, exact q c' <-> exact (l ++ q) c.
Proof.
  induction l as [|o l IH]; intros s c s' I S; cbn [map reveal_word app]; [intros [= <-]; now exists c|].
  assert (Ho : In o (options p)) by (apply I; now left).
  cbn [move test]; destruct (free s (pick (tops p) o)) eqn:F; [|easy].
  rewrite (free_fits p wf room s c) in F by easy; intros H.
  apply IH with (c := after o c) in H as (c' & S' & E); [| now intros x Hx; apply I; right | now apply (stands_next p wf room)].
  exists c'; split; [easy|]; intros q; rewrite E.
  apply exact_after; [now apply (options_ok p wf) | now apply fits_spec].
Qed.

(** Exact covers by places alone, with a reveal's labels before them *)
Lemma number_tilings r c n : Forall2 (@In (list cell)) r (categories p) ->
  (forall q, exact q c <-> exact (marks p r ++ q) m) -> number (covering c) n -> number_of_tilings p r n.
Proof.
  intros R E (found & <- & F & D & A).
  destruct (marks_spec p wf r R) as (ML & _).
  remember (marks p r) as M eqn:EM.
  assert (MI : incl M (options p)) by (intros o Ho; apply in_app_iff; right; now apply ML).
  assert (LM : filter (is_label p) M = M) by (apply filter_all; intros o Ho; apply (option_cells p wf); auto).
  assert (LP : forall o, In o places -> is_label p o = false).
  { intros o Ho; apply (place_options_spec p wf) in Ho as (i & d & Hi & _ & _ & _ & _ & ->).
    apply Nat.leb_gt; cbn; lia. }
  rewrite <- (map_length (app M)); apply (tilings_are_listed p wf); auto.
  - apply Forall_forall; intros ? (q & <- & Hq)%in_map_iff; rewrite Forall_forall in F.
    destruct (F q Hq) as (Eq & Iq); repeat split; [now apply E| |].
    + intros o [|]%in_app_iff; auto using places_are.
    + rewrite filter_app, LM, (filter_none (is_label p) q), app_nil_r by auto; now rewrite EM.
  - clear - D; induction D as [|q l H D IH]; constructor; [|easy].
    apply Forall_forall; intros ? (q' & <- & Hq)%in_map_iff P%Permutation_app_inv_l.
    rewrite Forall_forall in H; now apply (H q').
  - intros q Eq Iq Lq; set (rest := filter (fun o => negb (is_label p o)) q).
    assert (P : Permutation q (M ++ rest)).
    { rewrite EM, <- Lq, (filter_halves (is_label p) q) at 1; apply Permutation_app_comm. }
    assert (Exists (Permutation rest) found) as X.
    { apply A; split; [apply E; now apply (exact_permutation q)|].
      intros o (Ho & N)%filter_In; apply Iq, in_app_iff in Ho as [|Ho]; [easy|].
      assert (is_label p o = true) by (apply (option_cells p wf); auto; apply in_app_iff; now right).
      now rewrite H in N. }
    clear - X P; induction X as [q' l Q|q' l _ IH]; cbn [map]; [left; now rewrite P, Q | now right].
Qed.

Lemma moves_are l : moves p l = map move l.
Proof. reflexivity. Qed.

Lemma stepped_single s steps bit : stepped (singles p) s steps = Some bit ->
  exists x, x < items p /\ m x = 1 /\ bit = nth x (tops p) W.zero /\ free s bit = true.
Proof.
  unfold stepped; destruct (nth_error _ _) as [b|] eqn:E; [|easy].
  destruct (free s b) eqn:F; [|easy]; intros [= <-]; apply nth_error_In in E.
  assert (In b (singles p)) as (f & <- & (Hf & Mf)%filter_In)%in_map_iff.
  { induction (singles p) as [|b' l IH]; cbn [from_first] in E; [easy|].
    destruct (free s b'); [easy | right; auto]. }
  apply in_places in Hf as (x & L & ->); cbn [fst snd] in *; apply Nat.eqb_eq in Mf.
  exists x; repeat split; auto; unfold tops; now rewrite nth_places.
Qed.

Lemma reveal_right r s known bytes n known' bytes' : Forall2 (@In (list cell)) r (categories p) -> right known ->
  reveal_word (moves p (marks p r)) W.zero = Some s ->
  walk (full_word p) (stepped (singles p)) (S (items p)) (filter (fun e => free s (test e)) (moves p places))
    s known bytes = inr (n, known', bytes') ->
  number_of_tilings p r n /\ right known'.
Proof.
  intros R K M H; rewrite !moves_are in *; destruct (marks_spec p wf r R) as (ML & _).
  apply reveal_stands with (c := m) in M as (c & S & E);
    [| intros o Ho; apply in_app_iff; right; now apply ML | apply stands_start].
  rewrite filter_moves in H; apply walk_right with (c := c) in H as (H & K'); [|exact stepped_single|auto..].
  - split; [now apply (number_tilings r c) | easy].
  - apply NoDup_filter; eapply nodup_left, (options_nodup p wf).
  - intros o Ho F; apply filter_In; split; [easy|].
    cbn [move test]; rewrite (free_fits p wf room s c); auto using places_are.
  - intros o (Ho & _)%filter_In; easy.
  - intros o (Ho & F)%filter_In; cbn [move test] in F; rewrite (free_fits p wf room s c) in F; auto using places_are.
Qed.

Theorem check_right reveals bytes numbers :
  (forall r, In r reveals -> Forall2 (@In (list cell)) r (categories p)) ->
  check p reveals bytes = inr numbers -> Forall2 (number_of_tilings p) reveals numbers.
Proof.
  unfold check; set (full := full_word p); generalize right_empty.
  generalize (M.empty (list (W.t * N))) as known; revert bytes numbers.
  induction reveals as [|r reveals IH]; intros bytes numbers known K R H.
  - destruct (is_empty bytes); [injection H as <-; constructor | easy].
  - destruct (if length (board p) =? area p r then _ else _) as [|((n, known'), bytes')] eqn:E; [easy|].
    assert (number_of_tilings p r n /\ right known') as (N & K').
    { destruct (Nat.eqb_spec (length (board p)) (area p r)) as [_|D].
      - destruct (reveal_word _ _) as [s|] eqn:M; [|easy].
        eapply reveal_right; eauto; apply R; now left.
      - injection E as <- <- <-; split; [now apply number_of_no_area | easy]. }
    match type of H with context [match ?e with inl _ => _ | inr _ => _ end] => destruct e as [|l] eqn:F end; [easy|].
    injection H as <-; constructor; [easy|].
    apply (IH bytes' l known' K'); [intros x Hx; apply R; now right | exact F].
Qed.
End Puzzle.
End Checker.

Module PureChecker. Include Checker Unbounded. End PureChecker.
Module FastChecker. Include Checker OneWord. End FastChecker.
Module WideChecker. Include Checker TwoWords. End WideChecker.

(** * The theorem that the program rests on *)

Inductive refusal := Faulty (f : fault) | Flawed (f : flaw).
Definition checker : Type := puzzle -> list (list (list cell)) -> tree -> flaw + list N.

Definition pure_check : checker := PureChecker.check.
Definition fast_check : checker := fun p =>
  if OneWord.room (FastChecker.width p) then FastChecker.check p
  else if TwoWords.room (WideChecker.width p) then WideChecker.check p
  else PureChecker.check p.

Definition checks (c : checker) : Prop := forall p reveals bytes numbers, well_formed p ->
  (forall r, In r reveals -> Forall2 (@In (list cell)) r (categories p)) ->
  c p reveals bytes = inr numbers -> Forall2 (number_of_tilings p) reveals numbers.

Theorem pure_check_right : checks pure_check.
Proof. intros p reveals bytes numbers W; now apply PureChecker.check_right. Qed.

Theorem fast_check_right : checks fast_check.
Proof.
  intros p reveals bytes numbers W R; unfold fast_check.
  destruct (OneWord.room _) eqn:R1; [now apply FastChecker.check_right|].
  destruct (TwoWords.room _) eqn:R2; [now apply WideChecker.check_right | now apply PureChecker.check_right].
Qed.

Definition guarded (c : checker) (p : puzzle) (reveals : list (list (list cell))) (bytes : tree) : refusal + list N :=
  match fault_of p with
  | Some f => inl (Faulty f)
  | None =>
    if forallb (fun r => is_reveal r (categories p)) reveals then
      match c p reveals bytes with inl f => inl (Flawed f) | inr numbers => inr numbers end
    else inl (Faulty NotAReveal)
  end.

Theorem guarded_right c p reveals bytes numbers : checks c ->
  guarded c p reveals bytes = inr numbers -> Forall2 (number_of_tilings p) reveals numbers.
Proof.
  unfold guarded; intros C; destruct (fault_of p) eqn:F; [easy|]; apply fault_of_none in F.
  destruct (forallb _ reveals) eqn:R; [|easy]; rewrite forallb_forall in R.
  destruct (c p reveals bytes) eqn:E; [easy|]; intros [= <-]; eapply C; eauto.
  intros r Hr; now apply is_reveal_spec, R.
Qed.
