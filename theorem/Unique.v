(** A reveal has one number of tilings. *)
From Coq Require Import List NArith Permutation Lia.
From Satcal Require Import Spec.
Import ListNotations.

Lemma forall2_permutation {A B} (R : A -> B -> Prop) l l' : Permutation l l' -> forall m,
  Forall2 R l m -> exists m', Permutation m m' /\ Forall2 R l' m'.
Proof.
  induction 1 as [|x l l' _ IH|x y l|l l' l'' _ IH1 _ IH2]; intros m F.
  - exists m; now split.
  - inversion F as [|? b ? m0 Hx F']; subst; destruct (IH m0 F') as (m' & P & G).
    exists (b :: m'); split; auto.
  - inversion F as [|? b ? m0 Hy F']; subst; inversion F' as [|? c ? m1 Hx F'']; subst.
    exists (c :: b :: m1); split; [constructor | auto].
  - destruct (IH1 m F) as (m' & P & G), (IH2 m' G) as (m'' & P' & G').
    exists m''; split; [now rewrite P | easy].
Qed.

Lemma alike_sym p q : alike p q -> alike q p.
Proof. intros H c; now symmetry. Qed.

Lemma same_sym t u : same t u -> same u t.
Proof.
  intros (v & P & F); destruct (forall2_permutation _ v t (Permutation_sym P) u F) as (u' & Q & G).
  exists u'; split; [easy|]; clear - G; induction G as [|a b t u' (A & E)]; constructor; auto.
  split; [now apply alike_sym | now symmetry].
Qed.

Lemma same_trans t u w : same t u -> same u w -> same t w.
Proof.
  intros (v & P & F) (x & Q & G); apply Permutation_sym in Q.
  assert (F' : Forall2 (fun b a => alike (fst a) (fst b) /\ Permutation (snd a) (snd b)) u v)
    by (clear - F; induction F; constructor; auto).
  destruct (forall2_permutation _ u x (Permutation_sym Q) v F') as (v' & S & H).
  exists v'; split; [now rewrite P|].
  clear - H G; revert w G; induction H as [|b a x v' (A & E) H IH]; intros w G; inversion G as [|? c ? w' (A' & E') G']; subst; constructor; auto.
  split; [intros cells; rewrite (A cells); apply A' | now rewrite E].
Qed.

(** Different tilings of one list have different partners in the other. *)
Lemma no_longer l : ForallOrdPairs (fun t u => ~ same t u) l -> forall m,
  Forall (fun t => Exists (same t) m) l -> length l <= length m.
Proof.
  induction 1 as [|t l D O IH]; intros m E; cbn [length]; [lia|].
  inversion E as [|? ? Et El]; subst; apply Exists_exists in Et as (u & Hu & S).
  destruct (in_split u m Hu) as (m1 & m2 & ->).
  specialize (IH (m1 ++ m2)); rewrite app_length in *; cbn [length].
  enough (length l <= length m1 + length m2) by lia; apply IH.
  rewrite Forall_forall in *; intros w Hw; specialize (El w Hw); specialize (D w Hw).
  apply Exists_exists in El as (x & Hx & Sx); apply Exists_exists; exists x; split; [|easy].
  apply in_app_iff in Hx as [Hx|[<-|Hx]]; [apply in_app_iff; now left | | apply in_app_iff; now right].
  exfalso; apply D; apply (same_trans t u w S); now apply same_sym.
Qed.

Theorem number_unique p r n n' : number_of_tilings p r n -> number_of_tilings p r n' -> n = n'.
Proof.
  intros (l & <- & F & O & A) (l' & <- & F' & O' & A').
  assert (length l <= length l').
  { apply no_longer; [easy|]; revert F; apply Forall_impl; exact A'. }
  assert (length l' <= length l); [|lia].
  apply no_longer; [easy|]; revert F'; apply Forall_impl; exact A.
Qed.
