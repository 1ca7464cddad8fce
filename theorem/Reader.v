(** The reader of sheets: what it accepts is the text of the sheet that it returns, letter for letter. *)
From Coq Require Import String Ascii List Lia Bool Arith.
From Satcal Require Import Spec.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.

Definition newline : ascii := "010".

Fixpoint split (c : ascii) (s : string) : list string :=
  match s with
  | EmptyString => [""]
  | String a s =>
    if Ascii.eqb a c then "" :: split c s
    else match split c s with w :: ws => String a w :: ws | [] => [] end
  end.

Fixpoint span {A} (f : A -> bool) (l : list A) : list A * list A :=
  match l with
  | [] => ([], [])
  | a :: l => if f a then let (b, c) := span f l in (a :: b, c) else ([], a :: l)
  end.

Definition begins (word : string) (line : list string) : bool := String.eqb (hd "" line) word.

(** The sheet that these lines would be of, if they are of any *)
Definition guess (lines : list (list string)) : sheet :=
  let (rows, lines) := span (fun l => negb (begins "category" l || begins "piece" l)) (tl lines) in
  let (labels, lines) := span (begins "category") lines in
  Sheet rows (map (@tl string) labels) (snd (fold_right
    (fun line found => if begins "piece" line then ([], (fst found, match tl line with [] => true | _ => false end) :: snd found)
                       else (hd "" line :: fst found, snd found)) ([], []) lines)).

(** ** Which sheets are tidy: nothing else is read, and no two tidy sheets have the same text. *)

(** Words are printable ASCII without blanks, commas and quotes, and none of the three that begin lines. *)
Definition printable (c : ascii) : bool :=
  let n := nat_of_ascii c in (33 <=? n)%nat && (n <=? 126)%nat && negb (existsb (Ascii.eqb c) ["034"; "039"; ","])%char.
Definition is_word (w : string) : bool :=
  negb (existsb (String.eqb w) [""; "board"; "category"; "piece"]) && forallb printable (list_ascii_of_string w).
Definition is_row (w : string) : bool :=
  negb (String.eqb w "") && forallb (fun c => Ascii.eqb c "#" || Ascii.eqb c ".") (list_ascii_of_string w).

Definition words_right (s : sheet) : bool :=
  forallb (fun row => is_word (hd "" row)) (rows s) && forallb (forallb is_word) (rows s ++ labels s).
Definition marks_right (s : sheet) : bool := forallb (forallb is_row) (map fst (drawings s)).
Definition labels_known (s : sheet) : bool :=
  forallb (fun w => existsb (String.eqb w) ("." :: "*" :: concat (labels s))) (concat (rows s)).
Definition tidy (s : sheet) : bool := words_right s && marks_right s && labels_known s.

(** Why a text is refused: the number of the first line that is not as it would be written, or … *)
Inductive misreading := OtherLine (number : nat) | OtherWord | OtherMark | UnknownLabel.

Fixpoint first_other (k : nat) (l m : list string) : nat :=
  match l, m with
  | a :: l, b :: m => if String.eqb a b then first_other (S k) l m else k
  | _, _ => k
  end.

Definition read (t : string) : misreading + sheet :=
  let found := split newline t in
  let s := guess (map (split " ") (removelast found)) in
  if String.eqb (text s) t then
    if negb (words_right s) then inl OtherWord
    else if negb (marks_right s) then inl OtherMark
    else if negb (labels_known s) then inl UnknownLabel
    else inr s
  else inl (OtherLine (first_other 1 (split newline (text s)) found)).

