(** Where pieces can lie on a board, computed, and which pieces are alike. A place is written as
    the increasing list of the positions, in the board's list, of its cells. *)
From Coq Require Import List ZArith Permutation Lia Bool Arith.
From Satcal Require Import Spec.
Import ListNotations.
Open Scope Z_scope.

Definition cell_eqb (a b : cell) : bool := (fst a =? fst b) && (snd a =? snd b).

Lemma cell_eqb_spec a b : cell_eqb a b = true <-> a = b.
Proof.
  unfold cell_eqb; destruct a, b; cbn [fst snd].
  rewrite andb_true_iff, !Z.eqb_eq; split; [intros []; congruence | now intros [= -> ->]].
Qed.

Definition cell_dec (a b : cell) : {a = b} + {a <> b}.
Proof.
  destruct (cell_eqb a b) eqn:E; [left | right]; rewrite <- cell_eqb_spec; congruence.
Defined.

Definition mem (c : cell) (l : list cell) : bool := existsb (cell_eqb c) l.
Definition inside (l board : list cell) : bool := forallb (fun c => mem c board) l.
Fixpoint distinct (l : list cell) : bool :=
  match l with [] => true | c :: l => negb (mem c l) && distinct l end.

Lemma mem_spec c l : mem c l = true <-> In c l.
Proof.
  unfold mem; rewrite existsb_exists; split.
  - now intros (d & H & ->%cell_eqb_spec).
  - intros H; exists c; now rewrite cell_eqb_spec.
Qed.

Lemma inside_spec l b : inside l b = true <-> incl l b.
Proof. unfold inside, incl; rewrite forallb_forall; now setoid_rewrite mem_spec. Qed.

Lemma distinct_spec l : distinct l = true <-> NoDup l.
Proof.
  induction l as [|c l IH]; cbn; [split; auto using NoDup_nil|].
  rewrite andb_true_iff, negb_true_iff, IH, <- not_true_iff_false, mem_spec.
  split; [intros []; now constructor | now inversion 1].
Qed.

(** * Orientations *)

Definition minus (a b : cell) : cell := (fst a - fst b, snd a - snd b).

Lemma minus_shift a b : minus (shift a b) b = a.
Proof. destruct a; unfold shift, minus; cbn [fst snd]; f_equal; lia. Qed.

Lemma shift_shift a b c : shift a (shift b c) = shift (shift a b) c.
Proof. unfold shift; cbn [fst snd]; f_equal; lia. Qed.

Lemma orientations_nonempty p o : drawing p <> [] -> In o (orientations p) -> o <> [].
Proof.
  unfold orientations; rewrite in_flat_map; intros H (f & Hf & (n & <- & _)%in_map_iff) E.
  apply map_eq_nil in E; subst f; cbn in Hf; destruct Hf as [E|Hf]; [now rewrite E in H|].
  destruct (may_flip p); cbn in Hf; [|easy].
  destruct Hf as [E%map_eq_nil|[]]; now rewrite E in H.
Qed.

Lemma covers_shift p by_ cells : covers p cells -> covers p (map (shift by_) cells).
Proof.
  intros (o & v & Ho & H); exists o, (shift by_ v); split; [easy|].
  rewrite (Permutation_map (shift by_) H), map_map.
  erewrite map_ext; [easy | intros; apply shift_shift].
Qed.

Lemma covers_permutation p a b : Permutation a b -> covers p a -> covers p b.
Proof. intros H (o & v & Ho & Ha); exists o, v; split; [easy|]; now rewrite <- H. Qed.

(** * Pieces that are alike *)

Definition count (c : cell) (l : list cell) : nat := length (filter (cell_eqb c) l).

Lemma count_occ_count c l : count c l = count_occ cell_dec l c.
Proof.
  unfold count; induction l as [|d l IH]; cbn [filter count_occ]; [easy|].
  destruct (cell_dec d c) as [->|N].
  - now rewrite (proj2 (cell_eqb_spec c c) eq_refl); cbn; rewrite IH.
  - destruct (cell_eqb c d) eqn:E; [apply cell_eqb_spec in E; congruence | easy].
Qed.

Definition permuted (a b : list cell) : bool :=
  forallb (fun c => Nat.eqb (count c a) (count c b)) (a ++ b).

Lemma permuted_spec a b : permuted a b = true <-> Permutation a b.
Proof.
  unfold permuted; rewrite forallb_forall, (Permutation_count_occ cell_dec); split.
  - intros H c; rewrite <- !count_occ_count.
    destruct (in_dec cell_dec c (a ++ b)) as [I|I]; [now apply Nat.eqb_eq, H|].
    rewrite in_app_iff in I; rewrite !count_occ_count.
    now rewrite !(proj1 (count_occ_not_In cell_dec _ c)) by tauto.
  - intros H c _; rewrite !count_occ_count; now apply Nat.eqb_eq.
Qed.

Definition covered_by (p : piece) (cells : list cell) : bool :=
  existsb (fun o => existsb (fun c => permuted cells (map (shift (minus (hd (0, 0) cells) c)) o)) o)
    (orientations p).

Lemma covered_by_spec p cells : cells <> [] -> covered_by p cells = true <-> covers p cells.
Proof.
  intros N; unfold covered_by, covers; rewrite existsb_exists; split.
  - intros (o & Ho & (c & _ & H%permuted_spec)%existsb_exists); eauto.
  - intros (o & v & Ho & H); exists o; split; [easy|].
    apply existsb_exists; destruct cells as [|x cells]; [easy|].
    assert (Hx : In x (map (shift v) o)) by (rewrite <- H; now left).
    apply in_map_iff in Hx as (c & Hc & Ic); exists c; split; [easy|].
    cbn [hd]; rewrite <- Hc, minus_shift, Hc; now apply permuted_spec.
Qed.

Definition alikeb (p q : piece) : bool :=
  forallb (covered_by q) (orientations p) && forallb (covered_by p) (orientations q).

Lemma covers_all p q : drawing p <> [] ->
  forallb (covered_by q) (orientations p) = true <-> forall cells, covers p cells -> covers q cells.
Proof.
  intros N; rewrite forallb_forall; split.
  - intros H cells (o & v & Ho & E).
    specialize (H o Ho); apply covered_by_spec in H; [|eapply orientations_nonempty; eauto].
    eapply covers_permutation; [symmetry; exact E | now apply covers_shift].
  - intros H o Ho; apply covered_by_spec; [eapply orientations_nonempty; eauto|].
    apply H; exists o, (0, 0); split; [easy|].
    erewrite map_ext; [now rewrite map_id|]; now intros [].
Qed.

Lemma alikeb_spec p q : drawing p <> [] -> drawing q <> [] -> alikeb p q = true <-> alike p q.
Proof.
  intros Np Nq; unfold alikeb, alike; rewrite andb_true_iff, !covers_all by easy.
  split; [intros [] cells; split; auto | intros H; split; intros cells; apply H].
Qed.

(** The kind of a piece: the number of the first piece that it is like. *)
Fixpoint kind (all : list piece) (p : piece) : nat :=
  match all with [] => O | q :: all => if alikeb q p then O else S (kind all p) end.

Lemma kind_spec all p : (forall q, In q all -> drawing q <> []) -> In p all ->
  (kind all p < length all)%nat /\ alike (nth (kind all p) all p) p.
Proof.
  induction all as [|q all IH]; intros N I; [easy|]; cbn [kind length].
  destruct (alikeb q p) eqn:E.
  - split; [lia|]; cbn [nth]; apply alikeb_spec; [apply N; now left | now apply N | easy].
  - assert (In p all) as J.
    { destruct I as [->|J]; [|easy].
      assert (alikeb p p = true) by (apply alikeb_spec; auto with datatypes; intros ?; reflexivity); congruence. }
    destruct IH as (H1 & H2); auto; [intros; apply N; now right|]; split; [lia | easy].
Qed.

Lemma kind_alike all p q : (forall q, In q all -> drawing q <> []) -> In p all -> In q all ->
  alike p q <-> kind all p = kind all q.
Proof.
  intros N Ip Iq; split.
  - intros A; assert (forall all', incl all' all -> kind all' p = kind all' q) as H.
    { induction all' as [|r all' IH]; intros J; [easy|]; cbn [kind].
      assert (In r all) by (apply J; now left).
      replace (alikeb r p) with (alikeb r q).
      - rewrite IH; [easy|]; intros x Hx; apply J; now right.
      - apply eq_iff_eq_true; rewrite !alikeb_spec by auto.
        unfold alike in *; split; intros H1 cells; specialize (H1 cells); specialize (A cells); tauto. }
    now apply H.
  - intros E; destruct (kind_spec all p N Ip) as (Hp & Ap), (kind_spec all q N Iq) as (Hq & Aq).
    rewrite E in Ap, Hp; rewrite (nth_indep _ p q Hp) in Ap; unfold alike in *.
    intros cells; specialize (Ap cells); specialize (Aq cells); tauto.
