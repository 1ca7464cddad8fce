(** A puzzle as an exact cover: its tilings are the exact covers of [start] by [options]. *)
From Coq Require Import List ZArith Permutation Lia Bool Arith.
From Satcal Require Import Spec Places Cover.
Import ListNotations.
Local Open Scope nat_scope.

Definition no_piece : piece := Piece [] false.

Section Puzzle.
Context (p : puzzle).
Notation b := (board p).
Notation C := (length (board p)).
Notation np := (length (pieces p)).
Notation nc := (length (categories p)).
Notation kind_of := (kind (pieces p)).

(** Items: the cells, then the kinds of pieces, then the categories. *)
Definition items : nat := C + np + nc.
Definition is_label (o : option_) : bool := C + np <=? fst o.

Definition place_options : list option_ :=
  flat_map (fun i =>
    let q := nth i (pieces p) no_piece in
    if kind_of q =? i then map (pair (C + i)) (places b q) else []) (seq 0 np).

Definition label_options : list option_ :=
  flat_map (fun j => map (fun label => (C + np + j, positions b label)) (nth j (categories p) []))
    (seq 0 nc).

Definition options : list option_ := place_options ++ label_options.

Definition start : need :=
  let kinds := map kind_of (pieces p) in fun x =>
  if x <? C then 1
  else if x <? C + np then times (x - C) kinds
  else if x <? items then 1 else 0.

(** The options that stand for what a tiling places, and for a reveal. *)
Definition lay (a : piece * list cell) : option_ := (C + kind_of (fst a), positions b (snd a)).
Definition marks (reveal : list (list cell)) : list option_ :=
  map (fun m => (C + np + fst m, positions b (snd m))) (combine (seq 0 nc) reveal).

Definition first_cell (o : option_) : nat := hd 0 (snd o).

(** What a puzzle has to fulfil for the theorems. *)
Record well_formed : Prop := WellFormed
  { board_once : NoDup b;
    pieces_drawn : forall q, In q (pieces p) -> drawing q <> [];
    labels_drawn : forall c l, In c (categories p) -> In l c -> l <> [] /\ NoDup l /\ incl l b;
    labels_apart : NoDup (map first_cell label_options) }.

Context (wf : well_formed).
Let b_once := board_once wf.

Lemma positions_nonempty c : c <> [] -> incl c b -> positions b c <> [].
Proof.
  destruct c as [|x c]; [easy|]; intros _ I E.
  destruct (In_nth b x (0, 0)%Z) as (i & Hi & X); [apply I; now left|].
  assert (In i (positions b (x :: c))) as H by (apply positions_spec; split; [easy|]; left; now rewrite <- X).
  now rewrite E in H.
Qed.

Lemma place_options_spec o : In o place_options <->
  exists i c, i < np /\ kind_of (nth i (pieces p) no_piece) = i /\
    covers (nth i (pieces p) no_piece) c /\ incl c b /\ NoDup c /\ o = (C + i, positions b c).
Proof.
  unfold place_options; rewrite in_flat_map; split.
  - intros (i & Hi%in_seq & H); destruct (_ =? i) eqn:K; [|easy].
    apply Nat.eqb_eq in K; apply in_map_iff in H as (ps & <- & H).
    apply places_spec in H as (c & ? & ? & ? & ->);
      [exists i, c; repeat split; auto; lia | apply (pieces_drawn wf), nth_In; lia].
  - intros (i & c & Hi & K & H & I & N & ->); exists i; split; [apply in_seq; lia|].
    rewrite K, Nat.eqb_refl; apply in_map, places_spec; eauto.
    apply (pieces_drawn wf), nth_In; lia.
Qed.

Lemma label_options_spec o : In o label_options <->
  exists j l, j < nc /\ In l (nth j (categories p) []) /\ o = (C + np + j, positions b l).
Proof.
  unfold label_options; rewrite in_flat_map; split.
  - intros (j & Hj%in_seq & (l & <- & H)%in_map_iff); exists j, l; repeat split; auto; lia.
  - intros (j & l & Hj & H & ->); exists j; split; [apply in_seq; lia|]; now apply (in_map (fun l => (_, positions b l))).
Qed.

