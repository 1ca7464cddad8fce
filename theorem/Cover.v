(** Exact covers. Items are numbers; items below [cells] are the cells of a board in order. An
    option takes one item that is no cell (its piece, or its category) and some cells. [paths]
    takes for the first uncovered cell each option that fits, and so finds every exact cover once. *)
From Coq Require Import List Permutation Lia Bool Arith.
Import ListNotations.

Notation option_ := (nat * list nat)%type.
Definition takes (o : option_) : list nat := fst o :: snd o.
Definition times (x : nat) (l : list nat) : nat := count_occ Nat.eq_dec l x.

(** A need says how often each item is still to be taken. *)
Definition need : Type := nat -> nat.
Definition taken (q : list option_) : list nat := flat_map takes q.
Definition exact (q : list option_) (c : need) : Prop := forall x, times x (taken q) = c x.

Definition fits (o : option_) (c : need) : bool := forallb (fun x => 1 <=? c x) (takes o).
Definition after (o : option_) (c : need) : need := fun x => c x - times x (takes o).
Definition starts (k : nat) (o : option_) : bool :=
  existsb (Nat.eqb k) (snd o) && forallb (Nat.leb k) (snd o).

(** Steps through [n] cells from cell [k] on. *)
Fixpoint paths (items : nat) (options : list option_) (n k : nat) (c : need) : list (list option_) :=
  match n with
  | O => if forallb (fun x => c x =? 0) (seq 0 items) then [[]] else []
  | S n =>
    if c k =? 0 then paths items options n (S k) c
    else flat_map (fun o => if fits o c
                            then map (cons o) (paths items options n (S k) (after o c)) else [])
           (filter (starts k) options)
  end.

Lemma times_app x a b : times x (a ++ b) = times x a + times x b.
Proof. apply count_occ_app. Qed.

Lemma times_in x l : In x l <-> 1 <= times x l.
Proof. unfold times; rewrite (count_occ_In Nat.eq_dec); lia. Qed.

Lemma times_nodup x l : NoDup l -> times x l <= 1.
Proof. intros H; now apply NoDup_count_occ with (decA := Nat.eq_dec). Qed.

Lemma taken_cons o q : taken (o :: q) = takes o ++ taken q.
Proof. reflexivity. Qed.

