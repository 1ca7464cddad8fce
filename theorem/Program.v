(** What the program does between two texts: it reads a sheet, counts or checks, and names reveals. *)
From Coq Require Import String List ZArith Bool.
From Satcal Require Import Spec Reader Places Tilings Counts Checker.
Import ListNotations.

Inductive failure := Misread (m : misreading) | Refused (r : refusal) | Unnamed.

(** The reveal of these labels, and the labels of a reveal *)
Definition region (s : sheet) (label : string) : list cell := marked (String.eqb label) (rows s).
Definition reveal (s : sheet) : list string -> list (list cell) := map (region s).
Fixpoint names (s : sheet) (r : list (list cell)) : option (list string) :=
  match r with
  | [] => Some []
  | cells :: r =>
    match find (fun label => cells_eqb (region s label) cells) (concat (labels s)), names s r with
    | Some label, Some found => Some (label :: found)
    | _, _ => None
    end
  end.

Lemma names_right s r : forall found, names s r = Some found -> reveal s found = r.
Proof.
  induction r as [|cells r IH]; intros found; cbn [names]; [now intros [= <-]|].
  destruct (find _ _) as [label|] eqn:F, (names s r) as [l|]; try easy; intros [= <-].
  apply find_some in F as (_ & E); unfold cells_eqb in E; cbn [reveal map].
  destruct (list_eq_dec _ _ _) as [<-|]; [|easy]; f_equal; now apply IH.
Qed.

Definition counter : Type := puzzle -> list (list (list cell) * N).
Definition counts_right (c : counter) : Prop := forall p, well_formed p -> rows_right p (c p).

(** [arrange] puts the cells of the board into the order in which they are to be covered. *)
Definition count_text (c : counter) (arrange : puzzle -> list cell) (t : string) (named : list string) :
  failure + sheet * N :=
  match read t with
  | inl m => inl (Misread m)
  | inr s =>
    let p := meaning s in
    match one_reveal c p (arrange p) (reveal s named) with
    | inl f => inl (Refused (Faulty f))
    | inr n => inr (s, n)
    end
  end.

Theorem count_text_right c arrange t named s n : counts_right c -> count_text c arrange t named = inr (s, n) ->
  tidy s = true /\ text s = t /\ number_of_tilings (meaning s) (reveal s named) n.
Proof.
  unfold count_text; intros R; destruct (read t) as [|s'] eqn:E; [easy|].
  destruct (one_reveal _ _ _ _) eqn:F; [easy|]; intros [= -> ->].
  destruct (read_right t s E); split; [easy|]; split; [easy|]; eapply one_reveal_right; eauto.
Qed.

(** Every reveal by its labels, with the number of its tilings *)
Fixpoint with_names (s : sheet) (l : list (list (list cell) * N)) : option (list (list string * N)) :=
  match l with
  | [] => Some []
  | (r, n) :: l =>
    match names s r, with_names s l with Some found, Some l => Some ((found, n) :: l) | _, _ => None end
  end.

Definition table_text (c : counter) (arrange : puzzle -> list cell) (t : string) :
  failure + sheet * list (list (list cell) * N) * list (list string * N) :=
  match read t with
  | inl m => inl (Misread m)
  | inr s =>
    let p := meaning s in
    match every_reveal c p (arrange p) with
    | inl f => inl (Refused (Faulty f))
    | inr l => match with_names s l with Some named => inr (s, l, named) | None => inl Unnamed end
    end
  end.

Lemma with_names_right s l : forall named, with_names s l = Some named ->
  map (fun row => (reveal s (fst row), snd row)) named = l.
Proof.
  induction l as [|(r, n) l IH]; intros named; cbn [with_names]; [now intros [= <-]|].
  destruct (names s r) as [found|] eqn:F, (with_names s l) as [rest|]; try easy; intros [= <-].
  cbn [map fst snd]; now rewrite (names_right s r found F), (IH rest eq_refl).
Qed.

Theorem table_text_right c arrange t s l named : counts_right c -> table_text c arrange t = inr (s, l, named) ->
  tidy s = true /\ text s = t /\
  rows_right (meaning s) (map (fun row => (reveal s (fst row), snd row)) named).
Proof.
  unfold table_text; intros R; destruct (read t) as [|s'] eqn:E; [easy|].
  destruct (every_reveal _ _ _) eqn:F; [easy|]; destruct (with_names _ _) eqn:W; [|easy].
  intros [= -> -> ->]; destruct (read_right t s E); split; [easy|]; split; [easy|].
  rewrite (with_names_right _ _ _ W); eapply every_reveal_right; eauto.
Qed.

(** The trees of some reveals, named by their labels *)
Definition check_text (c : checker) (t : string) (named : list (list string)) (bytes : tree) :
  failure + sheet * list N :=
  match read t with
  | inl m => inl (Misread m)
  | inr s =>
    match guarded c (meaning s) (map (reveal s) named) bytes with
    | inl r => inl (Refused r)
    | inr numbers => inr (s, numbers)
    end
  end.

Theorem check_text_right c t named bytes s numbers : checks c -> check_text c t named bytes = inr (s, numbers) ->
  tidy s = true /\ text s = t /\
  Forall2 (fun labels n => number_of_tilings (meaning s) (reveal s labels) n) named numbers.
Proof.
  unfold check_text; intros R; destruct (read t) as [|s'] eqn:E; [easy|].
  destruct (guarded _ _ _ _) as [|l] eqn:F; [easy|]; intros [= -> ->].
  destruct (read_right t s E); split; [easy|]; split; [easy|].
  apply guarded_right in F; auto; revert numbers F; clear; induction named as [|labels named IH];
    intros numbers F; inversion_clear F; constructor; auto.
Qed.
