(** The checker of certificates: that the listed tilings are all there are. A placement is the word
    of the items that it takes; a literal says that such a word is among those of a tiling, or is
    not. Words, numbers and proofs come from outside and are believed in nothing. *)
From Coq Require Import List NArith PArith Permutation Lia Bool Arith FMapPositive.
From Satcal Require Import Spec Places Cover Tilings Words Counts.
Import ListNotations.
Module M := PositiveMap.
Local Open Scope nat_scope.

(** A lemma's literals are numbers of placements, its hints numbers of earlier clauses; [gone] are
    those that nothing needs any more. A cut is at an item: of what covers it, each in turn. *)
Record lemma := Lemma { pos : list positive; neg : list positive; hints : list positive; gone : list positive }.
Inductive node := Cut (item : nat) | Refutation (lemmas : list lemma).

(** Why a certificate is refused; [left] is how many nodes come after the one that fails. *)
Inductive refusal :=
  Faulty (f : fault) | NoTiling (number : nat) | TilingTwice | BadCut (left : nat) | TooLong
  | Unproved (left : nat) (clause : positive).

Fixpoint first_failure {A} (test : A -> bool) (k : nat) (l : list A) : option nat :=
  match l with [] => None | a :: l => if test a then first_failure test (S k) l else Some k end.
Fixpoint pairwise {A} (test : A -> A -> bool) (l : list A) : bool :=
  match l with [] => true | a :: l => forallb (test a) l && pairwise test l end.
Fixpoint lookup {A} (table : M.t A) (l : list positive) : option (list A) :=
  match l with
  | [] => Some []
  | k :: l =>
    match M.find k table, lookup table l with Some a, Some m => Some (a :: m) | _, _ => None end
  end.
Fixpoint numbered {A} (l : list A) (k : positive) (table : M.t A) : M.t A * positive :=
  match l with [] => (table, k) | a :: l => numbered l (Pos.succ k) (M.add k a table) end.

(** What holds of all that is in a table. *)
Definition everywhere {A} (P : A -> Prop) (t : M.t A) : Prop := forall k a, M.find k t = Some a -> P a.

Lemma everywhere_add {A} (P : A -> Prop) k a t : everywhere P t -> P a -> everywhere P (M.add k a t).
Proof.
  intros E H j b; destruct (Pos.eq_dec j k) as [->|N]; [rewrite M.gss; now intros [= <-] | rewrite M.gso by easy; apply E].
Qed.

Lemma everywhere_remove {A} (P : A -> Prop) l t : everywhere P t -> everywhere P (fold_left (fun t h => M.remove h t) l t).
Proof.
  revert t; induction l as [|h l IH]; intros t E; [easy|]; apply IH; intros k a.
  destruct (Pos.eq_dec k h) as [->|N]; [now rewrite M.grs | rewrite M.gro by easy; apply E].
Qed.

Lemma everywhere_numbered {A} (P : A -> Prop) l k t : (forall a, In a l -> P a) -> everywhere P t ->
  everywhere P (fst (numbered l k t)).
Proof.
  revert k t; induction l as [|a l IH]; intros k t H E; [easy|]; cbn [numbered].
  apply IH; auto with datatypes; apply everywhere_add; auto with datatypes.
Qed.

Lemma everywhere_lookup {A} (P : A -> Prop) t l found : everywhere P t -> lookup t l = Some found ->
  forall a, In a found -> P a.
Proof.
  intros E; revert found; induction l as [|k l IH]; intros found; cbn [lookup]; [now intros [= <-]|].
  destruct (M.find k t) eqn:F, (lookup t l); try easy; intros [= <-] x [<-|Hx]; [eauto | now apply (IH _ eq_refl)].
Qed.

Module Checker (W : WORD).
Include Sets W.

Definition mem (w : W.t) (l : list W.t) : bool := existsb (W.eqb w) l.
Definition has (bit w : W.t) : bool := negb (free bit w).
Definition crowd (bit : W.t) (l : list W.t) : nat := length (filter (has bit) l).
Definition word (l : list nat) : W.t := fold_right (fun i => W.union (W.bit i)) W.zero l.

(** What is known of a tiling's words: [trues] are among them, [outs] are not, nor is anything else
    that has a bit of [blocked]: those are the items that [trues] have taken as often as needed. *)
Record state := State { trues : list W.t; blocked : W.t; outs : list W.t }.
Definition clause : Type := list W.t * list W.t.
Inductive verdict := Absurd | Go (s : state) | Stuck.

Section Fields.
(** Each item as a bit, with the number of times that it has to be taken. *)
Context (fields : list (W.t * nat)).

(** [s] and the items that [l] takes as often as needed, or more often. *)
Definition spent (fields : list (W.t * nat)) (l : list W.t) (s : W.t) : W.t :=
  fold_right (fun f s => if snd f <=? crowd (fst f) l then W.union (fst f) s else s) s fields.
Definition single : W.t := fold_right (fun f => W.union (fst f)) W.zero (filter (fun f => snd f =? 1) fields).
Definition multiple : list (W.t * nat) := filter (fun f => 2 <=? snd f) fields.

Section Rules.
Context (single : W.t) (multiple : list (W.t * nat)).

