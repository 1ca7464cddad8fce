(* The theorem about a whole table as a file for Coq, which computes the table again *)

open Values

let print (puzzle : C.puzzle) order counter rows =
  let list f l = "[" ^ String.concat "; " (List.map f l) ^ "]" in
  let cells = list (fun (r, c) -> Printf.sprintf "(%d, %d)" (of_z r) (of_z c)) in
  let piece (p : C.piece) = Printf.sprintf "Piece %s %b\n  " (cells p.drawing) p.may_flip in
  let number (reveal, n) = Printf.sprintf "(%s, %s%%N)\n " (list cells reveal) (decimal n) in
  Printf.printf
    {|(* The number of tilings of every reveal of this puzzle, computed and proved by Coq. *)
From Coq Require Import List ZArith.
From Satcal Require Import Spec Counts.
Import ListNotations.
Open Scope Z_scope.
Definition the_puzzle : puzzle := Puzzle
  %s
  %s
  %s.
Definition order : list cell := %s.
Definition rows : list (list (list cell) * N) := %s.
Lemma computed : every_reveal (%s_counts 2) the_puzzle order = inr rows.
Proof. vm_cast_no_check (@eq_refl (fault + _) (inr rows)). Qed.
Theorem every_number : rows_right the_puzzle rows.
Proof. exact (every_reveal_right _ _ _ _ (%s_counts_right 2) computed). Qed.
Print Assumptions every_number.
|} (cells puzzle.board) (list (fun c -> list cells c ^ "\n  ") puzzle.categories) (list piece puzzle.pieces)
    (cells order) (list number rows) counter counter
