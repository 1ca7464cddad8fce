(** Sets of up to 84 positions in three words of 28 bits, for JavaScript, whose integers have 32. *)
From Coq Require Import List NArith ZArith PArith Uint63 Lia Bool Arith.
From Satcal Require Import Spec Words Tilings Counts Checker.
Local Open Scope nat_scope.

Module ThreeSmall <: WORD.
  Definition t : Type := int * int * int.
  (** The upper bits, which nothing ever sets, are the positions from 84 on. *)
  Definition get (a : t) (i : nat) : bool :=
    let '(x, y, z) := a in
    if i <? 28 then OneWord.get x i
    else if i <? 56 then OneWord.get y (i - 28)
    else if i <? 84 then OneWord.get z (i - 56)
    else if i <? 119 then OneWord.get x (i - 56)
    else if i <? 154 then OneWord.get y (i - 91)
    else if i <? 189 then OneWord.get z (i - 126)
    else false.
  Definition room (n : nat) : bool := n <=? 84.
  Definition zero : t := (0, 0, 0)%uint63.
  Definition bit (i : nat) : t :=
    if i <? 28 then (OneWord.bit i, 0, 0)%uint63
    else if i <? 56 then (0, OneWord.bit (i - 28), 0)%uint63
    else (0, 0, OneWord.bit (i - 56))%uint63.
  Definition union (a b : t) : t :=
    let '(x, y, z) := a in let '(u, v, w) := b in (x lor u, y lor v, z lor w)%uint63.
  Definition meet (a b : t) : t :=
    let '(x, y, z) := a in let '(u, v, w) := b in (x land u, y land v, z land w)%uint63.
  Definition lower : int := 268435455. (* 2 ^ 28 - 1 *)
  Definition up (x : int) : int := ((x << 1) land lower)%uint63.
  Definition carry (x : int) : int := ((x >> 27) land 1)%uint63.
  Definition shl (a : t) : t :=
    let '(x, y, z) := a in (up x, up y lor carry x, up z lor carry y)%uint63.
  Definition eqb (a b : t) : bool :=
    let '(x, y, z) := a in let '(u, v, w) := b in ((x =? u) && (y =? v) && (z =? w))%uint63.
  Definition ltb (a b : t) : bool := false.

  Ltac cases i :=
    destruct (Nat.ltb_spec i 28), (Nat.ltb_spec i 56), (Nat.ltb_spec i 84), (Nat.ltb_spec i 119),
      (Nat.ltb_spec i 154), (Nat.ltb_spec i 189); try lia.

  Lemma get_zero i : get zero i = false.
  Proof. unfold get, zero; cases i; auto; apply OneWord.get_zero. Qed.

  Lemma bit_here i j : i < 28 -> OneWord.get (OneWord.bit i) j = (i =? j).
  Proof. intros H; now apply (OneWord.get_bit 63); [|lia]. Qed.

  Lemma get_bit n i j : room n = true -> i < n -> get (bit i) j = (i =? j).
  Proof.
    unfold room, bit; rewrite Nat.leb_le; intros R H.
    destruct (Nat.ltb_spec i 28); [|destruct (Nat.ltb_spec i 56)]; unfold get; cases j;
      rewrite ?bit_here by lia; fold OneWord.zero; rewrite ?OneWord.get_zero; symmetry;
      try (apply eq_iff_eq_true; rewrite !Nat.eqb_eq; lia); apply Nat.eqb_neq; lia.
  Qed.

  Lemma get_union a b i : get (union a b) i = get a i || get b i.
  Proof. destruct a as ((x, y), z), b as ((u, v), w); unfold get, union; cases i; auto; apply OneWord.get_union. Qed.

  Lemma get_meet a b i : get (meet a b) i = get a i && get b i.
  Proof. destruct a as ((x, y), z), b as ((u, v), w); unfold get, meet; cases i; auto; apply OneWord.get_meet. Qed.

  Lemma get_lower i : i < 63 -> OneWord.get lower i = (i <? 28).
  Proof.
    intros H; do 63 (destruct i as [|i]; [vm_compute; reflexivity|]); lia.
  Qed.

  Lemma get_up x i : S i < 28 -> OneWord.get (up x) (S i) = OneWord.get x i.
  Proof.
    intros H; unfold up; change (OneWord.get (OneWord.meet (OneWord.shl x) lower) (S i) = OneWord.get x i).
    rewrite OneWord.get_meet, OneWord.get_shl_1, get_lower by lia.
    rewrite (proj2 (Nat.ltb_lt _ _)) by lia; apply andb_true_r.
  Qed.

  Lemma get_up_0 x : OneWord.get (up x) 0 = false.
  Proof.
    unfold up; change (OneWord.get (OneWord.meet (OneWord.shl x) lower) 0 = false).
    rewrite OneWord.get_meet; unfold OneWord.get at 1, OneWord.shl; rewrite bit_lsl; reflexivity.
  Qed.

  Lemma get_carry x i : i < 63 -> OneWord.get (carry x) i = (i =? 0) && OneWord.get x 27.
  Proof.
    intros H; unfold carry; change (OneWord.get (OneWord.meet (x >> 27)%uint63 (OneWord.bit 0)) i = (i =? 0) && OneWord.get x 27).
    rewrite OneWord.get_meet, (OneWord.get_bit 63) by (auto; lia); destruct i as [|i]; [|apply andb_false_r].
    rewrite andb_true_r; unfold OneWord.get; rewrite bit_lsr; reflexivity.
  Qed.

  Lemma get_shl n a i : room n = true -> S i < n -> get (shl a) (S i) = get a i.
  Proof.
    destruct a as ((x, y), z); unfold room, shl; rewrite Nat.leb_le; intros R H; unfold get.
    assert (L : forall u v j, OneWord.get (u lor v)%uint63 j = OneWord.get u j || OneWord.get v j) by (intros; apply OneWord.get_union).
    destruct (Nat.ltb_spec (S i) 28); [rewrite (proj2 (Nat.ltb_lt i 28)) by lia; now apply get_up|].
    destruct (Nat.ltb_spec (S i) 56); [|rewrite (proj2 (Nat.ltb_lt (S i) 84)) by lia].
    - rewrite L, get_carry by lia; destruct (Nat.ltb_spec i 28).
      + assert (i = 27) as -> by lia; cbn [Nat.sub Nat.eqb andb]; now rewrite get_up_0.
      + rewrite (proj2 (Nat.ltb_lt i 56)) by lia; replace (S i - 28) with (S (i - 28)) by lia.
        rewrite get_up by lia; apply orb_false_r.
    - rewrite L, get_carry, (proj2 (Nat.ltb_ge i 28)) by lia; destruct (Nat.ltb_spec i 56).
      + assert (i = 55) as -> by lia; cbn [Nat.sub Nat.eqb andb]; now rewrite get_up_0.
      + rewrite (proj2 (Nat.ltb_lt i 84)) by lia; replace (S i - 56) with (S (i - 56)) by lia.
        rewrite get_up by lia; apply orb_false_r.
  Qed.

  Lemma eqb_spec a b : eqb a b = true <-> a = b.
  Proof.
    destruct a as ((x, y), z), b as ((u, v), w); cbn; rewrite !andb_true_iff, !Uint63.eqb_spec.
    split; [intros ((-> & ->) & ->); easy | now intros [= -> -> ->]].
  Qed.

  Lemma same_bits c d : (forall i, i < 63 -> OneWord.get c i = OneWord.get d i) -> c = d.
  Proof.
    intros E; apply OneWord.get_ext; intros i; destruct (Nat.ltb_spec i 63); [auto|].
    unfold OneWord.get; now rewrite (proj2 (Nat.ltb_ge i 63)).
  Qed.

  Lemma get_ext a b : (forall i, get a i = get b i) -> a = b.
  Proof.
    destruct a as ((x, y), z), b as ((u, v), w); unfold get; intros H.
    assert (x = u /\ y = v /\ z = w) as (-> & -> & ->); [|easy].
    repeat split; apply same_bits; intros i L; destruct (Nat.ltb_spec i 28).
    - specialize (H i); cases i; exact H.
    - specialize (H (i + 56)); revert H; cases (i + 56); now replace (i + 56 - 56) with i by lia.
    - specialize (H (i + 28)); revert H; cases (i + 28); now replace (i + 28 - 28) with i by lia.
    - specialize (H (i + 91)); revert H; cases (i + 91); now replace (i + 91 - 91) with i by lia.
    - specialize (H (i + 56)); revert H; cases (i + 56); now replace (i + 56 - 56) with i by lia.
    - specialize (H (i + 126)); revert H; cases (i + 126); now replace (i + 126 - 126) with i by lia.
  Qed.

  Definition num := N.
  Definition value_of (n : num) : N := n.
  Definition one : num := 1%N.
  Definition add := N.add.
  Definition safe (_ _ : num) : bool := true.
  Lemma one_spec : value_of one = 1%N.
  Proof. reflexivity. Qed.
  Lemma add_spec a b : safe a b = true -> value_of (add a b) = (value_of a + value_of b)%N.
  Proof. reflexivity. Qed.

  Definition path := unit.
  Definition place (_ : nat) : path := tt.
  Definition hash (_ : path) (_ : t) : path := tt.
  Definition low (_ : path) : bool := false.
  Definition half (h : path) : path := h.
  Fixpoint digits_of (n : nat) (a : int) : positive :=
    match n with
    | O => xH
    | S n => if ((a land 1) =? 1)%uint63 then xI (digits_of n (a >> 1)%uint63) else xO (digits_of n (a >> 1)%uint63)
    end.
  Definition bucket_of (a : t) : positive :=
    let '(x, y, z) := a in digits_of 20 (x lxor y lxor z lxor (x >> 11) lxor (y >> 5))%uint63.