Qed.

(** * Places *)

Section Board.
Context (board : list cell).

Definition at_ (i : nat) : cell := nth i board (0, 0).
Definition cells_at (positions : list nat) : list cell := map at_ positions.
Definition positions (cells : list cell) : list nat :=
  filter (fun i => mem (at_ i) cells) (seq 0 (length board)).

Definition near (c : cell) : list nat :=
  positions (map (fun d => shift d c) [(-1, 0); (0, -1); (0, 1); (1, 0)]).

Fixpoint once (l : list (list nat)) : list (list nat) :=
  match l with
  | [] => []
  | a :: l => a :: filter (fun b => negb (if list_eq_dec Nat.eq_dec a b then true else false)) (once l)
  end.

(** The places of a piece, by orientation, then by the position of the drawing's first cell. *)
Definition places (p : piece) : list (list nat) :=
  once (flat_map (fun o =>
    flat_map (fun x =>
      let cells := map (shift (minus x (hd (0, 0) o))) o in
      if inside cells board && distinct cells then [positions cells] else []) board)
    (orientations p)).

Lemma once_spec l : NoDup (once l) /\ forall a, In a (once l) <-> In a l.
Proof.
  induction l as [|a l (N & I)]; cbn [once]; [split; [constructor | easy]|]; split.
  - constructor; [|now apply NoDup_filter].
    rewrite filter_In; intros (_ & H); now destruct (list_eq_dec Nat.eq_dec a a).
  - intros b; cbn [In]; rewrite filter_In, I; destruct (list_eq_dec Nat.eq_dec a b) as [->|D]; cbn; tauto.
Qed.

Lemma positions_spec cells i :
  In i (positions cells) <-> (i < length board)%nat /\ In (at_ i) cells.
Proof. unfold positions; rewrite filter_In, in_seq, mem_spec; split; intros []; split; auto; lia. Qed.

Lemma positions_nodup cells : NoDup (positions cells).
Proof. apply NoDup_filter, seq_NoDup. Qed.

Lemma positions_permutation a b : Permutation a b -> positions a = positions b.
Proof.
  intros H; apply filter_ext; intros i; apply eq_iff_eq_true; rewrite !mem_spec.
  split; apply Permutation_in; [easy | now symmetry].
Qed.

Context (board_nodup : NoDup board).

Lemma at_injective i j : (i < length board)%nat -> (j < length board)%nat -> at_ i = at_ j -> i = j.
Proof. intros; now apply (proj1 (NoDup_nth board (0, 0)) board_nodup). Qed.

Lemma cells_at_all : cells_at (seq 0 (length board)) = board.
Proof.
  unfold cells_at; apply nth_ext with (d := at_ 0) (d' := (0, 0)); rewrite map_length, seq_length; auto.
  intros n Hn; rewrite map_nth, seq_nth; auto.
Qed.

Lemma cells_at_positions cells :
  NoDup cells -> incl cells board -> Permutation (cells_at (positions cells)) cells.
Proof.
  intros N I; apply NoDup_Permutation; auto.
  - unfold cells_at; generalize (positions_nodup cells).
    assert (forall i, In i (positions cells) -> (i < length board)%nat) as B
      by (intros i Hi; now apply positions_spec in Hi).
    induction (positions cells) as [|i l IH]; intros D; [constructor|]; cbn [map].
    inversion_clear D as [|? ? D1 D2]; constructor; [|apply IH; auto; intros; apply B; now right].
    intros (j & E & J)%in_map_iff; apply at_injective in E; subst; auto; apply B; cbn; auto.
  - intros c; unfold cells_at; rewrite in_map_iff; split.
    + now intros (i & <- & Hi%positions_spec).
    + intros Hc; destruct (In_nth board c (0, 0) (I c Hc)) as (i & Hi & E).
      exists i; split; [easy|]; apply positions_spec; unfold at_; now rewrite E.
Qed.

Lemma places_spec p ps : drawing p <> [] ->
  In ps (places p) <->
  exists cells, covers p cells /\ incl cells board /\ NoDup cells /\ ps = positions cells.
Proof.
  intros NE; unfold places; rewrite (proj2 (once_spec _)), in_flat_map; split.
  - intros (o & Ho & (x & Hx & H)%in_flat_map).
    destruct (inside _ board) eqn:E1, (distinct _) eqn:E2; cbn in H; try easy.
    destruct H as [<-|[]]; apply inside_spec in E1; apply distinct_spec in E2.
    eexists; repeat split; eauto; exists o; eauto.
  - intros (cells & (o & v & Ho & P) & I & N & ->); exists o; split; [easy|].
    assert (O := orientations_nonempty p o NE Ho); destruct o as [|h o]; [easy|].
    apply in_flat_map; exists (shift v h); split.
    + apply I; rewrite P; now left.
    + cbn [hd]; rewrite minus_shift.
      rewrite (proj2 (inside_spec _ _)), (proj2 (distinct_spec _)).
      * left; symmetry; now apply positions_permutation.
      * eapply Permutation_NoDup; eauto.
      * intros c Hc; apply I; now rewrite P.
Qed.

Lemma places_nodup p : NoDup (places p).
Proof. apply once_spec. Qed.

End Board.
