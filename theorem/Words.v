(** Sets of small numbers as machine words: unbounded ones, one word of 63 bits, two words. *)
From Coq Require Import List NArith ZArith Uint63 Lia Bool.
Local Open Scope nat_scope.

(** What the counter asks of words ([get] is there for the proofs only), and of the numbers that
    it adds up. [place], [hash], [low], [half] and [ltb] are about speed: nothing is asked of them. *)
Module Type WORD.
  Parameter t : Type.
  Parameter get : t -> nat -> bool.
  Parameter room : nat -> bool.
  Parameters (zero : t) (bit : nat -> t) (union meet : t -> t -> t) (shl : t -> t).
  Parameters (eqb ltb : t -> t -> bool).
  Axiom get_zero : forall i, get zero i = false.
  Axiom get_bit : forall n i j, room n = true -> i < n -> get (bit i) j = (i =? j).
  Axiom get_union : forall a b i, get (union a b) i = get a i || get b i.
  Axiom get_meet : forall a b i, get (meet a b) i = get a i && get b i.
  Axiom get_shl : forall n a i, room n = true -> S i < n -> get (shl a) (S i) = get a i.
  Axiom eqb_spec : forall a b, eqb a b = true <-> a = b.
  Axiom get_ext : forall a b, (forall i, get a i = get b i) -> a = b.

  Parameter num : Type.
  Parameter value_of : num -> N.
  Parameters (one : num) (add : num -> num -> num) (safe : num -> num -> bool).
  Axiom one_spec : value_of one = 1%N.
  Axiom add_spec : forall a b, safe a b = true -> value_of (add a b) = (value_of a + value_of b)%N.

  Parameter path : Type.
  Parameter place : nat -> path.
  Parameters (hash : path -> t -> path) (low : path -> bool) (half : path -> path).
  Parameter bucket_of : t -> positive.
End WORD.

(** ** Binary numbers: any width, no axioms. *)
Module Unbounded <: WORD.
  Definition t := N.
  Definition get (a : t) (i : nat) : bool := N.testbit a (N.of_nat i).
  Definition room (_ : nat) : bool := true.
  Definition zero : t := 0%N.
  Definition bit (i : nat) : t := N.shiftl 1 (N.of_nat i).
  Definition union := N.lor.
  Definition meet := N.land.
  Definition shl := N.double.
  Definition eqb := N.eqb.
  Definition ltb := N.ltb.
  Lemma get_zero i : get zero i = false.
  Proof. apply N.bits_0. Qed.
  Lemma get_bit (n i j : nat) : room n = true -> i < n -> get (bit i) j = (i =? j).
  Proof.
    intros _ _; unfold get, bit; rewrite N.shiftl_1_l, N.pow2_bits_eqb.
    destruct (N.eqb_spec (N.of_nat i) (N.of_nat j)), (Nat.eqb_spec i j); auto; lia.
  Qed.
  Lemma get_union a b i : get (union a b) i = get a i || get b i.
  Proof. apply N.lor_spec. Qed.
  Lemma get_meet a b i : get (meet a b) i = get a i && get b i.
  Proof. apply N.land_spec. Qed.
  Lemma get_shl (n : nat) a i : room n = true -> S i < n -> get (shl a) (S i) = get a i.
  Proof. intros _ _; unfold get, shl; rewrite Nnat.Nat2N.inj_succ; apply N.double_bits_succ. Qed.
  Lemma eqb_spec a b : eqb a b = true <-> a = b.
  Proof. apply N.eqb_eq. Qed.
  Lemma get_ext a b : (forall i, get a i = get b i) -> a = b.
  Proof. intros H; apply N.bits_inj; intros n; rewrite <- (N2Nat.id n); apply H. Qed.

  Definition num := N.
  Definition value_of (n : num) : N := n.
  Definition one : num := 1%N.
  Definition add := N.add.
  Definition safe (_ _ : num) : bool := true.
  Lemma one_spec : value_of one = 1%N.
  Proof. reflexivity. Qed.
  Lemma add_spec a b : safe a b = true -> value_of (add a b) = (value_of a + value_of b)%N.
  Proof. reflexivity. Qed.

  Definition path := N.
  Definition place (_ : nat) : path := 0%N.
  Definition hash (_ : path) (a : t) : path := a.
  Definition low := N.odd.
  Definition half := N.div2.
  Definition bucket_of (a : t) : positive := N.succ_pos a.
End Unbounded.

