(** The theorems about whole puzzles, and the programs that they are about. *)
From Coq Require Import List ZArith Permutation Lia Bool Arith.
From Satcal Require Import Spec Places Cover Tilings Words Counter.
Import ListNotations.
Local Open Scope nat_scope.

(** One counter for each kind of words; [Include] makes plain functions of them. *)
Module Pure. Include Counter Unbounded. End Pure.
Module Fast. Include Counter OneWord. End Fast.
Module Wide. Include Counter TwoWords. End Wide.

(** * Puzzles that are refused, and why *)

Inductive fault := CellTwice | EmptyPiece | BadLabel | LabelsOverlap | OtherCells | NotAReveal.

Definition explains (p : puzzle) (f : fault) : Prop :=
  match f with
  | CellTwice => ~ NoDup (board p)
  | EmptyPiece => exists q, In q (pieces p) /\ drawing q = []
  | BadLabel => exists c l, In c (categories p) /\ In l c /\ ~ (l <> [] /\ NoDup l /\ incl l (board p))
  | LabelsOverlap => ~ NoDup (map first_cell (label_options p))
  | OtherCells | NotAReveal => True
  end.

Definition is_empty {A} (l : list A) : bool := match l with [] => true | _ => false end.
Fixpoint apart (l : list nat) : bool :=
  match l with [] => true | a :: l => negb (existsb (Nat.eqb a) l) && apart l end.
Definition good_label (p : puzzle) (l : list cell) : bool :=
  negb (is_empty l) && distinct l && inside l (board p).

Definition fault_of (p : puzzle) : option fault :=
  if negb (distinct (board p)) then Some CellTwice
  else if existsb (fun q => is_empty (drawing q)) (pieces p) then Some EmptyPiece
  else if existsb (existsb (fun l => negb (good_label p l))) (categories p) then Some BadLabel
  else if negb (apart (map first_cell (label_options p))) then Some LabelsOverlap
  else None.

Lemma is_empty_spec {A} (l : list A) : is_empty l = true <-> l = [].
Proof. now destruct l. Qed.

Lemma apart_spec l : apart l = true <-> NoDup l.
Proof.
  induction l as [|a l IH]; cbn; [split; auto using NoDup_nil|].
  rewrite andb_true_iff, IH, negb_true_iff, <- not_true_iff_false, existsb_exists.
  split; [intros (N & D); constructor; [|easy] | inversion_clear 1; split; [|easy]].
  - intros I; apply N; exists a; now rewrite Nat.eqb_refl.
  - now intros (x & I & <-%Nat.eqb_eq).
Qed.

Lemma good_label_spec p l : good_label p l = true <-> l <> [] /\ NoDup l /\ incl l (board p).
Proof.
  unfold good_label; rewrite !andb_true_iff, negb_true_iff, distinct_spec, inside_spec.
  rewrite <- not_true_iff_false, is_empty_spec; tauto.
Qed.

Theorem fault_of_explains p f : fault_of p = Some f -> explains p f.
Proof.
  unfold fault_of.
  destruct (distinct (board p)) eqn:E1; cbn [negb];
    [|intros [= <-]; cbn; rewrite <- distinct_spec; congruence].
  destruct (existsb _ (pieces p)) eqn:E2;
    [intros [= <-]; apply existsb_exists in E2 as (q & Hq & E2%is_empty_spec); now exists q|].
  destruct (existsb _ (categories p)) eqn:E3.
  { intros [= <-]; apply existsb_exists in E3 as (c & Hc & (l & Hl & E3)%existsb_exists).
    exists c, l; rewrite <- good_label_spec; repeat split; auto; now destruct (good_label p l). }
  destruct (apart _) eqn:E4; cbn [negb]; [easy|].
  intros [= <-]; cbn; rewrite <- apart_spec; congruence.
Qed.

Ltac branches := repeat match goal with |- context [if ?b then _ else _] => destruct b end.