End ThreeSmall.

(** ** No operation makes words of more than 28 bits of words of 28 bits, and none on the way more
    than 29: where integers have 32 bits, they do what is proved here of 63. *)
Definition bits (n : nat) (x : int) : Prop := forall i, n <= i -> OneWord.get x i = false.
Definition small (a : ThreeSmall.t) : Prop := let '(x, y, z) := a in bits 28 x /\ bits 28 y /\ bits 28 z.

Lemma bits_zero n : bits n OneWord.zero.
Proof. intros i _; apply OneWord.get_zero. Qed.

Lemma bits_bit i n : i < n -> n <= 63 -> bits n (OneWord.bit i).
Proof. intros H N j J; rewrite (OneWord.get_bit 63) by (auto; lia); apply Nat.eqb_neq; lia. Qed.

Lemma bits_union n x y : bits n x -> bits n y -> bits n (OneWord.union x y).
Proof. intros X Y i I; now rewrite OneWord.get_union, X, Y. Qed.

Lemma bits_meet n x y : bits n y -> bits n (OneWord.meet x y).
Proof. intros Y i I; now rewrite OneWord.get_meet, Y, andb_false_r. Qed.

Lemma bits_shl x : bits 28 x -> bits 29 (OneWord.shl x).
Proof.
  intros X i I; destruct (Nat.ltb_spec i 63); [|unfold OneWord.get; now rewrite (proj2 (Nat.ltb_ge i 63))].
  destruct i as [|i]; [lia|]; rewrite OneWord.get_shl_1 by lia; apply X; lia.