Lemma taken_permutation q q' : Permutation q q' -> Permutation (taken q) (taken q').
Proof. apply Permutation_flat_map. Qed.

Lemma times_permutation x a b : Permutation a b -> times x a = times x b.
Proof. intros H; now apply Permutation_count_occ. Qed.

Lemma taken_in q x : In x (taken q) <-> exists o, In o q /\ In x (takes o).
Proof. apply in_flat_map. Qed.

Lemma exact_permutation q q' c : Permutation q q' -> exact q c -> exact q' c.
Proof.
  intros P E x; rewrite <- (E x); apply times_permutation, taken_permutation; now symmetry.
Qed.

Lemma fits_spec o c : fits o c = true <-> forall x, In x (takes o) -> 1 <= c x.
Proof.
  unfold fits; rewrite forallb_forall; split; intros H x Hx; specialize (H x Hx);
    now apply Nat.leb_le.
Qed.

Lemma starts_spec k o : starts k o = true <-> In k (snd o) /\ forall x, In x (snd o) -> k <= x.
Proof.
  unfold starts; rewrite andb_true_iff, existsb_exists, forallb_forall; split.
  - intros ((x & Hx & ->%Nat.eqb_eq) & H); split; [easy|]; intros y Hy; now apply Nat.leb_le, H.
  - intros (H1 & H2); split; [exists k; now rewrite Nat.eqb_refl|]; intros y Hy; now apply Nat.leb_le, H2.
Qed.

Lemma exact_after o q c : NoDup (takes o) -> (forall x, In x (takes o) -> 1 <= c x) ->
  exact q (after o c) <-> exact (o :: q) c.
Proof.
  intros N F; unfold exact, after; setoid_rewrite taken_cons; setoid_rewrite times_app.
  split; intros H x; specialize (H x); [|lia].
  destruct (in_dec Nat.eq_dec x (takes o)) as [I|I]; [assert (H1 := times_nodup x _ N); specialize (F x I); lia|].
  rewrite times_in in I; lia.
Qed.

Lemma nodup_left {A} (l m : list A) : NoDup (l ++ m) -> NoDup l.
Proof.
  induction l as [|a l IH]; cbn; [constructor|]; inversion_clear 1 as [|? ? N D]; constructor; auto.
  rewrite in_app_iff in N; tauto.
Qed.

Lemma nodup_app {A} (l m : list A) : NoDup l -> NoDup m -> (forall x, In x l -> ~ In x m) -> NoDup (l ++ m).
Proof.
  induction l as [|y l IH]; intros N M D; [easy|]; inversion_clear N; cbn; constructor.
  - rewrite in_app_iff; intros [|]; [easy|]; now apply (D y); [left|].
  - apply IH; auto; intros x Hx; apply D; now right.
Qed.

Lemma nodup_flat_map {A B} (f : A -> list B) l : NoDup l ->
  (forall a, In a l -> NoDup (f a)) ->
  (forall a b x, In a l -> In b l -> In x (f a) -> In x (f b) -> a = b) -> NoDup (flat_map f l).
Proof.
  induction l as [|a l IH]; intros N H D; [constructor|]; cbn; inversion_clear N.
  apply nodup_app; [apply H; now left | apply IH; auto with datatypes |].
  - intros b c x Hb Hc; apply D; now right.
  - intros x Hx (b & Hb & Hxb)%in_flat_map; assert (a = b) by (eapply D; cbn; eauto); now subst.
Qed.

Section Cover.
Context (items cells : nat) (options : list option_).
Context (cells_items : cells <= items).
Context (options_ok : forall o, In o options ->
  NoDup (takes o) /\ snd o <> [] /\ (forall x, In x (snd o) -> x < cells) /\ cells <= fst o < items).

(** ** Every path is an exact cover. *)

Lemma paths_exact n k c q : In q (paths items options n k c) ->
  (forall x, items <= x -> c x = 0) -> exact q c /\ incl q options.
Proof.
  revert k c q; induction n as [|n IH]; intros k c q H Z; cbn [paths] in H.
  - destruct (forallb _ _) eqn:E; [|easy]; destruct H as [<-|[]]; split; [|easy].
    intros x; cbn; rewrite forallb_forall in E; destruct (le_lt_dec items x); [now rewrite Z|].
    symmetry; apply Nat.eqb_eq, E, in_seq; lia.
  - destruct (c k =? 0) eqn:E; [now apply IH in H|].
    apply in_flat_map in H as (o & (Ho & S)%filter_In & H).
    destruct (fits o c) eqn:F; [|easy]; apply in_map_iff in H as (q' & <- & H).
    apply IH in H as (H1 & H2).
    + split; [|intros x [<-|Hx]; auto].
      apply exact_after; [now apply options_ok | now apply fits_spec | easy].
    + intros x Hx; unfold after; rewrite Z by easy; lia.
Qed.

(** ** Every exact cover is a path, in some order. *)

Lemma paths_complete n k c q : exact q c -> incl q options -> k + n = cells ->
  (forall x, x < k -> c x = 0) -> (forall x, x < cells -> c x <= 1) ->
  (forall x, items <= x -> c x = 0) ->
  exists q', Permutation q q' /\ In q' (paths items options n k c).
Proof.
  revert k c q; induction n as [|n IH]; intros k c q E I K Before One Z; cbn [paths].
  - assert (q = []) as ->.
    { destruct q as [|o q]; [easy|]; exfalso.
      assert (Ho : In o options) by (apply I; now left).
      destruct (options_ok o Ho) as (_ & N & B & _); destruct o as (i, [|x l]); [easy|].
      assert (x < cells) by (apply B; now left); specialize (E x); rewrite Before in E by lia.
      assert (0 < 0) by (rewrite <- E at 2; apply times_in; cbn; auto); lia. }
    exists []; split; [constructor|].
    rewrite (proj2 (forallb_forall _ _)); [now left|].
    intros x _; rewrite <- (E x); now apply Nat.eqb_eq.
  - destruct (c k =? 0) eqn:Ek.
    + apply Nat.eqb_eq in Ek; apply IH; auto; [lia|].
      intros x Hx; destruct (Nat.eq_dec x k) as [->|]; [easy|]; apply Before; lia.
    + apply Nat.eqb_neq in Ek.
      assert (In k (taken q)) as (o & Ho & Hk)%taken_in by (apply times_in; rewrite E; lia).
      assert (Oo := options_ok o (I o Ho)); destruct Oo as (No & _ & Bo & Fo).
      destruct (in_split _ _ Ho) as (q1 & q2 & Q).
      assert (P : Permutation q (o :: q1 ++ q2)) by (rewrite Q; symmetry; apply Permutation_middle).
      assert (E' := exact_permutation _ _ _ P E).
      assert (F : forall x, In x (takes o) -> 1 <= c x).
      { intros x Hx%times_in; rewrite <- (E' x), taken_cons, times_app; lia. }
      assert (Sk : starts k o = true).
      { apply starts_spec; split.
        - destruct Hk as [<-|]; [|easy]; lia.
        - intros x Hx; destruct (le_lt_dec k x); [easy|].
          specialize (F x (or_intror Hx)); rewrite Before in F; lia. }
      destruct (IH (S k) (after o c) (q1 ++ q2)) as (q' & P' & H').
      * now apply exact_after.
      * intros x Hx; apply I; rewrite P; now right.
      * lia.
      * intros x Hx; unfold after; destruct (Nat.eq_dec x k) as [->|];
          [apply times_in in Hk; specialize (One k); lia | rewrite Before by lia; easy].
      * intros x Hx; unfold after; specialize (One x Hx); lia.
      * intros x Hx; unfold after; rewrite Z by easy; lia.
      * exists (o :: q'); split; [now rewrite P, P'|].
        apply in_flat_map; exists o; split; [apply filter_In; auto|].
        rewrite (proj2 (fits_spec o c) F); now apply in_map.
Qed.

(** ** No exact cover is there twice, not even in two orders. *)

Lemma paths_starts n k c q : In q (paths items options n k c) -> k + n <= cells ->
  (forall x, items <= x -> c x = 0) -> forall o, In o q -> In o options /\ forall x, In x (takes o) -> 1 <= c x.
Proof.
  intros H K Z o Ho; apply paths_exact in H as (E & I); auto; split; [now apply I|].
  intros x Hx; rewrite <- (E x); apply times_in, taken_in; eauto.
Qed.

Lemma paths_permutation n k c q q' :
  In q (paths items options n k c) -> In q' (paths items options n k c) -> k + n <= cells ->
  (forall x, x < cells -> c x <= 1) -> (forall x, items <= x -> c x = 0) ->
  Permutation q q' -> q = q'.
Proof.
  revert k c q q'; induction n as [|n IH]; intros k c q q' H H' K One Z P; cbn [paths] in *.
  - destruct (forallb _ _); [|easy]; destruct H as [<-|[]], H' as [<-|[]]; easy.
  - destruct (c k =? 0) eqn:Ek; [apply (IH (S k) c); auto; lia|].
    apply in_flat_map in H as (o & (Ho & S)%filter_In & H).
    apply in_flat_map in H' as (o' & (Ho' & S')%filter_In & H').
    destruct (fits o c) eqn:F; [|easy]; destruct (fits o' c) eqn:F'; [|easy].
    apply in_map_iff in H as (r & <- & H); apply in_map_iff in H' as (r' & <- & H').
    assert (Za : forall o x, items <= x -> after o c x = 0)
      by (intros ? x Hx; unfold after; rewrite Z by easy; lia).
    assert (o = o') as <-.
    { assert (In o' (o :: r)) as [|I] by (rewrite P; now left); [easy | exfalso].
      apply starts_spec in S as (S1 & _), S' as (S1' & _).
      destruct (paths_starts _ _ _ _ H) with (o := o') as (_ & H1); auto; [lia|].
      specialize (H1 k (or_intror S1')); unfold after in H1.
      assert (1 <= times k (takes o)) by (apply times_in; now right).
      specialize (One k); lia. }
    f_equal; apply Permutation_cons_inv in P; apply (IH (Datatypes.S k) (after o c)); auto; [lia|].
    intros x Hx; unfold after; specialize (One x Hx); lia.
Qed.

Lemma paths_nodup n k c : NoDup options -> NoDup (paths items options n k c).
Proof using.
  intros N; revert k c; induction n as [|n IH]; intros k c; cbn [paths].
  - destruct (forallb _ _); repeat constructor; easy.
  - destruct (c k =? 0); [easy|]; apply nodup_flat_map; [now apply NoDup_filter| |].
    + intros o _; destruct (fits o c); [|constructor].
      apply FinFun.Injective_map_NoDup; [|easy]; now intros ? ? [= ->].
    + intros o o' q _ _; destruct (fits o c), (fits o' c); try easy.
      intros (? & <- & _)%in_map_iff (? & [=] & _)%in_map_iff; congruence.
Qed.

(** ** A state in which some cell can be taken by no option that fits has no path. *)

Lemma paths_dead n k c h : (forall x, items <= x -> c x = 0) -> 1 <= c h ->
  (forall o, In o options -> In h (takes o) -> exists x, In x (takes o) /\ c x = 0) ->
  paths items options n k c = [].
Proof.
  intros Z H D; destruct (paths items options n k c) as [|q l] eqn:E; [easy | exfalso].
  destruct (paths_exact n k c q) as (X & I); auto; [rewrite E; now left|].
  assert (In h (taken q)) as (o & Ho & Hh)%taken_in by (apply times_in; now rewrite X).
  destruct (D o (I o Ho) Hh) as (x & Hx & Cx).
  assert (In x (taken q)) as T%times_in by (apply taken_in; eauto); rewrite X in T; lia.
Qed.

End Cover.