Theorem read_right t s : read t = inr s -> tidy s = true /\ text s = t.
Proof.
  unfold read, tidy; set (s' := guess _); destruct (String.eqb_spec (text s') t); [|easy].
  destruct (words_right s') eqn:E1; [|easy]; destruct (marks_right s') eqn:E2; [|easy].
  destruct (labels_known s') eqn:E3; [|easy]; intros [= <-]; now rewrite E1, E2, E3.
Qed.

(** ** The text of a tidy sheet is read as that sheet. *)

Fixpoint lacks (c : ascii) (s : string) : Prop :=
  match s with EmptyString => True | String a s => a <> c /\ lacks c s end.

Lemma append_assoc (a b c : string) : ((a ++ b) ++ c = a ++ b ++ c)%string.
Proof. induction a as [|x a IH]; [easy|]; cbn; now rewrite IH. Qed.

Lemma append_nil (a : string) : (a ++ "" = a)%string.
Proof. induction a as [|x a IH]; [easy|]; cbn; now rewrite IH. Qed.

Lemma lacks_append c a b : lacks c a -> lacks c b -> lacks c (a ++ b)%string.
Proof. induction a as [|x a IH]; cbn; tauto. Qed.

Lemma split_lacks c a : lacks c a -> split c a = [a].
Proof.
  induction a as [|x a IH]; cbn; [easy|]; intros (N & H); rewrite IH by easy.
  now destruct (Ascii.eqb_spec x c).
Qed.

Lemma split_append c a b : lacks c a -> split c (a ++ String c b) = a :: split c b.
Proof.
  induction a as [|x a IH]; cbn; [now rewrite Ascii.eqb_refl|]; intros (N & H); rewrite IH by easy.
  now destruct (Ascii.eqb_spec x c).
Qed.

Lemma concat_cons sep a b l : String.concat sep (a :: b :: l) = (a ++ sep ++ String.concat sep (b :: l))%string.
Proof. reflexivity. Qed.

Lemma split_words l : l <> [] -> Forall (lacks " ") l -> split " " (String.concat " " l) = l.
Proof.
  induction l as [|a [|b l] IH]; intros N F; inversion_clear F as [|? ? H F']; [easy| |].
  - now apply split_lacks.
  - rewrite concat_cons; cbn [String.append]; rewrite split_append by easy; f_equal; now apply IH.
Qed.

Lemma concat_lacks c sep l : lacks c sep -> Forall (lacks c) l -> lacks c (String.concat sep l).
Proof.
  intros S F; induction F as [|a [|b l] H F IH]; [easy|easy|].
  rewrite concat_cons; auto using lacks_append.
Qed.

Lemma concat_empty a l : String.concat "" (a :: l) = (a ++ String.concat "" l)%string.
Proof. destruct l; cbn; [now rewrite append_nil | easy]. Qed.

Lemma split_lines l : Forall (lacks newline) l ->
  split newline (String.concat "" (map (fun a => (a ++ String newline "")%string) l)) = l ++ [""].
Proof.
  intros F; induction F as [|a l H F IH]; [easy|]; cbn [map app]; rewrite concat_empty, append_assoc.
  cbn [String.append]; rewrite split_append by easy; now rewrite IH.
Qed.

Definition sound (w : string) : Prop := lacks " " w /\ lacks newline w.

Lemma lines_read s : Forall (fun l => l <> [] /\ Forall sound l) (lines s) ->
  map (split " ") (removelast (split newline (text s))) = lines s.
Proof.
  intros F; unfold text.
  replace (map _ (lines s)) with (map (fun a => (a ++ String newline "")%string) (map (String.concat " ") (lines s)))
    by (now rewrite map_map).
  rewrite split_lines, removelast_last, map_map.
  - rewrite <- map_id; apply map_ext_in; intros l H; rewrite Forall_forall in F; destruct (F l H) as (N & G).
    apply split_words; [easy|]; revert G; apply Forall_impl; now intros ? [].
  - rewrite Forall_forall in *; intros ? (l & <- & H)%in_map_iff; destruct (F l H) as (N & G).
    apply concat_lacks; [easy|]; revert G; apply Forall_impl; now intros ? [].
Qed.

Lemma span_app {A} (f : A -> bool) a b : forallb f a = true -> match b with [] => True | x :: _ => f x = false end ->
  span f (a ++ b) = (a, b).
Proof.
  intros H B; induction a as [|x a IH]; cbn in *.
  - destruct b; [easy|]; cbn; now rewrite B.
  - apply andb_true_iff in H as (-> & H); now rewrite IH.
Qed.

Lemma printable_sound c : printable c = true -> c <> " "%char /\ c <> newline.
Proof. intros H; split; intros ->; vm_compute in H; discriminate H. Qed.

Lemma forallb_sound (f : ascii -> bool) w : (forall c, f c = true -> c <> " "%char /\ c <> newline) ->
  forallb f (list_ascii_of_string w) = true -> sound w.
Proof.
  intros F; unfold sound; induction w as [|c w IH]; cbn; [easy|]; intros (H & G)%andb_true_iff.
  destruct (F c H), (IH G); tauto.
Qed.

Lemma word_sound w : is_word w = true -> sound w.
Proof. intros (_ & H)%andb_true_iff; revert H; apply forallb_sound, printable_sound. Qed.

Lemma row_sound w : is_row w = true -> sound w.
Proof.
  intros (_ & H)%andb_true_iff; revert H; apply forallb_sound; intros c.
  rewrite orb_true_iff, !Ascii.eqb_eq; intros [-> | ->]; split; intros E; discriminate E.
Qed.

Lemma word_begins w : is_word w = true -> String.eqb w "category" = false /\ String.eqb w "piece" = false.
Proof.
  unfold is_word; rewrite andb_true_iff, negb_true_iff; cbn [existsb]; intros (H & _).
  apply orb_false_iff in H as (_ & H); apply orb_false_iff in H as (_ & H).
  apply orb_false_iff in H as (H1 & H); apply orb_false_iff in H as (H2 & _); easy.
Qed.

Lemma row_begins w : is_row w = true -> String.eqb w "piece" = false.
Proof.
  intros H; destruct (String.eqb_spec w "piece"); [|easy]; subst; vm_compute in H; discriminate H.
Qed.

Lemma pieces_read l : forallb (forallb is_row) (map fst l) = true ->
  fold_right (fun line found => if begins "piece" line then ([], (fst found, match tl line with [] => true | _ => false end) :: snd found)
      else (hd "" line :: fst found, snd found)) ([], [])
    (flat_map (fun d : _ * bool => ("piece" :: if snd d then [] else ["no-flip"]) :: map (fun row => [row]) (fst d)) l) = ([], l).
Proof.
  induction l as [|(d, flips) l IH]; [easy|]; cbn [map forallb fst snd flat_map]; intros (H & G)%andb_true_iff.
  rewrite fold_right_app, IH by easy; cbn [fold_right].
  enough (fold_right (fun line found => if begins "piece" line
      then ([], (fst found, match tl line with [] => true | _ => false end) :: snd found)
      else (hd "" line :: fst found, snd found)) ([], l) (map (fun row => [row]) d) = (d, l)) as ->
    by (now destruct flips).
  clear - H; induction d as [|w d IH]; [easy|]; cbn in *; apply andb_true_iff in H as (H & G).
  unfold begins at 1; cbn; rewrite row_begins by easy; now rewrite IH.
Qed.

Theorem read_all s : tidy s = true -> read (text s) = inr s.
Proof.
  unfold read, tidy; intros ((H1 & H2)%andb_true_iff & H3)%andb_true_iff.
  assert (H1' := H1); apply andb_true_iff in H1' as (Hr & Hw); rewrite forallb_app in Hw.
  apply andb_true_iff in Hw as (Wr & Wl).
  rewrite lines_read.
  - assert (guess (lines s) = s) as ->; [|now rewrite String.eqb_refl, H1, H2, H3].
    destruct s as [rs ls ds]; unfold lines; cbn [rows labels drawings] in *; unfold guess; cbn [app tl].
    rewrite span_app; [rewrite span_app| |].
    + rewrite pieces_read by easy; cbn [snd]; f_equal; rewrite map_map; cbn [tl]; apply map_id.
    + apply forallb_forall; now intros ? (l & <- & _)%in_map_iff.
    + destruct ds as [|(d, [])]; easy.
    + apply forallb_forall; intros l Hl; rewrite forallb_forall in Hr; apply Hr, word_begins in Hl as (A & B).
      unfold begins; now rewrite A, B.
    + destruct ls as [|l ls]; [|easy]; destruct ds as [|(d, [])]; easy.
  - unfold lines; apply Forall_app; split; [repeat constructor; easy|]; apply Forall_app; split.
    + apply Forall_forall; intros l Hl; rewrite forallb_forall in Hr, Wr; split; [intros ->; now apply Hr in Hl|].
      specialize (Wr l Hl); apply Forall_forall; rewrite forallb_forall in Wr; auto using word_sound.
    + apply Forall_app; split.
      * apply Forall_forall; intros ? (l & <- & Hl)%in_map_iff; split; [easy|].
        rewrite forallb_forall in Wl; specialize (Wl l Hl); constructor; [now split; repeat split|].
        apply Forall_forall; rewrite forallb_forall in Wl; auto using word_sound.
      * apply Forall_forall; intros l ((d, flips) & Hd & [<-|Hl])%in_flat_map.
        -- split; [easy|]; destruct flips; repeat constructor; easy.
        -- apply in_map_iff in Hl as (w & <- & Hw); split; [easy|]; constructor; [|easy].
           unfold marks_right in H2; rewrite forallb_forall in H2.
           specialize (H2 d); cbn in H2; rewrite forallb_forall in H2; apply row_sound, H2; [|easy].
           now apply (in_map fst) in Hd.
Qed.

Theorem text_unique s s' : tidy s = true -> tidy s' = true -> text s = text s' -> s = s'.
Proof.
  intros H H' E; apply read_all in H, H'; rewrite E in H; congruence.
Qed.