Qed.

Lemma bits_lower : bits 28 ThreeSmall.lower.
Proof.
  intros i I; destruct (Nat.ltb_spec i 63); [|unfold OneWord.get; now rewrite (proj2 (Nat.ltb_ge i 63))].
  rewrite ThreeSmall.get_lower by easy; now apply Nat.ltb_ge.
Qed.

Lemma bits_carry x : bits 28 (ThreeSmall.carry x).
Proof.
  intros i I; destruct (Nat.ltb_spec i 63); [|unfold OneWord.get; now rewrite (proj2 (Nat.ltb_ge i 63))].
  rewrite ThreeSmall.get_carry by easy; destruct i; [lia | easy].
Qed.

Theorem small_zero : small ThreeSmall.zero.
Proof. repeat split; apply bits_zero. Qed.
Theorem small_bit i : i < 84 -> small (ThreeSmall.bit i).
Proof.
  intros H; unfold ThreeSmall.bit; destruct (Nat.ltb_spec i 28); [|destruct (Nat.ltb_spec i 56)];
    repeat split; try apply bits_zero; apply bits_bit; lia.
Qed.
Theorem small_union a b : small a -> small b -> small (ThreeSmall.union a b).
Proof. destruct a as ((?, ?), ?), b as ((?, ?), ?); intros (? & ? & ?) (? & ? & ?); repeat split; now apply bits_union. Qed.
Theorem small_meet a b : small b -> small (ThreeSmall.meet a b).
Proof. destruct a as ((?, ?), ?), b as ((?, ?), ?); intros (? & ? & ?); repeat split; now apply bits_meet. Qed.
Theorem small_shl a : small (ThreeSmall.shl a).
Proof.
  destruct a as ((x, y), z).
  assert (U : forall c, bits 28 (ThreeSmall.up c)) by (intros c; apply (bits_meet 28 (OneWord.shl c)), bits_lower).
  repeat split; auto; apply bits_union; auto using bits_carry.
Qed.

(** ** The checker for JavaScript *)
Module SmallChecker. Include Checker ThreeSmall. End SmallChecker.

Definition small_check : checker := fun p =>
  if ThreeSmall.room (SmallChecker.width p) then SmallChecker.check p else PureChecker.check p.

Theorem small_check_right : checks small_check.
Proof.
  intros p reveals bytes numbers W R; unfold small_check.
  destruct (ThreeSmall.room _) eqn:E; [now apply SmallChecker.check_right | now apply PureChecker.check_right].
Qed.