(** ** One word of 63 bits: the processor's, on the axioms of the standard library. *)
Module OneWord <: WORD.
  Local Open Scope uint63_scope.
  Definition t := int.
  Definition index (i : nat) : int := of_Z (Z.of_nat i).
  Definition get (a : t) (i : nat) : bool := (i <? 63)%nat && Uint63.bit a (index i).
  Definition room (n : nat) : bool := (n <=? 63)%nat.
  Definition zero : t := 0.
  Definition bit (i : nat) : t := 1 << index i.
  Definition union (a b : t) := a lor b.
  Definition meet (a b : t) := a land b.
  Definition shl (a : t) := a << 1.
  Definition eqb (a b : t) := a =? b.
  Definition ltb (a b : t) := a <? b.

  Lemma index_spec i : (i < 63)%nat -> to_Z (index i) = Z.of_nat i.
  Proof.
    intros H; unfold index; rewrite of_Z_spec; apply Z.mod_small.
    change wB with (2 ^ 63)%Z; lia.
  Qed.

  Lemma get_zero i : get zero i = false.
  Proof. unfold get, zero; now rewrite bit_0, andb_false_r. Qed.

  Lemma get_bit n i j : room n = true -> (i < n)%nat -> get (bit i) j = (i =? j)%nat.
  Proof.
    unfold room, get, bit; rewrite Nat.leb_le; intros H1 H2.
    destruct (Nat.ltb_spec j 63); cbn [andb]; [|symmetry; apply Nat.eqb_neq; lia].
    rewrite bit_lsl, bit_1.
    assert (Hi := index_spec i ltac:(lia)); assert (Hj := index_spec j ltac:(lia)).
    assert ((index j <? index i) = (j <? i)%nat) as ->.
    { apply eq_iff_eq_true; rewrite ltb_spec, Nat.ltb_lt, Hi, Hj; lia. }
    assert ((digits <=? index j) = false) as ->.
    { apply not_true_iff_false; rewrite leb_spec, Hj; change (to_Z digits) with 63%Z; lia. }
    destruct (Nat.ltb_spec j i); cbn [orb]; [symmetry; apply Nat.eqb_neq; lia|].
    assert (D : to_Z (index j - index i) = (Z.of_nat j - Z.of_nat i)%Z).
    { rewrite sub_spec, Hi, Hj; apply Z.mod_small; change wB with (2 ^ 63)%Z; lia. }
    apply eq_iff_eq_true; rewrite Uint63.eqb_spec, Nat.eqb_eq; split.
    - intros E%(f_equal to_Z); rewrite D in E; change (to_Z 0) with 0%Z in E; lia.
    - intros ->; apply to_Z_inj; rewrite D; change (to_Z 0) with 0%Z; lia.
  Qed.

  Lemma get_union a b i : get (union a b) i = get a i || get b i.
  Proof. unfold get, union; rewrite lor_spec; now destruct (i <? 63)%nat. Qed.

  Lemma get_meet a b i : get (meet a b) i = get a i && get b i.
  Proof. unfold get, meet; rewrite land_spec; now destruct (i <? 63)%nat, (Uint63.bit a (index i)). Qed.

  Lemma get_shl_1 a i : (S i < 63)%nat -> get (shl a) (S i) = get a i.
  Proof.
    intros H2; unfold get, shl; rewrite !(proj2 (Nat.ltb_lt _ 63)) by lia; cbn [andb].
    assert (Hi := index_spec i ltac:(lia)); assert (Hj := index_spec (S i) ltac:(lia)).
    rewrite bit_lsl.
    assert ((index (S i) <? 1) = false) as ->
      by (apply not_true_iff_false; rewrite ltb_spec, Hj; change (to_Z 1) with 1%Z; lia).
    assert ((digits <=? index (S i)) = false) as ->
      by (apply not_true_iff_false; rewrite leb_spec, Hj; change (to_Z digits) with 63%Z; lia).
    cbn [orb]; f_equal; apply to_Z_inj; rewrite sub_spec, Hi, Hj, Z.mod_small;
      change (to_Z 1) with 1%Z; change wB with (2 ^ 63)%Z; lia.
  Qed.

  Lemma get_shl n a i : room n = true -> (S i < n)%nat -> get (shl a) (S i) = get a i.
  Proof. unfold room; rewrite Nat.leb_le; intros; apply get_shl_1; lia. Qed.

  Lemma eqb_spec a b : eqb a b = true <-> a = b.
  Proof. apply Uint63.eqb_spec. Qed.

  Lemma get_ext a b : (forall i, get a i = get b i) -> a = b.
  Proof.
    intros H; apply bit_ext; intros n.
    destruct (Z_lt_le_dec (to_Z n) 63) as [L|L].
    - assert (B := to_Z_bounded n); specialize (H (Z.to_nat (to_Z n))); unfold get, index in H.
      rewrite Z2Nat.id, of_to_Z, (proj2 (Nat.ltb_lt _ 63)) in H by lia; exact H.
    - rewrite !bit_M; auto; rewrite leb_spec; exact L.
  Qed.

  Definition num := int.
  Definition value_of (n : num) : N := Z.to_N (to_Z n).
  Definition one : num := 1.
  Definition add (a b : num) := a + b.
  Definition safe (a b : num) := a <=? a + b.
  Lemma one_spec : value_of one = 1%N.
  Proof. reflexivity. Qed.
  Lemma add_spec a b : safe a b = true -> value_of (add a b) = (value_of a + value_of b)%N.
  Proof.
    unfold safe, add, value_of; rewrite leb_spec, add_spec.
    assert (A := to_Z_bounded a); assert (B := to_Z_bounded b); intros H.
    rewrite <- Z2N.inj_add by lia; f_equal.
    destruct (Z_lt_le_dec (to_Z a + to_Z b) wB); [apply Z.mod_small; lia | exfalso].
    replace (to_Z a + to_Z b)%Z with (to_Z a + to_Z b - wB + 1 * wB)%Z in H by ring.
    rewrite Z.mod_add, Z.mod_small in H; lia.
  Qed.

  Definition path := int.
  Definition place := index.
  Definition mix (a : t) : int :=
    let b := (a lxor (a >> 31)) * 2177342782468422677 in b lxor (b >> 29).
  (* first the pieces that were used: what is asked together lies together *)
  Definition hash (cells : path) (a : t) : path := (a >> cells) lxor (mix a << (63 - cells)).
  Definition low (h : path) := (h land 1) =? 1.
  Definition half (h : path) := h >> 1.
  Fixpoint digits_of (n : nat) (a : t) : positive :=
    match n with
    | O => xH
    | S n => if low a then xI (digits_of n (half a)) else xO (digits_of n (half a))
    end.
  Definition bucket_of (a : t) : positive := digits_of 20 (mix a).
End OneWord.

(** ** Two words, for 64 to 126 positions. *)
Module TwoWords <: WORD.
  Definition t : Type := int * int.
  Definition get (a : t) (i : nat) : bool :=
    if i <? 63 then OneWord.get (fst a) i else OneWord.get (snd a) (i - 63).
  Definition room (n : nat) : bool := n <=? 126.
  Definition zero : t := (OneWord.zero, OneWord.zero).
  Definition bit (i : nat) : t :=
    if i <? 63 then (OneWord.bit i, OneWord.zero) else (OneWord.zero, OneWord.bit (i - 63)).
  Definition union (a b : t) : t :=
    let (a1, a2) := a in let (b1, b2) := b in (OneWord.union a1 b1, OneWord.union a2 b2).
  Definition meet (a b : t) : t :=
    let (a1, a2) := a in let (b1, b2) := b in (OneWord.meet a1 b1, OneWord.meet a2 b2).
  Definition shl (a : t) : t :=
    let (a1, a2) := a in (OneWord.shl a1, OneWord.union (OneWord.shl a2) (a1 >> 62)%uint63).
  Definition eqb (a b : t) : bool :=
    let (a1, a2) := a in let (b1, b2) := b in OneWord.eqb a1 b1 && OneWord.eqb a2 b2.
  Definition ltb (a b : t) : bool :=
    let (a1, a2) := a in let (b1, b2) := b in
    if OneWord.eqb a2 b2 then OneWord.ltb a1 b1 else OneWord.ltb a2 b2.

  Lemma get_zero i : get zero i = false.
  Proof. unfold get; destruct (i <? 63); apply OneWord.get_zero. Qed.

  Lemma get_bit n i j : room n = true -> i < n -> get (bit i) j = (i =? j).
  Proof.
    unfold room, get, bit; rewrite Nat.leb_le; intros H1 H2.
    destruct (Nat.ltb_spec j 63), (Nat.ltb_spec i 63); cbn [fst snd].
    - now apply (OneWord.get_bit 63).
    - rewrite OneWord.get_zero; symmetry; apply Nat.eqb_neq; lia.
    - rewrite OneWord.get_zero; symmetry; apply Nat.eqb_neq; lia.
    - rewrite (OneWord.get_bit 63); [|easy|lia].
      apply eq_iff_eq_true; rewrite !Nat.eqb_eq; lia.
  Qed.

  Lemma get_union a b i : get (union a b) i = get a i || get b i.
  Proof. destruct a, b; unfold get, union; cbn [fst snd]; destruct (i <? 63); apply OneWord.get_union. Qed.

  Lemma get_meet a b i : get (meet a b) i = get a i && get b i.
  Proof. destruct a, b; unfold get, meet; cbn [fst snd]; destruct (i <? 63); apply OneWord.get_meet. Qed.

  Lemma get_shl n a i : room n = true -> S i < n -> get (shl a) (S i) = get a i.
  Proof.
    destruct a as (a, b); unfold room, get, shl; rewrite Nat.leb_le; intros H1 H2; cbn [fst snd].
    destruct (Nat.ltb_spec (S i) 63), (Nat.ltb_spec i 63); try lia.
    - now apply OneWord.get_shl_1.
    - assert (i = 62) as -> by lia; replace (63 - 63) with 0 by lia; cbn [Nat.sub].
      rewrite OneWord.get_union; unfold OneWord.get, OneWord.shl; cbn [Nat.ltb Nat.leb andb].
      rewrite bit_lsl; cbn [orb]; rewrite bit_lsr; reflexivity.
    - replace (S i - 63) with (S (i - 63)) by lia.
      rewrite OneWord.get_union, OneWord.get_shl_1 by lia.
      enough (OneWord.get (a >> 62)%uint63 (S (i - 63)) = false) as -> by apply orb_false_r.
      unfold OneWord.get; apply andb_false_iff; right.
      rewrite bit_lsr; set (k := OneWord.index (S (i - 63))).
      assert (K : to_Z k = Z.of_nat (S (i - 63))) by (apply OneWord.index_spec; lia).
      destruct (k <=? 62 + k)%uint63; [|easy]; apply bit_M; rewrite leb_spec, add_spec, K, Z.mod_small;
        change (to_Z 62) with 62%Z; change (to_Z digits) with 63%Z; change wB with (2 ^ 63)%Z; lia.
  Qed.

  Lemma eqb_spec a b : eqb a b = true <-> a = b.
  Proof.
    destruct a, b; cbn; rewrite andb_true_iff, !OneWord.eqb_spec.
    split; [intros []; congruence | now intros [= -> ->]].
  Qed.

  Lemma get_ext a b : (forall i, get a i = get b i) -> a = b.
  Proof.
    destruct a as (a, b'), b as (c, d); unfold get; cbn [fst snd]; intros H; f_equal;
      apply OneWord.get_ext; intros i.
    - specialize (H i); destruct (Nat.ltb_spec i 63); [easy|].
      unfold OneWord.get; now rewrite (proj2 (Nat.ltb_ge i 63)).
    - specialize (H (63 + i)); rewrite (proj2 (Nat.ltb_ge (63 + i) 63)) in H by lia.
      now replace (63 + i - 63) with i in H by lia.
  Qed.

  Definition num := OneWord.num.
  Definition value_of := OneWord.value_of.
  Definition one := OneWord.one.
  Definition add := OneWord.add.
  Definition safe := OneWord.safe.
  Definition one_spec := OneWord.one_spec.
  Definition add_spec := OneWord.add_spec.

  Definition path := int.
  Definition place := OneWord.place.
  Definition hash (_ : path) (a : t) : path :=
    let (a, b) := a in (b lxor (OneWord.mix (a + b * 1274126177) << 20))%uint63.
  Definition low := OneWord.low.
  Definition half := OneWord.half.
  Definition bucket_of (a : t) : positive :=
    let (a, b) := a in OneWord.bucket_of (a + b * 1274126177)%uint63.
End TwoWords.

(** ** What counter and checker do with words *)
Module Sets (W : WORD).
  Definition free (s w : W.t) : bool := W.eqb (W.meet s w) W.zero.
  Definition all (l : list W.t) : W.t := fold_right W.union W.zero l.

  Lemma get_all l i : W.get (all l) i = existsb (fun w => W.get w i) l.
  Proof.
    unfold all; induction l as [|w l IH]; [apply W.get_zero|].
    cbn [fold_right existsb]; now rewrite W.get_union, IH.
  Qed.

  Lemma free_spec s w : free s w = true <-> forall i, W.get w i = true -> W.get s i = false.
  Proof.
    unfold free; rewrite W.eqb_spec; split.
    - intros H i Hi; apply (f_equal (fun a => W.get a i)) in H.
      now rewrite W.get_meet, W.get_zero, Hi, andb_true_r in H.
    - intros H; apply W.get_ext; intros i; rewrite W.get_meet, W.get_zero.
      destruct (W.get w i) eqn:E; [now rewrite H | apply andb_false_r].
  Qed.
End Sets.