Theorem fault_of_none p : fault_of p = None <-> well_formed p.
Proof.
  split.
  - unfold fault_of.
    destruct (distinct (board p)) eqn:E1; cbn [negb]; [|easy].
    destruct (existsb _ (pieces p)) eqn:E2; [easy|].
    destruct (existsb _ (categories p)) eqn:E3; [easy|].
    destruct (apart _) eqn:E4; [intros _ | easy].
    apply distinct_spec in E1; apply apart_spec in E4; constructor; auto.
    + intros q Hq E; apply not_true_iff_false in E2; apply E2, existsb_exists.
      exists q; split; [easy | now apply is_empty_spec].
    + intros c l Hc Hl; rewrite <- good_label_spec; destruct (good_label p l) eqn:G; [easy|].
      apply not_true_iff_false in E3; exfalso; apply E3, existsb_exists; exists c; split; [easy|].
      apply existsb_exists; exists l; now rewrite G.
  - intros [W1 W2 W3 W4]; destruct (fault_of p) as [f|] eqn:E; [exfalso | easy].
    assert (E' := E); apply fault_of_explains in E; destruct f; cbn in E; try easy.
    + destruct E as (q & Hq & E); now apply (W2 q).
    + destruct E as (c & l & Hc & Hl & E); now apply E, (W3 c).
    + revert E'; unfold fault_of; now branches.
    + revert E'; unfold fault_of; now branches.
Qed.

(** * The order of the board's cells is only data. *)

Definition arranged (p : puzzle) (order : list cell) : puzzle := Puzzle order (categories p) (pieces p).

Lemma number_arranged p order r n : Permutation order (board p) ->
  number_of_tilings (arranged p order) r n -> number_of_tilings p r n.
Proof.
  intros P.
  assert (forall t, tiling (arranged p order) r t <-> tiling p r t) as T.
  { intros t; unfold tiling; cbn [arranged board categories pieces].
    split; intros (H1 & H2 & H3 & H4); repeat split; auto; [now rewrite H4 | now rewrite H4, P]. }
  intros (l & L & F & O & A); exists l; repeat split; auto.
  - revert F; apply Forall_impl; intros; now apply T.
  - intros t H; now apply A, T.
Qed.

(** * Every reveal of a puzzle *)

Definition fast_counts (largest : nat) (p : puzzle) : list (list (list cell) * N) :=
  if OneWord.room (Fast.width p) then Fast.counts p largest
  else if TwoWords.room (Wide.width p) then Wide.counts p largest
  else Pure.counts p largest.

Definition rows_right (p : puzzle) (rows : list (list (list cell) * N)) : Prop :=
  Forall (fun row => number_of_tilings p (fst row) (snd row)) rows /\
  forall r, In r (map fst rows) <-> Forall2 (@In (list cell)) r (categories p).

Lemma fast_counts_right largest p : well_formed p -> rows_right p (fast_counts largest p).
Proof.
  intros W; unfold fast_counts.
  destruct (OneWord.room _) eqn:R1; [now apply Fast.counts_correct|].
  destruct (TwoWords.room _) eqn:R2; [now apply Wide.counts_correct | now apply Pure.counts_correct].
Qed.

(** The same without any axiom, for Coq's own evaluation. *)
Definition pure_counts (largest : nat) (p : puzzle) : list (list (list cell) * N) := Pure.counts p largest.

Lemma pure_counts_right largest p : well_formed p -> rows_right p (pure_counts largest p).
Proof. intros W; now apply Pure.counts_correct. Qed.

(** [counter] is one of the two above; [order] is the board's cells in the order to be covered. *)
Definition every_reveal (counter : puzzle -> list (list (list cell) * N)) (p : puzzle) (order : list cell) :
  fault + list (list (list cell) * N) :=
  if permuted order (board p) then
    match fault_of (arranged p order) with
    | Some f => inl f
    | None => inr (counter (arranged p order))
    end
  else inl OtherCells.

Theorem every_reveal_right counter p order rows :
  (forall q, well_formed q -> rows_right q (counter q)) ->
  every_reveal counter p order = inr rows -> rows_right p rows.
Proof.
  unfold every_reveal; intros S; destruct (permuted _ _) eqn:P; [|easy]; apply permuted_spec in P.
  destruct (fault_of _) eqn:F; [easy|]; apply fault_of_none in F; intros [= <-].
  destruct (S _ F) as (H1 & H2); split; [|exact H2].
  revert H1; apply Forall_impl; intros row; now apply number_arranged.
Qed.

Theorem every_reveal_refuses counter p order f : every_reveal counter p order = inl f ->
  explains (arranged p order) f /\ (f = OtherCells -> ~ Permutation order (board p)).
Proof.
  unfold every_reveal; destruct (permuted _ _) eqn:P.
  - destruct (fault_of _) eqn:F; [|easy]; intros [= <-].
    split; [now apply fault_of_explains|]; intros ->; revert F; unfold fault_of; now branches.
  - intros [= <-]; split; [easy|]; rewrite <- permuted_spec; congruence.
Qed.

(** * One reveal *)

Definition cells_eqb (a b : list cell) : bool := if list_eq_dec cell_dec a b then true else false.

Fixpoint is_reveal (r : list (list cell)) (cs : list (list (list cell))) : bool :=
  match r, cs with
  | [], [] => true
  | l :: r, c :: cs => existsb (cells_eqb l) c && is_reveal r cs
  | _, _ => false
  end.

Lemma is_reveal_spec r cs : is_reveal r cs = true <-> Forall2 (@In (list cell)) r cs.
Proof.
  revert cs; induction r as [|l r IH]; intros [|c cs]; cbn; try (split; [easy | now inversion 1]).
  assert (existsb (cells_eqb l) c = true <-> In l c) as E.
  { rewrite existsb_exists; unfold cells_eqb; split.
    - intros (x & Hx & E); now destruct (list_eq_dec cell_dec l x); subst.
    - intros H; exists l; split; [easy|]; now destruct (list_eq_dec cell_dec l l). }
  rewrite andb_true_iff, E, IH; split; [intros []; now constructor | now inversion 1].
Qed.

Definition narrowed (p : puzzle) (r : list (list cell)) : puzzle :=
  Puzzle (board p) (map (fun l => [l]) r) (pieces p).

Lemma number_narrowed p r n : Forall2 (@In (list cell)) r (categories p) ->
  number_of_tilings (narrowed p r) r n -> number_of_tilings p r n.
Proof.
  intros R.
  assert (R' : Forall2 (@In (list cell)) r (map (fun l => [l]) r)).
  { clear; induction r; cbn; constructor; [now left | easy]. }
  assert (forall t, tiling (narrowed p r) r t <-> tiling p r t) as T.
  { intros t; unfold tiling; cbn [narrowed board categories pieces]; tauto. }
  intros (l & L & F & O & A); exists l; repeat split; auto.
  - revert F; apply Forall_impl; intros; now apply T.
  - intros t H; now apply A, T.
Qed.

Definition one_reveal (counter : puzzle -> list (list (list cell) * N)) (p : puzzle) (order : list cell)
  (r : list (list cell)) : fault + N :=
  if is_reveal r (categories p) then
    match every_reveal counter (narrowed p r) order with
    | inl f => inl f
    | inr rows => match rows with [(_, n)] => inr n | _ => inl NotAReveal end
    end
  else inl NotAReveal.

Theorem one_reveal_right counter p order r n :
  (forall q, well_formed q -> rows_right q (counter q)) ->
  one_reveal counter p order r = inr n -> number_of_tilings p r n.
Proof.
  unfold one_reveal; intros S; destruct (is_reveal _ _) eqn:R; [|easy]; apply is_reveal_spec in R.
  destruct (every_reveal _ _ _) as [|rows] eqn:E; [easy|]; apply every_reveal_right in E as (H & I); auto.
  destruct rows as [|(r', m) [|]]; try easy; intros [= ->].
  apply number_narrowed; auto.
  specialize (I r'); cbn in I; destruct I as (I & _); specialize (I (or_introl eq_refl)).
  inversion_clear H as [|? ? H1 _]; cbn [fst snd] in H1.
  enough (r' = r) by (now subst); clear - I; revert r' I.
  induction r as [|l r IH]; intros r' I; cbn in I; inversion I as [|x ? s ? Hx Hs]; subst; [easy|].
  f_equal; [now destruct Hx as [->|[]] | now apply IH].
Qed.