(** The rule of the implied pairs: what a placement takes, and a piece of which no copy is left. *)
Definition take (w : W.t) (s : state) : state :=
  let l := w :: trues s in
  State l (spent multiple l (W.union (blocked s) (W.meet w single))) (outs s).
Definition add (w : W.t) (s : state) : option state :=
  if free (blocked s) w then if mem w (trues s) then None else Some (take w s) else None.
Fixpoint add_all (l : list W.t) (s : state) : option state :=
  match l with
  | [] => Some s
  | w :: l => match add w s with Some s => add_all l s | None => None end
  end.
(** A word of which it is not known that it is none of the tiling's. *)
Definition open (s : state) (w : W.t) : bool :=
  if free (blocked s) w then negb (mem w (outs s)) else mem w (trues s).

(** A clause of which one literal is left makes it known. *)
Definition look (c : clause) (s : state) : verdict :=
  match filter (open s) (fst c), filter (fun w => negb (mem w (trues s))) (snd c) with
  | [], [] => Absurd
  | [w], [] => match add w s with Some s => Go s | None => Stuck end
  | [], [w] => Go (State (trues s) (blocked s) (w :: outs s))
  | _, _ => Stuck
  end.

Fixpoint absurd (known : M.t clause) (hints : list positive) (s : state) : bool :=
  match hints with
  | [] => false
  | h :: hints =>
    match M.find h known with
    | None => false
    | Some c => match look c s with Absurd => is_empty hints | Go s => absurd known hints s | Stuck => false end
    end
  end.

(** The number of the first lemma that does not follow, or is missing; [None] if all is refuted. *)
Fixpoint replay (vars : M.t W.t) (s : state) (known : M.t clause) (k : positive) (l : list lemma) : option positive :=
  match l with
  | [] => Some k
  | a :: l =>
    match lookup vars (pos a), lookup vars (neg a) with
    | Some ps, Some ns =>
      if match add_all ns (State (trues s) (blocked s) ps) with Some s => absurd known (hints a) s | None => false end then
        if is_empty ps && is_empty ns then if is_empty l then None else Some (Pos.succ k)
        else replay vars s (M.add k (ps, ns) (fold_left (fun m h => M.remove h m) (gone a) known)) (Pos.succ k) l
      else Some k
    | _, _ => Some k
    end
  end.

Section Listed.
Context (listed : list (list W.t)).

(** For each item one of what covers it, and not all of a listed tiling. *)
Definition clauses (vars : list W.t) (s : state) : list clause :=
  map (fun f => (filter (has (fst f)) vars, [])) (filter (fun f => free (blocked s) (fst f)) fields) ++
  map (fun l => ([], filter (fun w => negb (mem w (trues s))) l))
    (filter (fun l => forallb (fun w => mem w l) (trues s)) listed).

(** The nodes that come after those for this state; each cut has its parts behind it. *)
Fixpoint follow (fuel : nat) (vars : list W.t) (s : state) (nodes : list node) : refusal + list node :=
  match fuel, nodes with
  | _, [] | O, _ => inl TooLong
  | S _, Refutation lemmas :: nodes =>
    let (known, k) := numbered (clauses vars s) 1 (M.empty clause) in
    match replay (fst (numbered vars 1 (M.empty W.t))) s known k lemmas with
    | None => inr nodes
    | Some k => inl (Unproved (length nodes) k)
    end
  | S fuel, Cut item :: nodes =>
    match nth_error fields item with
    | Some (bit, _) =>
      if free (blocked s) bit then
        (fix each (l : list W.t) (nodes : list node) : refusal + list node :=
          match l with
          | [] => inr nodes
          | w :: l =>
            let s := take w s in
            match follow fuel (filter (fun v => free (blocked s) v) vars) s nodes with
            | inl f => inl f
            | inr nodes => each l nodes
            end
          end) (filter (has bit) vars) nodes
      else inl (BadCut (length nodes))
    | None => inl (BadCut (length nodes))
    end
  end.
End Listed.
End Rules.

(** Whether words are a tiling, and whether two tilings are not the same. *)
Definition exact_words (l : list W.t) : bool :=
  pairwise (fun v w => negb (W.eqb v w)) l && forallb (fun f => crowd (fst f) l =? snd f) fields.
Definition differ (l m : list W.t) : bool := existsb (fun w => negb (mem w m)) l.
End Fields.

Definition fields_of (p : puzzle) : list (W.t * nat) := map (fun i => (W.bit i, start p i)) (seq 0 (items p)).

(** Why it is not proved that the listed tilings are all there are; [None] if it is. *)
Definition check (p : puzzle) (r : list (list cell)) (tilings : list (list positive)) (nodes : list node) : option refusal :=
  let fields := fields_of p in
  let marked := map (fun o => word (takes o)) (marks p r) in
  let s := State marked (spent fields marked W.zero) [] in
  let vars := filter (fun w => free (blocked s) w) (map (fun o => word (takes o)) (place_options p)) in
  let table := fst (numbered vars 1%positive (M.empty W.t)) in
  let listed := map (fun t => match lookup table t with Some l => marked ++ l | None => [] end) tilings in
  match first_failure (fun l => negb (is_empty l) && exact_words fields l) 1 listed with
  | Some k => Some (NoTiling k)
  | None =>
    if pairwise differ listed then
      match follow fields (single fields) (multiple fields) listed (S (items p)) vars s nodes with
      | inl f => Some f
      | inr [] => None
      | inr _ => Some TooLong
      end
    else Some TilingTwice
  end.

(** * Proofs *)

Lemma mem_spec w l : mem w l = true <-> In w l.
Proof.
  unfold mem; rewrite existsb_exists; split; [now intros (v & H & ->%W.eqb_spec)|].
  intros H; exists w; now rewrite W.eqb_spec.
Qed.

Lemma differ_spec l m : differ l m = true <-> exists w, In w l /\ ~ In w m.
Proof.
  unfold differ; rewrite existsb_exists; split; intros (w & H & N); exists w; split; auto.
  - now rewrite <- mem_spec, not_true_iff_false, <- negb_true_iff.
  - now rewrite negb_true_iff, <- not_true_iff_false, mem_spec.
Qed.

Lemma differ_not l m : differ l m = false -> incl l m.
Proof.
  intros D w H; apply mem_spec; destruct (mem w m) eqn:E; [easy|].
  apply not_true_iff_false in D; exfalso; apply D, differ_spec; exists w; split; [easy|].
  rewrite <- mem_spec; congruence.
Qed.

(** ** A tiling is words that have each bit as often as needed. *)
Section Exact.
Context (n : nat) (m : nat -> nat) (room : W.room n = true) (all : list W.t).
Context (all_below : forall w i, In w all -> W.get w i = true -> i < n).
Notation fields := (map (fun i => (W.bit i, m i)) (seq 0 n)).

Definition count (i : nat) (l : list W.t) : nat := length (filter (fun w => W.get w i) l).
Definition exactly (l : list W.t) : Prop := forall i, i < n -> count i l = m i.

Lemma has_spec i w : i < n -> has (W.bit i) w = W.get w i.
Proof.
  intros H; unfold has; destruct (free (W.bit i) w) eqn:F; cbn.
  - rewrite free_spec in F; specialize (F i); rewrite (W.get_bit n), Nat.eqb_refl in F by easy.
    destruct (W.get w i); [now discriminate F | easy].
  - destruct (W.get w i) eqn:G; [easy|]; rewrite <- F; symmetry; apply free_spec; intros j Hj.
    rewrite (W.get_bit n) by easy; apply Nat.eqb_neq; congruence.
Qed.

Lemma crowd_spec i l : i < n -> crowd (W.bit i) l = count i l.
Proof. intros H; unfold crowd, count; f_equal; apply filter_ext; intros w; now apply has_spec. Qed.

Lemma count_app i a b : count i (a ++ b) = count i a + count i b.
Proof. unfold count; now rewrite filter_app, app_length. Qed.

Lemma count_permutation i a b : Permutation a b -> count i a = count i b.
Proof. intros P; unfold count; apply Permutation_length, permutation_filter, P. Qed.

Lemma count_in i w l : In w l -> W.get w i = true -> 1 <= count i l.
Proof.
  intros H G; unfold count; assert (In w (filter (fun w => W.get w i) l)) as F by now apply filter_In.
  destruct (filter _ l); [easy | cbn; lia].
Qed.

Lemma get_word l i : (forall x, In x l -> x < n) -> W.get (word l) i = true <-> In i l.
Proof.
  induction l as [|x l IH]; intros B; cbn [word fold_right]; [now rewrite W.get_zero|].
  fold (word l); rewrite W.get_union, (W.get_bit n), orb_true_iff, IH, Nat.eqb_eq by auto with datatypes; easy.
Qed.

Lemma get_spent is l s i : (forall x, In x is -> x < n) ->
  W.get (spent (map (fun i => (W.bit i, m i)) is) l s) i = true <->
  W.get s i = true \/ In i is /\ m i <= count i l.
Proof.
  induction is as [|x is IH]; intros B; cbn [spent map fold_right fst snd]; [cbn; tauto|].
  fold (spent (map (fun i => (W.bit i, m i)) is) l s); rewrite crowd_spec by auto with datatypes.
  destruct (Nat.leb_spec (m x) (count x l)).
  - rewrite W.get_union, (W.get_bit n), orb_true_iff, IH, Nat.eqb_eq by auto with datatypes; cbn [In].
    split; [|intuition congruence]; intros [->|[|]]; tauto.
  - rewrite IH by auto with datatypes; cbn [In]; split; [tauto|]; intros [|[[->|] ?]]; [tauto|lia|tauto].
Qed.

Lemma fields_filter f : filter (fun g => f (snd g)) fields = map (fun i => (W.bit i, m i)) (filter (fun i => f (m i)) (seq 0 n)).
Proof. induction (seq 0 n) as [|i l IH]; [easy|]; cbn; rewrite IH; now destruct (f (m i)). Qed.

Lemma get_single i : i < n -> W.get (single fields) i = (m i =? 1).
Proof.
  intros H; apply eq_iff_eq_true; unfold single; rewrite (fields_filter (fun k => k =? 1)).
  transitivity (W.get (word (filter (fun i => m i =? 1) (seq 0 n))) i = true).
  - now induction (filter _ (seq 0 n)) as [|x l IH]; cbn; [|rewrite !W.get_union, !orb_true_iff, IH].
  - rewrite get_word, filter_In, in_seq; [split; [easy | split; [lia | easy]]|].
    intros x (Hx%in_seq & _)%filter_In; lia.
Qed.

(** ** What is known of a tiling *)
Notation take := (take (single fields) (multiple fields)).
Notation add := (add (single fields) (multiple fields)).

(** [blocked] has the bits of the items that are taken as often as needed. *)
Definition right (s : state) : Prop := forall i, i < n -> W.get (blocked s) i = (m i <=? count i (trues s)).

Lemma take_right w s : right s -> right (take w s).
Proof.
  intros R i H; apply eq_iff_eq_true; unfold take, multiple; cbn [blocked trues].
  rewrite (fields_filter (fun k => 2 <=? k)), get_spent by (intros x (Hx%in_seq & _)%filter_In; lia).
  rewrite W.get_union, W.get_meet, orb_true_iff, andb_true_iff, (R i H), get_single, Nat.eqb_eq by easy.
  rewrite filter_In, in_seq, !Nat.leb_le; unfold count; cbn [filter].
  destruct (W.get w i); cbn [length]; lia.
Qed.

Section Tiling.
Context (q : list W.t) (q_exact : exactly q).

(** The tiling is [trues] and some others that can be placed. *)
Definition within (s : state) : Prop := exists rest, Permutation q (trues s ++ rest) /\ incl rest all.

Lemma rest_free s rest w : right s -> Permutation q (trues s ++ rest) -> incl rest all -> In w rest ->
  free (blocked s) w = true.
Proof.
  intros R P I H; apply free_spec; intros i G.
  assert (B := all_below w i (I w H) G); rewrite (R i B); apply Nat.leb_gt.
  rewrite <- (q_exact i B), (count_permutation _ _ _ P), count_app.
  assert (X := count_in i w rest H G); lia.
Qed.

Lemma rest_take s rest w : Permutation q (trues s ++ rest) -> incl rest all -> In w rest -> within (take w s).
Proof.
  intros P I H; destruct (in_split _ _ H) as (a & b & ->); exists (a ++ b); split.
  - rewrite P; cbn; rewrite (app_assoc (trues s) a), (app_assoc (trues s) a); symmetry; apply Permutation_middle.
  - intros x Hx; apply I; rewrite in_app_iff in *; cbn; tauto.
Qed.

Lemma in_free s w : right s -> within s -> In w q -> ~ In w (trues s) ->
  free (blocked s) w = true /\ within (take w s).
Proof.
  intros R (rest & P & I) H N; assert (In w rest) by (rewrite P, in_app_iff in H; tauto).
  split; [eapply rest_free | eapply rest_take]; eauto.
Qed.

Lemma covered s i : right s -> within s -> i < n -> W.get (blocked s) i = false ->
  exists w, In w all /\ W.get w i = true /\ free (blocked s) w = true /\ within (take w s).
Proof.
  intros R (rest & P & I) H B; rewrite (R i H), Nat.leb_gt in B.
  rewrite <- (q_exact i H), (count_permutation _ _ _ P), count_app in B; unfold count at 3 in B.
  destruct (filter (fun w => W.get w i) rest) as [|w l] eqn:E; [cbn in B; lia|].
  assert (In w rest /\ W.get w i = true) as (Hw & G) by (apply (filter_In (fun w => W.get w i)); rewrite E; now left).
  exists w; repeat split; auto; [eapply rest_free | eapply rest_take]; eauto.
Qed.

(** ** The replay *)

Definition known (s : state) : Prop := right s /\ within s /\ forall w, In w (outs s) -> ~ In w q.
Definition holds (c : clause) : Prop := (exists w, In w (fst c) /\ In w q) \/ (exists w, In w (snd c) /\ ~ In w q).

Lemma add_known s w s' : known s -> In w q -> add w s = Some s' -> known s'.
Proof.
  intros (R & I & O) H; unfold Checker.add; destruct (free (blocked s) w); [|easy].
  destruct (mem w (trues s)) eqn:T; [easy|]; intros [= <-]; repeat split; [now apply take_right| |easy].
  apply in_free; auto; rewrite <- mem_spec; congruence.
Qed.

Lemma add_all_known l s s' : known s -> incl l q -> add_all (single fields) (multiple fields) l s = Some s' -> known s'.
Proof.
  revert s; induction l as [|w l IH]; intros s K I; cbn [add_all]; [now intros [= <-]|].
  destruct (add w s) as [s1|] eqn:A; [|easy]; apply IH; [|intros x Hx; apply I; now right].
  eapply add_known; eauto; apply I; now left.
Qed.

Lemma open_spec s w : known s -> In w q -> open s w = true.
Proof.
  intros (R & I & O) H; unfold open; destruct (free (blocked s) w) eqn:F.
  - apply negb_true_iff, not_true_iff_false; rewrite mem_spec; intros X; now apply (O w).
  - apply mem_spec; destruct (mem w (trues s)) eqn:T; [now apply mem_spec|].
    destruct (in_free s w) as (X & _); auto; [rewrite <- mem_spec|]; congruence.
Qed.

(** A clause that holds, holds by one of what is left of it. *)
Lemma look_known s c : known s -> holds c ->
  match look (single fields) (multiple fields) c s with Absurd => False | Go s' => known s' | Stuck => True end.
Proof.
  intros K H; unfold look.
  assert (H' : (exists w, In w (filter (open s) (fst c)) /\ In w q) \/
               (exists w, In w (filter (fun w => negb (mem w (trues s))) (snd c)) /\ ~ In w q)).
  { destruct H as [(w & H & Q)|(w & H & Q)]; [left | right]; exists w; (split; [|easy]); apply filter_In; split; auto.
    - now apply open_spec.
    - apply negb_true_iff, not_true_iff_false; rewrite mem_spec; intros T; apply Q.
      destruct K as (_ & (rest & P & _) & _); rewrite P, in_app_iff; now left. }
  destruct (filter (open s) (fst c)) as [|w [|]], (filter _ (snd c)) as [|v [|]]; try easy.
  - now destruct H' as [(w & [] & _)|(w & [] & _)].
  - destruct H' as [(w & [] & _)|(w & [<-|[]] & Q)]; destruct K as (R & I & O).
    repeat split; auto; intros x [<-|X]; auto.
  - destruct H' as [(x & [<-|[]] & Q)|(x & [] & _)].
    destruct (add w s) eqn:A; [eapply add_known; eauto | easy].
Qed.

Lemma absurd_false t l s : everywhere holds t -> known s -> absurd (single fields) (multiple fields) t l s = true -> False.
Proof.
  intros A; revert s; induction l as [|h l IH]; intros s K; cbn [absurd]; [easy|].
  destruct (M.find h t) as [c|] eqn:F; [|easy]; assert (X := look_known s c K (A h c F)).
  destruct (look _ _ c s); [easy | now apply IH | easy].
Qed.

Lemma replay_false vars s t k l : right s -> within s -> everywhere holds t ->
  replay (single fields) (multiple fields) vars s t k l = None -> False.
Proof.
  intros R I; revert t k; induction l as [|a l IH]; intros t k A; cbn [replay]; [easy|].
  destruct (lookup vars (pos a)) as [ps|], (lookup vars (neg a)) as [ns|]; try easy.
  destruct (match add_all _ _ ns _ with Some s => _ | None => _ end) eqn:E; [|easy].
  assert (holds (ps, ns)) as H.
  { destruct (existsb (fun w => mem w q) ps) eqn:P; [|destruct (differ ns q) eqn:D].
    - left; apply existsb_exists in P as (w & Hw & Q%mem_spec); eauto.
    - right; now apply differ_spec in D.
    - exfalso; destruct (add_all _ _ ns _) as [s'|] eqn:S; [|easy].
      apply (absurd_false t (hints a) s'); auto; eapply add_all_known; eauto; [|now apply differ_not].
      repeat split; auto; intros w Hw Q; apply not_true_iff_false in P; apply P, existsb_exists.
      exists w; split; [exact Hw | now apply mem_spec]. }
  destruct ps, ns; cbn [is_empty andb]; try (apply IH, everywhere_add; [now apply everywhere_remove | exact H]).
  destruct H as [(w & [] & _)|(w & [] & _)].
Qed.

Definition has_all (vars : list W.t) (s : state) : Prop := forall w, In w all -> free (blocked s) w = true -> In w vars.

Lemma in_fields f : In f fields <-> exists i, i < n /\ f = (W.bit i, m i).
Proof. rewrite in_map_iff; setoid_rewrite in_seq; split; intros (i & ? & ?); exists i; split; auto; lia. Qed.

Lemma bit_free i s : i < n -> free s (W.bit i) = true -> W.get s i = false.
Proof. intros H F; rewrite free_spec in F; apply F; rewrite (W.get_bit n) by easy; apply Nat.eqb_refl. Qed.

Lemma clauses_hold listed vars s : right s -> within s -> has_all vars s ->
  (forall l, In l listed -> ~ incl l q) -> forall c, In c (clauses fields listed vars s) -> holds c.
Proof.
  intros R I V N c; unfold clauses; rewrite in_app_iff; intros [H|H].
  - apply in_map_iff in H as (f & <- & (Hf & F)%filter_In); apply in_fields in Hf as (i & Hi & ->).
    destruct (covered s i R I Hi (bit_free _ _ Hi F)) as (w & A & G & Fw & (rest & P & _)).
    left; exists w; cbn [fst]; split; [apply filter_In; split; [now apply V | now rewrite has_spec]|].
    rewrite P; now left.
  - apply in_map_iff in H as (l & <- & (Hl & _)%filter_In); right; cbn [snd].
    destruct (differ l q) eqn:D; [|now destruct (N l Hl); apply differ_not].
    apply differ_spec in D as (w & Hw & Q); exists w; split; [|easy]; apply filter_In; split; [easy|].
    apply negb_true_iff, not_true_iff_false; rewrite mem_spec; intros T; apply Q.
    destruct I as (rest & P & _); rewrite P, in_app_iff; now left.
Qed.

Lemma follow_right listed fuel : forall vars s nodes nodes', right s -> within s -> has_all vars s ->
  follow fields (single fields) (multiple fields) listed fuel vars s nodes = inr nodes' ->
  (forall l, In l listed -> ~ incl l q) -> False.
Proof.
  induction fuel as [|fuel IH]; intros vars s nodes nodes' R I V F N; [now destruct nodes|].
  destruct nodes as [|[item|lemmas] nodes]; cbn [follow] in F; [easy| |].
  - destruct (nth_error fields item) as [(bit, k)|] eqn:E; [|easy].
    assert (In (bit, k) fields) as (i & Hi & [= -> ->])%in_fields by (eapply nth_error_In; eauto).
    destruct (free (blocked s) (W.bit i)) eqn:B; [|easy].
    destruct (covered s i R I Hi (bit_free _ _ Hi B)) as (w & A & G & Fw & T).
    assert (In w (filter (has (W.bit i)) vars)) as Hw
      by (apply filter_In; split; [now apply V | now rewrite has_spec]).
    revert nodes F; induction (filter (has (W.bit i)) vars) as [|v l IHl]; [easy|]; intros nodes.
    destruct (follow _ _ _ listed fuel _ (take v s) nodes) as [|nodes1] eqn:E1; [easy|].
    destruct Hw as [->|Hw]; [intros _ | now apply IHl].
    eapply IH; [| |  | exact E1 | exact N]; [now apply take_right | easy|].
    intros x A' F'; apply filter_In; split; [apply V; auto | exact F'].
    rewrite free_spec in *; intros j Gj; specialize (F' j Gj).
    assert (j < n) as L by (eapply all_below; eauto); rewrite (take_right w s R j L) in F'; rewrite (R j L).
    rewrite Nat.leb_gt in *; revert F'; unfold count; cbn [trues Checker.take filter]; destruct (W.get w j); cbn [length]; lia.
  - destruct (numbered (clauses fields listed vars s) 1 (M.empty clause)) as (m0, k) eqn:E.
    destruct (replay _ _ _ s m0 k lemmas) eqn:X; [easy|].
    eapply replay_false; [exact R | exact I | | exact X].
    replace m0 with (fst (numbered (clauses fields listed vars s) 1%positive (M.empty clause))) by now rewrite E.
    apply everywhere_numbered; [now apply clauses_hold|]; intros j c; now rewrite M.gempty.
Qed.

End Tiling.
End Exact.

(** ** From words to tilings *)

Lemma pairwise_spec {A} (test : A -> A -> bool) l : pairwise test l = true <-> ForallOrdPairs (fun a b => test a b = true) l.
Proof.
  induction l as [|a l IH]; cbn; [split; [constructor | easy]|].
  rewrite andb_true_iff, forallb_forall, <- Forall_forall, IH; split; [intros []; now constructor | now inversion 1].
Qed.

Lemma first_failure_none {A} (test : A -> bool) k l : first_failure test k l = None -> forall a, In a l -> test a = true.
Proof.
  revert k; induction l as [|b l IH]; intros k F a; cbn in *; [easy|].
  destruct (test b) eqn:T; [|easy]; intros [<-|H]; [easy | eapply IH; eauto].
Qed.

Section Puzzle.
Context (p : puzzle) (wf : well_formed p) (room : W.room (items p) = true).
Notation n := (items p).
Notation words := (map (fun o => word (takes o))).

Lemma takes_below o x : In o (options p) -> In x (takes o) -> x < n.
Proof. intros H; destruct (options_ok p wf o H) as (_ & _ & B & F); unfold items in *; intros [<-|Hx%B]; lia. Qed.

Lemma get_takes o i : In o (options p) -> W.get (word (takes o)) i = true <-> In i (takes o).
Proof. intros H; apply (get_word n room); intros x; now apply takes_below. Qed.

Lemma count_words q i : incl q (options p) -> count i (words q) = times i (taken q).
Proof.
  induction q as [|o q IH]; intros I; [easy|]; rewrite taken_cons, times_app, <- IH by (intros x Hx; apply I; now right).
  assert (Ho : In o (options p)) by (apply I; now left).
  destruct (options_ok p wf o Ho) as (N & _); assert (G := get_takes o i Ho).
  assert (T := times_nodup i _ N); rewrite times_in in G.
  unfold count; cbn [map filter]; destruct (W.get (word (takes o)) i); cbn [length].
  - assert (1 <= times i (takes o)) by (now apply G); lia.
  - destruct (times i (takes o)); [easy|]; destruct G as (_ & G); discriminate G; lia.
Qed.

Lemma exactly_words q : incl q (options p) -> exactly n (start p) (words q) <-> exact q (start p).
Proof.
  intros I; unfold exactly, exact; split; intros H x; [|now rewrite count_words].
  destruct (le_lt_dec n x) as [L|L]; [|now rewrite <- count_words, H].
  rewrite start_beyond by easy; apply count_occ_not_In; intros (o & Ho & Hx)%taken_in.
  apply takes_below in Hx; [lia | now apply I].
Qed.

Lemma words_apart o o' : In o (options p) -> In o' (options p) -> word (takes o) = word (takes o') -> o = o'.
Proof. intros H H' E; apply (option_ext p wf); auto; intros x; rewrite <- !get_takes by easy; now rewrite E. Qed.

Lemma words_incl q q' : incl q (options p) -> incl q' (options p) -> incl (words q) (words q') -> incl q q'.
Proof.
  intros I I' W o Ho; assert (In (word (takes o)) (words q')) as (o' & E & Ho')%in_map_iff
    by (apply W, (in_map (fun o => word (takes o))), Ho).
  replace o with o'; [easy|]; apply words_apart; auto.
Qed.

Lemma exact_words_spec l : exact_words (fields_of p) l = true -> exactly n (start p) l /\ NoDup l.
Proof.
  unfold exact_words, fields_of; rewrite andb_true_iff, forallb_forall; intros (D & H); split.
  - intros i Hi; rewrite <- (crowd_spec n room) by easy; apply Nat.eqb_eq.
    apply (H (W.bit i, start p i)), in_fields; eauto.
  - apply pairwise_spec in D; clear H; induction D as [|w l F D IH]; constructor; auto.
    intros I; rewrite Forall_forall in F; specialize (F w I).
    rewrite negb_true_iff, <- not_true_iff_false, W.eqb_spec in F; now apply F.
Qed.

Theorem check_right r tilings nodes : Forall2 (@In (list cell)) r (categories p) ->
  check p r tilings nodes = None -> number_of_tilings p r (N.of_nat (length tilings)).
Proof.
  intros R; unfold check; set (fields := fields_of p).
  set (s := State (words (marks p r)) _ _); set (vars := filter _ _); set (table := fst _).
  set (listed := map _ tilings).
  destruct (first_failure _ 1 listed) eqn:F; [easy|]; destruct (pairwise differ listed) eqn:D; [|easy].
  destruct (follow _ _ _ _ _ _ _ _) as [|[|]] eqn:E; try easy; intros _.
  destruct (marks_spec p wf r R) as (ML & _); 
  assert (MI : incl (marks p r) (options p)) by (intros o Ho; apply in_app_iff; right; now apply ML).
  assert (PI : incl (place_options p) (options p)) by (intros o Ho; apply in_app_iff; now left).
  assert (Q : forall l, In l listed -> exists q, incl q (options p) /\ l = words q /\ exact q (start p) /\
    NoDup q /\ Permutation (filter (is_label p) q) (marks p r)).
  { intros l Hl; assert (X := first_failure_none _ _ _ F l Hl); apply andb_true_iff in X as (X0 & (X1 & X2)%exact_words_spec).
    apply in_map_iff in Hl as (t & <- & _); destruct (lookup table t) as [ws|] eqn:Lt; [|easy].
    assert (incl ws (words (place_options p))) as Iw.
    { refine (everywhere_lookup _ _ _ _ _ Lt); apply everywhere_numbered; [|intros j a; now rewrite M.gempty].
      intros x Hx; now apply filter_In in Hx. }
    destruct (forall_exists (fun w o => In o (place_options p) /\ word (takes o) = w) ws) as (os & Fo).
    { intros w Hw; apply Iw, in_map_iff in Hw as (o & ? & ?); now exists o. }
    assert (ws = words os /\ incl os (place_options p)) as (-> & Io).
    { clear - Fo; induction Fo as [|w o ws os (H & <-) Fo (-> & I)]; [easy|]; split; [easy|]; intros x [<-|]; auto. }
    rewrite <- map_app in *; exists (marks p r ++ os).
    assert (I : incl (marks p r ++ os) (options p)) by (intros o [|]%in_app_iff; auto).
    repeat split; auto; [now apply exactly_words | now apply NoDup_map_inv in X2|].
    rewrite filter_app, filter_all, filter_none, app_nil_r; auto.
    - intros o Ho; destruct (is_label p o) eqn:Lo; [|easy]; exfalso; assert (Lo' := Lo).
      apply (option_cells p wf) in Lo; [|auto]; apply (label_options_spec p) in Lo as (j & c & _ & _ & ->).
      assert (Ho' := Io _ Ho); apply (place_options_spec p wf) in Ho' as (i & c' & Hi & _ & _ & _ & _ & [= X _]); lia.
    - intros o Ho; apply (option_cells p wf); auto. }
  assert (K : length listed = length tilings) by apply map_length; clearbody listed.
  destruct (forall_exists _ _ Q) as (found & Fq); clear Q F.
  assert (L : listed = map (fun q => words q) found) by (clear - Fq; induction Fq as [|? ? ? ? (_ & -> & _) ? IH]; [easy|]; cbn [map]; now rewrite <- IH).
  assert (Ff : Forall (fun q => incl q (options p) /\ exact q (start p) /\ NoDup q /\
    Permutation (filter (is_label p) q) (marks p r)) found).
  { clear - Fq; induction Fq as [|? ? ? ? (? & _ & ?)]; constructor; auto. }
  replace (length tilings) with (length found) by (rewrite <- K, L; symmetry; apply map_length).
  subst listed; clear Fq; rewrite Forall_forall in Ff.
  apply (tilings_are_listed p wf); auto.
  - apply Forall_forall; intros q Hq; now destruct (Ff q Hq) as (? & ? & _ & ?).
  - apply pairwise_spec in D; clear - D; induction found as [|q found IH]; inversion_clear D as [|? ? H D']; constructor; auto.
    rewrite Forall_forall in *; intros q' Hq' P.
    specialize (H _ (in_map (fun q => words q) _ _ Hq')); apply differ_spec in H as (w & Hw & N).
    apply N; now rewrite <- P.
  - intros q Eq Iq Lq; assert (X := exactly_words q Iq); apply X in Eq as Wq; clear X.
    destruct (existsb (fun l => negb (differ l (words q))) (map (fun q => words q) found)) eqn:B.
    + apply existsb_exists in B as (l & (q' & <- & Hq')%in_map_iff & B%negb_true_iff%differ_not).
      destruct (Ff q' Hq') as (I' & E' & N' & _); apply words_incl in B; auto.
      apply Exists_exists; exists q'; split; [easy|]; symmetry; apply NoDup_Permutation_bis; auto.
      apply (exact_halves p wf) in Eq as (H1%Permutation_length & _), E' as (H2%Permutation_length & _); auto.
      rewrite map_length in *; lia.
    + exfalso; refine (follow_right n (start p) room (words (place_options p)) _ (words q) Wq _ _ _ _ _ _ _ _ _ E _).
      * intros w i (o & <- & Ho)%in_map_iff G; apply get_takes in G; auto; eapply takes_below; eauto.
      * intros i Hi; unfold s; cbn [blocked trues]; apply eq_iff_eq_true; unfold fields, fields_of.
        rewrite (get_spent n _ room), W.get_zero, in_seq, Nat.leb_le by (intros x Hx%in_seq; lia); split; [|intros; right; lia].
        intros [|]; easy.
      * exists (words (filter (fun o => negb (is_label p o)) q)); split.
        -- unfold s; cbn [trues]; rewrite <- map_app, <- Lq; apply Permutation_map.
           rewrite (filter_halves (is_label p) q) at 1; apply Permutation_app_comm.
        -- intros w (o & <- & (Ho & Lo)%filter_In)%in_map_iff; apply (in_map (fun o => word (takes o))).
           assert (X := Iq o Ho); apply in_app_iff in X as [|X]; [easy|].
           assert (is_label p o = true) as T by (now apply (option_cells p wf); [apply Iq|]); now rewrite T in Lo.
      * intros w Hw Fw; apply filter_In; now split.
      * intros l Hl I; apply not_true_iff_false in B; apply B, existsb_exists; exists l; split; [easy|].
        apply negb_true_iff, not_true_iff_false; intros (w & Hw & N)%differ_spec; now apply N, I.
Qed.
End Puzzle.
End Checker.

Module PureChecker. Include Checker Unbounded. End PureChecker.
Module FastChecker. Include Checker OneWord. End FastChecker.
Module WideChecker. Include Checker TwoWords. End WideChecker.

Definition certificate : Type := list (list positive) * list node.
Definition pure_check (p : puzzle) (r : list (list cell)) (c : certificate) : option refusal :=
  PureChecker.check p r (fst c) (snd c).
Definition fast_check (p : puzzle) (r : list (list cell)) (c : certificate) : option refusal :=
  if OneWord.room (items p) then FastChecker.check p r (fst c) (snd c)
  else if TwoWords.room (items p) then WideChecker.check p r (fst c) (snd c)
  else pure_check p r c.

(** ** The theorem that the program rests on *)

Definition guarded (check : puzzle -> list (list cell) -> certificate -> option refusal)
  (p : puzzle) (r : list (list cell)) (c : certificate) : option refusal :=
  match fault_of p with
  | Some f => Some (Faulty f)
  | None => if is_reveal r (categories p) then check p r c else Some (Faulty NotAReveal)
  end.

Lemma guarded_right check p r c : (well_formed p -> Forall2 (@In (list cell)) r (categories p) ->
  check p r c = None -> number_of_tilings p r (N.of_nat (length (fst c)))) ->
  guarded check p r c = None -> number_of_tilings p r (N.of_nat (length (fst c))).
Proof.
  intros H; unfold guarded; destruct (fault_of p) eqn:F; [easy|]; apply fault_of_none in F.
  destruct (is_reveal r (categories p)) eqn:R; [|easy]; apply is_reveal_spec in R; now apply H.
Qed.

Theorem pure_check_right p r c : guarded pure_check p r c = None ->
  number_of_tilings p r (N.of_nat (length (fst c))).
Proof. apply guarded_right; intros W; now apply PureChecker.check_right. Qed.

Theorem fast_check_right p r c : guarded fast_check p r c = None ->
  number_of_tilings p r (N.of_nat (length (fst c))).
Proof.
  apply guarded_right; intros W R; unfold fast_check.
  destruct (OneWord.room _) eqn:R1; [now apply FastChecker.check_right|].
  destruct (TwoWords.room _) eqn:R2; [now apply WideChecker.check_right | now apply PureChecker.check_right].
Qed.