Lemma covers_nonempty q c : drawing q <> [] -> covers q c -> c <> [].
Proof.
  intros N (o & v & Ho & P) ->; apply Permutation_nil, map_eq_nil in P; subst.
  now apply orientations_nonempty in Ho.
Qed.

Lemma option_cells o : In o options ->
  snd o <> [] /\ NoDup (snd o) /\ (forall x, In x (snd o) -> x < C) /\ C <= fst o < items /\
  (is_label o = true <-> In o label_options).
Proof.
  unfold options, items; rewrite in_app_iff; intros H.
  assert (forall c, NoDup (positions b c) /\ forall x, In x (positions b c) -> x < C) as B
    by (intros c; split; [apply positions_nodup | now intros x Hx%positions_spec]).
  destruct H as [H|H].
  - assert (H' := H); apply place_options_spec in H' as (i & c & Hi & _ & Hc & I & _ & ->); cbn [fst snd].
    repeat split; try apply B; try lia.
    + apply positions_nonempty; auto; eapply covers_nonempty; eauto; apply (pieces_drawn wf), nth_In; lia.
    + unfold is_label; cbn [fst]; intros X%Nat.leb_le; lia.
    + intros (j & l & _ & _ & [= X _])%label_options_spec; lia.
  - assert (H' := H); apply label_options_spec in H' as (j & l & Hj & Hl & ->); cbn [fst snd].
    assert (In (nth j (categories p) []) (categories p)) as Ic by (now apply nth_In).
    destruct (labels_drawn wf _ _ Ic Hl) as (? & ? & ?).
    repeat split; try apply B; try lia; auto; [now apply positions_nonempty|].
    unfold is_label; cbn [fst]; intros _; apply Nat.leb_le; lia.
Qed.

Lemma options_ok o : In o options ->
  NoDup (takes o) /\ snd o <> [] /\ (forall x, In x (snd o) -> x < C) /\ C <= fst o < items.
Proof.
  intros (H1 & H2 & H3 & H4 & _)%option_cells; repeat split; auto; try lia.
  constructor; [|easy]; intros X%H3; lia.
Qed.

Lemma options_nodup : NoDup options.
Proof.
  apply nodup_app.
  - unfold place_options; apply nodup_flat_map; [apply seq_NoDup| |].
    + intros i _; destruct (_ =? i); [|constructor].
      apply FinFun.Injective_map_NoDup; [now intros ? ? [=]| apply places_nodup].
    + intros i j o _ _; destruct (_ =? i), (_ =? j); try easy.
      intros (? & <- & _)%in_map_iff (? & [=] & _)%in_map_iff; lia.
  - apply (NoDup_map_inv first_cell), (labels_apart wf).
  - intros o H L; apply place_options_spec in H as (i & c & Hi & _ & _ & _ & _ & ->).
    apply label_options_spec in L as (j & l & _ & _ & [= X _]); lia.
Qed.

(** ** Exact covers, by their two halves *)

Definition firsts : list nat := map (fun q => C + kind_of q) (pieces p) ++ seq (C + np) nc.

Lemma times_plus x k l : times x (map (Nat.add k) l) = if k <=? x then times (x - k) l else 0.
Proof.
  unfold times; induction l as [|y l IH]; cbn [map count_occ]; [now destruct (k <=? x)|].
  rewrite IH; destruct (Nat.leb_spec k x), (Nat.eq_dec (k + y) x), (Nat.eq_dec y (x - k)); lia.
Qed.

Lemma times_seq x k n : times x (seq k n) = if (k <=? x) && (x <? k + n) then 1 else 0.
Proof.
  assert (H := times_nodup x _ (seq_NoDup n k)); assert (I := times_in x (seq k n)).
  rewrite in_seq in I; destruct (Nat.leb_spec k x), (Nat.ltb_spec x (k + n)); cbn; lia.
Qed.

Lemma kind_below q : In q (pieces p) -> kind_of q < np.
Proof. apply kind_spec, (pieces_drawn wf). Qed.

Lemma times_firsts x : times x firsts = if x <? C then 0 else start x.
Proof.
  unfold firsts, start, items; rewrite <- (map_map kind_of (Nat.add C)), times_app, times_plus, times_seq.
  assert (x - C >= np -> times (x - C) (map kind_of (pieces p)) = 0) as Z.
  { intros H; apply count_occ_not_In; intros (q & E & Hq%kind_below)%in_map_iff; lia. }
  destruct (Nat.ltb_spec x C), (Nat.leb_spec C x), (Nat.ltb_spec x (C + np)), (Nat.leb_spec (C + np) x),
    (Nat.ltb_spec x (C + np + nc)); cbn [andb]; lia.
Qed.

Lemma times_taken x q : times x (taken q) = times x (map fst q) + times x (flat_map snd q).
Proof.
  induction q as [|o q IH]; [easy|]; unfold taken in *; cbn [flat_map map takes].
  rewrite !times_app, IH; unfold times; cbn [takes count_occ]; destruct (Nat.eq_dec (fst o) x); cbn; lia.
Qed.

Lemma exact_halves q : incl q options -> exact q start <->
  Permutation (map fst q) firsts /\ Permutation (flat_map snd q) (seq 0 C).
Proof.
  intros I.
  assert (forall x, x < C -> times x (map fst q) = 0) as F.
  { intros x Hx; apply count_occ_not_In; intros (o & <- & Ho)%in_map_iff.
    destruct (option_cells o (I o Ho)) as (_ & _ & _ & H & _); lia. }
  assert (forall x, C <= x -> times x (flat_map snd q) = 0) as G.
  { intros x Hx; apply count_occ_not_In; intros (o & Ho & H)%in_flat_map.
    apply option_cells in H; [lia | now apply I]. }
  rewrite !(Permutation_count_occ Nat.eq_dec); fold (times); unfold exact.
  assert (forall x, x < C -> start x = 1) as S1.
  { intros x Hx; unfold start; now rewrite (proj2 (Nat.ltb_lt x C) Hx). }
  split.
  - intros E; split; intros x; specialize (E x); rewrite times_taken in E;
      [change (times x (map fst q) = times x firsts); rewrite times_firsts
      |change (times x (flat_map snd q) = times x (seq 0 C)); rewrite times_seq];
      cbn [Nat.leb andb]; rewrite ?Nat.add_0_l;
      destruct (Nat.ltb_spec x C) as [H|H];
      rewrite ?(F x H), ?(G x H), ?(S1 x H) in *; lia.
  - intros (E1 & E2) x; specialize (E1 x); specialize (E2 x); rewrite times_taken.
    change (times x (map fst q) = times x firsts) in E1; rewrite times_firsts in E1.
    change (times x (flat_map snd q) = times x (seq 0 C)) in E2; rewrite times_seq in E2.
    cbn [Nat.leb andb] in E2; rewrite ?Nat.add_0_l in E2.
    destruct (Nat.ltb_spec x C) as [H|H]; rewrite ?(S1 x H); lia.
Qed.

Lemma filter_halves (f : option_ -> bool) q :
  Permutation q (filter (fun o => negb (f o)) q ++ filter f q).
Proof.
  induction q as [|o q IH]; [easy|]; cbn; destruct (f o); cbn.
  - now apply Permutation_cons_app.
  - now apply perm_skip.
Qed.

Lemma fst_filter (g : nat -> bool) q :
  map fst (filter (fun o : option_ => g (fst o)) q) = filter g (map fst q).
Proof. induction q as [|o q IH]; [easy|]; cbn; destruct (g (fst o)); cbn; now rewrite IH. Qed.

Lemma permutation_filter {A} (g : A -> bool) l l' : Permutation l l' -> Permutation (filter g l) (filter g l').
Proof.
  induction 1 as [|x l l' _ IH|x y l|]; cbn; auto.
  - destruct (g x); auto.
  - destruct (g x), (g y); auto; constructor.
  - etransitivity; eauto.
Qed.

Lemma filter_all {A} (g : A -> bool) l : (forall x, In x l -> g x = true) -> filter g l = l.
Proof. induction l as [|x l IH]; intros H; [easy|]; cbn; rewrite H, IH; cbn; auto with datatypes. Qed.

Lemma filter_none {A} (g : A -> bool) l : (forall x, In x l -> g x = false) -> filter g l = [].
Proof. induction l as [|x l IH]; intros H; [easy|]; cbn; rewrite H; cbn; auto with datatypes. Qed.

Lemma places_firsts q : Permutation (map fst q) firsts ->
  Permutation (map fst (filter (fun o => negb (is_label o)) q)) (map (fun r => C + kind_of r) (pieces p)) /\
  Permutation (map fst (filter is_label q)) (seq (C + np) nc).
Proof.
  intros P; unfold is_label.
  rewrite (fst_filter (fun i => C + np <=? i)), (fst_filter (fun i => negb (C + np <=? i))).
  rewrite !(permutation_filter _ _ _ P); unfold firsts; rewrite !filter_app; split.
  - rewrite filter_all, filter_none, app_nil_r; [easy| |].
    + intros x Hx%in_seq; apply negb_false_iff, Nat.leb_le; lia.
    + intros x (r & <- & Hr%kind_below)%in_map_iff; apply negb_true_iff, Nat.leb_gt; lia.
  - rewrite filter_none, filter_all; [easy| |].
    + intros x Hx%in_seq; apply Nat.leb_le; lia.
    + intros x (r & <- & Hr%kind_below)%in_map_iff; apply Nat.leb_gt; lia.
Qed.

(** ** From a tiling to an exact cover *)

Lemma cells_at_app l m : cells_at b (l ++ m) = cells_at b l ++ cells_at b m.
Proof. apply map_app. Qed.

Lemma tiling_inside r t : tiling p r t -> forall a, In a t ->
  In (fst a) (pieces p) /\ covers (fst a) (snd a) /\ NoDup (snd a) /\ incl (snd a) b.
Proof.
  intros (_ & M & F & P) a Ha; rewrite Forall_forall in F.
  assert (Permutation (concat r ++ flat_map snd t) b) as P' by easy.
  destruct (in_split _ _ Ha) as (t1 & t2 & ->).
  rewrite flat_map_app in P; cbn [flat_map] in P.
  split; [rewrite <- M; now apply in_map|]; split; [now apply F|].
  assert (Permutation (snd a ++ concat r ++ flat_map snd t1 ++ flat_map snd t2) b) as Q.
  { rewrite <- P, (Permutation_app_comm (snd a) (flat_map snd t2)), !app_assoc.
    now rewrite (Permutation_app_comm _ (snd a)), !app_assoc. }
  split.
  - eapply nodup_left, (Permutation_NoDup (Permutation_sym Q) b_once).
  - intros x Hx; rewrite <- Q; apply in_app_iff; now left.
Qed.

Lemma marks_spec r : Forall2 (@In (list cell)) r (categories p) -> incl (marks r) label_options /\
  map fst (marks r) = seq (C + np) nc /\ Permutation (cells_at b (flat_map snd (marks r))) (concat r).
Proof.
  intros F; unfold marks.
  assert (forall cs k, Forall2 (@In (list cell)) r cs ->
    (forall j, j < length cs -> k + j < nc /\ nth (k + j) (categories p) [] = nth j cs []) ->
    let m := map (fun m => (C + np + fst m, positions b (snd m))) (combine (seq k (length cs)) r) in
    incl m label_options /\ map fst m = seq (C + np + k) (length cs) /\
    Permutation (cells_at b (flat_map snd m)) (concat r)) as G.
  { clear F; induction r as [|l r IH]; intros cs k H N.
    - inversion_clear H; cbn; repeat split; easy.
    - inversion H as [|? c ? cs' Hl H2]; subst; clear H; cbn [length seq combine map flat_map concat snd fst].
      destruct (IH cs' (S k) H2) as (I1 & I2 & I3).
      + intros j Hj; destruct (N (S j)) as (A & B); [cbn; lia|].
        rewrite <- Nat.add_succ_comm in A, B; split; [lia | easy].
      + destruct (N 0) as (A & B); [cbn; lia|]; rewrite Nat.add_0_r in *; cbn in B.
        assert (Il : In (C + np + k, positions b l) label_options)
          by (apply label_options_spec; exists k, l; rewrite B; auto).
        repeat split.
        * intros o [<-|Ho]; [easy | now apply I1].
        * f_equal; rewrite I2; f_equal; lia.
        * rewrite cells_at_app, I3; apply Permutation_app_tail.
          destruct (labels_drawn wf c l) as (_ & N1 & N2); auto;
            [rewrite <- B; now apply nth_In|]; now apply cells_at_positions. }
  destruct (G (categories p) 0 F) as (G1 & G2 & G3); [auto|].
  rewrite Nat.add_0_r in G2; auto.
Qed.

Lemma cells_at_injective l m : (forall x, In x l -> x < C) -> (forall x, In x m -> x < C) ->
  cells_at b l = cells_at b m -> l = m.
Proof.
  revert m; induction l as [|x l IH]; intros [|y m] Hl Hm [=]; auto; f_equal.
  - apply (at_injective b b_once); auto with datatypes.
  - apply IH; auto with datatypes.
Qed.

Lemma cells_at_permutation l m : (forall x, In x l -> x < C) -> (forall x, In x m -> x < C) ->
  Permutation (cells_at b l) (cells_at b m) -> Permutation l m.
Proof.
  intros Hl Hm P; destruct (Permutation_map_inv (at_ b) _ P) as (l' & E & P').
  apply cells_at_injective in E; [now subst| easy |].
  intros x Hx; apply Hm; now rewrite P'.
Qed.

Lemma lay_option r t a : tiling p r t -> In a t -> In (lay a) place_options.
Proof.
  intros T Ha; destruct (tiling_inside r t T a Ha) as (Hp & Hc & N & I).
  destruct (kind_spec (pieces p) (fst a) (pieces_drawn wf) Hp) as (K & A).
  apply place_options_spec; exists (kind_of (fst a)), (snd a).
  rewrite (nth_indep _ no_piece (fst a) K); repeat split; auto; [|now apply A].
  apply (kind_alike _ _ _ (pieces_drawn wf)); auto; now apply nth_In.
Qed.

Lemma tiling_exact r t : tiling p r t ->
  exact (map lay t ++ marks r) start /\ incl (map lay t ++ marks r) options.
Proof.
  intros T; assert (T' := T); destruct T' as (R & M & _ & P).
  destruct (marks_spec r R) as (I1 & F1 & C1).
  assert (I : incl (map lay t ++ marks r) options).
  { intros o [(a & <- & Ha)%in_map_iff|Ho]%in_app_iff; unfold options; rewrite in_app_iff.
    - left; eapply lay_option; eauto.
    - right; now apply I1. }
  split; [|easy]; apply exact_halves; [easy|]; split.
  - rewrite map_app, F1, map_map; unfold firsts; apply Permutation_app_tail.
    transitivity (map (fun q => C + kind_of q) (map fst t)); [now rewrite map_map | now rewrite M].
  - apply cells_at_permutation.
    + intros x (o & Ho & Hx)%in_flat_map; apply option_cells in Hx; auto.
    + intros x Hx%in_seq; lia.
    + rewrite cells_at_all; transitivity (concat r ++ flat_map snd t); [|easy].
      rewrite flat_map_app, cells_at_app, C1, Permutation_app_comm.
      apply Permutation_app_head.
      assert (forall a, In a t -> NoDup (snd a) /\ incl (snd a) b) as B
        by (intros a Ha; now apply (tiling_inside r t T)).
      clear - B b_once; induction t as [|a t IH]; [easy|]; cbn [map flat_map].
      rewrite cells_at_app, IH by auto with datatypes; apply Permutation_app_tail.
      destruct (B a (or_introl eq_refl)); now apply cells_at_positions.
Qed.

(** ** From an exact cover to a tiling *)

Lemma exact_tiling r q : Forall2 (@In (list cell)) r (categories p) -> exact q start -> incl q options ->
  Permutation (filter is_label q) (marks r) ->
  exists t, tiling p r t /\ Permutation (map lay t) (filter (fun o => negb (is_label o)) q).
Proof.
  intros R E I L; apply exact_halves in E as (F & G); [|easy].
  apply places_firsts in F as (F & _).
  set (lays := filter (fun o => negb (is_label o)) q) in *.
  assert (IL : forall o, In o lays -> In o place_options).
  { intros o (Ho & N)%filter_In; assert (X := I o Ho); apply in_app_iff in X as [|X]; [easy|].
    assert (is_label o = true) by (now apply option_cells; [apply I|]); now rewrite H in N. }
  destruct (marks_spec r R) as (_ & _ & C1).
  destruct (Permutation_map_inv fst _ (Permutation_sym F)) as (q' & F' & P').
  assert (IQ : forall o, In o q' -> In o place_options) by (intros o Ho; apply IL; now rewrite P').
  assert (Hall : exists t, map fst t = pieces p /\ map lay t = q' /\
    Forall (fun a => covers (fst a) (snd a)) t /\ Permutation (flat_map snd t) (cells_at b (flat_map snd q'))).
  { assert (forall ps, incl ps (pieces p) -> map (fun r => C + kind_of r) ps = map fst q' ->
      exists t, map fst t = ps /\ map lay t = q' /\
      Forall (fun a => covers (fst a) (snd a)) t /\ Permutation (flat_map snd t) (cells_at b (flat_map snd q'))) as X;
      [|now apply X].
    clear - IQ wf b_once; induction q' as [|o q' IH]; intros [|pc ps] Hps [=].
    - exists []; repeat split; auto.
    - destruct (IH ltac:(auto with datatypes) ps) as (t & T1 & T2 & T3 & T4); auto; [intros x Hx; apply Hps; now right|].
      assert (Hpc : In pc (pieces p)) by (apply Hps; now left).
      destruct (kind_spec (pieces p) pc (pieces_drawn wf) Hpc) as (K & A).
      assert (In o place_options) as Ho by (apply IQ; now left).
      apply place_options_spec in Ho as (i & c & Hi & Ki & Hc & Hin & N & ->); cbn [fst snd] in *.
      assert (i = kind_of pc) as -> by lia.
      rewrite (nth_indep _ no_piece pc K) in Hc.
      exists ((pc, c) :: t); cbn [map fst snd flat_map]; repeat split.
      + now f_equal.
      + unfold lay at 1; cbn [fst snd]; now f_equal.
      + constructor; [now apply A | easy].
      + rewrite cells_at_app, <- T4; apply Permutation_app_tail; symmetry; now apply cells_at_positions. }
  destruct Hall as (t & T1 & T2 & T3 & T4); exists t; split.
  - repeat split; auto; rewrite T4.
    transitivity (cells_at b (seq 0 C)); [|now rewrite cells_at_all].
    rewrite <- C1, <- cells_at_app, <- flat_map_app; apply Permutation_map.
    rewrite <- G; apply Permutation_flat_map.
    rewrite (filter_halves is_label q), <- L; fold lays; rewrite P'; apply Permutation_app_comm.
  - now rewrite T2, P'.
Qed.

(** ** Two tilings are the same if they are the same exact cover. *)

Lemma same_lay r t u : tiling p r t -> tiling p r u -> same t u <-> Permutation (map lay t) (map lay u).
Proof.
  intros T U; split.
  - intros (v & P & F); rewrite P.
    assert (V : forall a, In a v -> In (fst a) (pieces p))
      by (intros a Ha; apply (tiling_inside r t T); now rewrite P).
    assert (W : forall a, In a u -> In (fst a) (pieces p)) by (intros a Ha; now apply (tiling_inside r u U)).
    clear - F V W wf; induction F as [|a c v u (A & Q) F IH]; [easy|]; cbn [map].
    rewrite IH by auto with datatypes.
    replace (lay a) with (lay c); [easy|]; unfold lay; f_equal; [f_equal|].
    + symmetry; apply (kind_alike _ _ _ (pieces_drawn wf)); auto with datatypes.
    + symmetry; now apply positions_permutation.
  - intros P; destruct (Permutation_map_inv lay _ (Permutation_sym P)) as (v & E & Q).
    exists v; split; [easy|].
    assert (V : forall a, In a v -> In (fst a) (pieces p) /\ NoDup (snd a) /\ incl (snd a) b)
      by (intros a Ha; rewrite <- Q in Ha; apply (tiling_inside r t T) in Ha; tauto).
    assert (W : forall a, In a u -> In (fst a) (pieces p) /\ NoDup (snd a) /\ incl (snd a) b)
      by (intros a Ha; apply (tiling_inside r u U) in Ha; tauto).
    clear - E V W wf b_once; revert v E V; induction u as [|c u IH]; intros [|a v] E V; try easy.
    cbn [map] in E; unfold lay at 1 3 in E; injection E as E1 E2 E3.
    destruct (V a) as (V1 & V2 & V3), (W c) as (W1 & W2 & W3); cbn; auto.
    constructor; [|apply IH; auto with datatypes]; split.
    + apply (kind_alike _ _ _ (pieces_drawn wf)); auto; lia.
    + rewrite <- (cells_at_positions b b_once (snd a)), <- (cells_at_positions b b_once (snd c)) by auto.
      now rewrite E2.
Qed.

(** An option is no more than what it takes. *)
Lemma option_ext o o' : In o options -> In o' options ->
  (forall x, In x (takes o) <-> In x (takes o')) -> o = o'.
Proof.
  intros H H' E; destruct (option_cells o H) as (_ & _ & B & F & _), (option_cells o' H') as (_ & _ & B' & F' & _).
  assert (exists c c', snd o = positions b c /\ snd o' = positions b c') as (c & c' & S & S').
  { apply in_app_iff in H, H'.
    assert (forall o, In o place_options \/ In o label_options -> exists c, snd o = positions b c) as X.
    { clear - wf; intros o [(i & c & _ & _ & _ & _ & _ & ->)%place_options_spec|(j & c & _ & _ & ->)%label_options_spec]; now exists c. }
    destruct (X o H) as (c & ?), (X o' H') as (c' & ?); eauto. }
  destruct o as (f, l), o' as (f', l'); unfold takes in E; cbn [fst snd In] in *.
  assert (f = f') as <- by (destruct (proj1 (E f)) as [|X%B']; [now left | congruence | lia]); f_equal.
  rewrite S, S' in *; apply filter_ext_in; intros i Hi%in_seq; specialize (E i).
  rewrite !positions_spec in E; apply eq_iff_eq_true; rewrite !mem_spec.
  split; intros X; [destruct (proj1 E) | destruct (proj2 E)]; try (right; split; [lia | easy]); try lia; tauto.
Qed.

(** * The number of tilings is the number of the paths that show the reveal. *)

Definition all_paths : list (list option_) := paths items options C 0 start.

Lemma start_beyond x : items <= x -> start x = 0.
Proof.
  unfold start, items; intros H.
  destruct (Nat.ltb_spec x C), (Nat.ltb_spec x (C + np)), (Nat.ltb_spec x (C + np + nc)); lia.
Qed.

Lemma start_cells x : x < C -> start x <= 1.
Proof. unfold start; intros H; now rewrite (proj2 (Nat.ltb_lt x C) H). Qed.

Lemma forall_exists {A B} (P : A -> B -> Prop) l :
  (forall a, In a l -> exists c, P a c) -> exists m, Forall2 P l m.
Proof.
  induction l as [|a l IH]; intros H; [now exists []|].
  destruct (H a) as (c & Hc), IH as (m & Hm); auto with datatypes; eauto.
Qed.

Lemma labels_of_tiling r t : tiling p r t -> filter is_label (map lay t ++ marks r) = marks r /\
  filter (fun o => negb (is_label o)) (map lay t ++ marks r) = map lay t.
Proof.
  intros T; destruct (tiling_exact r t T) as (_ & I), (marks_spec r (proj1 T)) as (I1 & _).
  assert (forall o, In o (marks r) -> is_label o = true) as A.
  { intros o Ho; apply option_cells; [apply I, in_app_iff; now right | now apply I1]. }
  assert (forall o, In o (map lay t) -> is_label o = false) as B.
  { intros o (a & <- & Ha)%in_map_iff; destruct (tiling_inside r t T a Ha) as (Hp & _).
    apply Nat.leb_gt; cbn; apply kind_below in Hp; lia. }
  rewrite !filter_app, (filter_none is_label (map lay t)), (filter_all is_label (marks r)) by auto.
  rewrite (filter_all _ (map lay t)), (filter_none _ (marks r)); [now rewrite app_nil_r| |].
  - intros o Ho; now rewrite A.
  - intros o Ho; now rewrite B.
Qed.

(** ** A list of exact covers that has all of them, each once *)
Theorem tilings_are_listed r found : Forall2 (@In (list cell)) r (categories p) ->
  Forall (fun q => exact q start /\ incl q options /\ Permutation (filter is_label q) (marks r)) found ->
  ForallOrdPairs (fun q q' => ~ Permutation q q') found ->
  (forall q, exact q start -> incl q options -> Permutation (filter is_label q) (marks r) ->
    Exists (Permutation q) found) ->
  number_of_tilings p r (N.of_nat (length found)).
Proof.
  intros R Y D A; set (rest := filter (fun o => negb (is_label o))).
  destruct (forall_exists (fun q t => (tiling p r t /\ Permutation (map lay t) (rest q)) /\
    Permutation (filter is_label q) (marks r)) found) as (tilings & F).
  { intros q Hq; rewrite Forall_forall in Y; destruct (Y q Hq) as (E & I & L).
    destruct (exact_tiling r q R E I L) as (t & T); now exists t. }
  assert (L : forall q t u, Permutation (map lay t) (rest q) -> Permutation (filter is_label q) (marks r) ->
    tiling p r t -> tiling p r u -> same t u -> Permutation q (map lay u ++ marks r)).
  { intros q t u Pt Lq T U S; apply (same_lay r) in S; auto.
    now rewrite (filter_halves is_label q), Lq, <- S, Pt. }
  exists tilings; repeat split.
  - f_equal; clear - F; induction F; cbn; auto.
  - clear - F; induction F as [|? ? ? ? ((T & _) & _) ? IH]; constructor; auto.
  - clear A Y; induction F as [|q t found tilings ((T & P) & Lq) F IH]; [constructor|].
    inversion_clear D as [|? ? Dq D']; constructor; [clear IH D' | now apply IH].
    induction F as [|q' u found tilings ((U & P') & Lq') F IH]; constructor; inversion_clear Dq as [|? ? N Dq'].
    + intros S; apply N; rewrite (L q t u P Lq T U S), (filter_halves is_label q'), Lq'.
      now apply Permutation_app_tail.
    + now apply IH.
  - intros t T; destruct (tiling_exact r t T) as (E & I).
    destruct (labels_of_tiling r t T) as (L1 & L2).
    specialize (A _ E I); rewrite L1 in A; specialize (A (Permutation_refl _)).
    clear - A F L1 L2 T wf b_once; induction F as [|q u found tilings ((U & P) & Lq) F IH]; [inversion A|].
    inversion A as [? ? Q|? ? A']; subst; [left | right; now apply IH].
    apply (same_lay r); auto; rewrite P, <- L2; subst rest; cbn beta; now apply permutation_filter.
Qed.

Theorem tilings_are_paths r (shows : list option_ -> bool) :
  Forall2 (@In (list cell)) r (categories p) ->
  (forall q, exact q start -> incl q options -> shows q = true <-> Permutation (filter is_label q) (marks r)) ->
  number_of_tilings p r (N.of_nat (length (filter shows all_paths))).
Proof.
  intros R S; assert (CI : C <= items) by (unfold items; lia).
  assert (X : forall q, In q all_paths -> exact q start /\ incl q options).
  { intros q Hq; eapply (paths_exact items C options CI options_ok); [exact Hq | exact start_beyond]. }
  apply tilings_are_listed; auto.
  - apply Forall_forall; intros q (Hq & Sq)%filter_In; destruct (X q Hq); repeat split; auto; now apply S.
  - assert (N : NoDup (filter shows all_paths)) by (apply NoDup_filter, paths_nodup, options_nodup).
    assert (I : forall q, In q (filter shows all_paths) -> In q all_paths) by (intros q Hq; now apply filter_In in Hq).
    induction N as [|q l Nq N IH]; constructor; [|apply IH; auto with datatypes].
    apply Forall_forall; intros q' Hq' P; apply Nq.
    enough (q = q') by now subst.
    apply (paths_permutation items C options CI options_ok C 0 start); auto using start_cells, start_beyond;
      apply I; cbn; auto.
  - intros q E I L; destruct (paths_complete items C options CI options_ok C 0 start q E I) as (q' & P & Hq);
      auto using start_cells, start_beyond; [lia|].
    apply Exists_exists; exists q'; split; [|easy]; apply filter_In; split; [easy|].
    destruct (X q' Hq); apply S; auto; rewrite <- L; apply permutation_filter; now symmetry.
Qed.

End Puzzle.
