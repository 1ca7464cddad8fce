(** The definition, tried on cases whose answers are known; each is a theorem, not a test. *)
From Coq Require Import String Ascii List ZArith.
From Satcal Require Import Spec Reader Counts Checker Program.
Import ListNotations.
Open Scope Z_scope.

Definition grid (rows columns : nat) : list cell :=
  flat_map (fun r => map (fun c => (Z.of_nat r, Z.of_nat c)) (seq 0 columns)) (seq 0 rows).

(** Two L tetrominoes fill two rows of four in two ways: copies have no names. *)
Definition L4 : piece := Piece [(0, 0); (0, 1); (0, 2); (1, 0)] true.
Definition two_L4 : puzzle := Puzzle (grid 2 4) [] [L4; L4].
Theorem two_L4_number : number_of_tilings two_L4 [] 2.
Proof. apply (one_reveal_right (pure_counts 2) _ (grid 2 4)); [exact (pure_counts_right 2) | now vm_compute]. Qed.

(** The search trees of docs/reference/certificates.md, from the text of the puzzle to the numbers. *)
Definition three : string := "board
a * *
* b *
* * *
category a b
piece
##
#.
piece
###
piece
##
"%string.
Definition bytes : list nat -> tree := map ascii_of_nat.
Definition trees : tree := bytes [18; 16; 4; 0; 0; 14; 0; 0; 0; 18; 0; 0; 0; 0; 0; 0; 4; 0; 0; 0; 0; 0]%nat.
Theorem three_certified : exists s, text s = three /\
  number_of_tilings (meaning s) [[(0, 0)]] 4 /\ number_of_tilings (meaning s) [[(1, 1)]] 8.
Proof.
  destruct (check_text pure_check three [["a"]; ["b"]]%string trees) as [|(s, numbers)] eqn:E;
    [now vm_compute in E|].
  assert (R := E); apply check_text_right in R as (_ & T & F); [|exact pure_check_right].
  exists s; split; [easy|]; vm_compute in E; injection E as <- <-.
  inversion_clear F as [|? ? ? ? A G]; inversion_clear G as [|? ? ? ? B]; split; [exact A | exact B].
Qed.
Theorem three_forged : check_text pure_check three [["a"]]%string (bytes [18; 16; 4; 0; 0; 14; 0; 0]%nat) =
  inl (Refused (Flawed (Ended 0))).
Proof. now vm_compute. Qed.

(** The same if the second is drawn as its mirror image, but none if neither may be turned over. *)
Definition J4 : piece := Piece [(0, 0); (1, 0); (1, 1); (1, 2)] true.
Theorem two_drawings : number_of_tilings (Puzzle (grid 2 4) [] [L4; J4]) [] 2.
Proof. apply (one_reveal_right (pure_counts 2) _ (grid 2 4)); [exact (pure_counts_right 2) | now vm_compute]. Qed.

Definition one_sided (p : piece) : piece := Piece (drawing p) false.
Theorem one_sided_L4_J4 : number_of_tilings (Puzzle (grid 2 4) [] [one_sided L4; one_sided J4]) [] 0.
Proof. apply (one_reveal_right (pure_counts 2) _ (grid 2 4)); [exact (pure_counts_right 2) | now vm_compute]. Qed.

(** Dominoes on two rows: the numbers of Fibonacci. A domino maps to itself by half a turn. *)
Definition dominoes (n : nat) : puzzle := Puzzle (grid 2 n) [] (repeat (Piece [(0, 0); (0, 1)] true) n).
Theorem fibonacci : number_of_tilings (dominoes 1) [] 1 /\ number_of_tilings (dominoes 2) [] 2 /\
  number_of_tilings (dominoes 3) [] 3 /\ number_of_tilings (dominoes 4) [] 5 /\
  number_of_tilings (dominoes 5) [] 8 /\ number_of_tilings (dominoes 10) [] 89.
Proof.
  repeat split; (eapply (one_reveal_right (pure_counts 2)); [exact (pure_counts_right 2)|]);
    [instantiate (1 := grid 2 1) | instantiate (1 := grid 2 2) | instantiate (1 := grid 2 3)
    |instantiate (1 := grid 2 4) | instantiate (1 := grid 2 5) | instantiate (1 := grid 2 10)];
    now vm_compute.
Qed.

(** What is no reveal has no tiling: here the only label must stay uncovered. *)
Definition one_label : puzzle := Puzzle (grid 1 3) [[[(0, 0)]]] [Piece [(0, 0); (0, 1)] true].
Theorem its_label : number_of_tilings one_label [[(0, 0)]] 1.
Proof. apply (one_reveal_right (pure_counts 2) _ (grid 1 3)); [exact (pure_counts_right 2) | now vm_compute]. Qed.

Theorem no_label : number_of_tilings one_label [] 0 /\ number_of_tilings one_label [[(0, 2)]] 0.
Proof.
  split; (exists []; split; [reflexivity|]; split; [constructor|]; split; [constructor|]; intros t (F & _)).
  - inversion F.
  - inversion F as [|? ? ? ? I]; destruct I as [I|[]]; discriminate I.
Qed.
