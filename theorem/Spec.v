(** What "the number of tilings" of a calendar puzzle means. Everything that is proved here is
    about these definitions; nothing else has to be read in order to know what was proved. *)
From Coq Require Import String Ascii List ZArith Permutation.
Import ListNotations.
Open Scope string_scope. Open Scope list_scope. Open Scope Z_scope.

(** A cell is a row and a column. *)
Definition cell : Type := Z * Z.

(** A piece is a drawing, given by its cells, that may be turned over or may not. *)
Record piece := Piece { drawing : list cell; may_flip : bool }.

(** A puzzle is the cells of a board, categories of labels (a label is the cells that it stands
    on), and pieces; copies of a piece are listed one by one. *)
Record puzzle := Puzzle
  { board : list cell; categories : list (list (list cell)); pieces : list piece }.

(** [turn] is a quarter turn clockwise, [flip] mirrors left and right, [shift] moves by an offset. *)
Definition turn (c : cell) : cell := (snd c, - fst c).
Definition flip (c : cell) : cell := (fst c, - snd c).
Definition shift (by_ c : cell) : cell := (fst by_ + fst c, snd by_ + snd c).
Compute (turn (0, 1), flip (0, 1), shift (2, 3) (0, 1)). (* down, left, and row 2, column 4 *)

(** A piece has four orientations, or eight if it may be turned over; some may coincide. *)
Definition orientations (p : piece) : list (list cell) :=
  flat_map (fun face => map (fun turns => map (Nat.iter turns turn) face) [0; 1; 2; 3]%nat)
    (drawing p :: if may_flip p then [map flip (drawing p)] else []).
Compute orientations (Piece [(0, 0); (0, 1)] false). (* a domino points right, down, left, up *)

(** A piece covers the cells onto which one of its orientations can be moved. *)
Definition covers (p : piece) (cells : list cell) : Prop :=
  exists orientation by_,
    In orientation (orientations p) /\ Permutation cells (map (shift by_) orientation).

(** A tiling of a reveal (one label of each category) gives every piece the cells that it covers,
    so that these and the reveal are together the board, each cell once. *)
Definition tiling (p : puzzle) (reveal : list (list cell)) (t : list (piece * list cell)) : Prop :=
  Forall2 (@In (list cell)) reveal (categories p) /\
  map fst t = pieces p /\
  Forall (fun placed => covers (fst placed) (snd placed)) t /\
  Permutation (concat reveal ++ flat_map snd t) (board p).

(** Two pieces are alike if what one of them covers the other covers, too. *)
Definition alike (p q : piece) : Prop := forall cells, covers p cells <-> covers q cells.

(** Two tilings are the same if, in some order, alike pieces cover the same cells. *)
Definition same (t u : list (piece * list cell)) : Prop :=
  exists v, Permutation t v /\
    Forall2 (fun a b => alike (fst a) (fst b) /\ Permutation (snd a) (snd b)) v u.

(** The number of tilings of a reveal is [n] if a list of [n] tilings, no two of them the same,
    has every tiling in it. *)
Definition number_of_tilings (p : puzzle) (reveal : list (list cell)) (n : N) : Prop :=
  exists tilings, N.of_nat (length tilings) = n /\
    Forall (tiling p reveal) tilings /\
    ForallOrdPairs (fun t u => ~ same t u) tilings /\
    forall t, tiling p reveal t -> Exists (same t) tilings.

(** ** Drawings: [marked f rows] are the cells, row by row, with a mark that [f] accepts. *)
Definition numbered {A} (l : list A) : list (Z * A) := combine (map Z.of_nat (seq 0 (length l))) l.
Definition marked {A} (f : A -> bool) (rows : list (list A)) : list cell :=
  flat_map (fun row => flat_map (fun mark => if f (snd mark) then [(fst row, fst mark)] else [])
    (numbered (snd row))) (numbered rows).

(** A sheet has the rows of the board, the labels of each category, and for each piece the rows of
    its drawing and whether it may be turned over. On the board [.] is no cell, [*] a cell without
    a label; a label's cells are those on which it is written. In a piece [#] is a cell. *)
Record sheet := Sheet
  { rows : list (list string); labels : list (list string); drawings : list (list string * bool) }.
Definition meaning (s : sheet) : puzzle := Puzzle
  (marked (fun word => negb (word =? ".")%string) (rows s))
  (map (map (fun label => marked (String.eqb label) (rows s))) (labels s))
  (map (fun d => Piece (marked (Ascii.eqb "#") (map list_ascii_of_string (fst d))) (snd d)) (drawings s)).

(** Its text: [board] and the rows, a line for each category, [piece] (or [piece no-flip]) and rows. *)
Definition lines (s : sheet) : list (list string) :=
  [["board"]] ++ rows s ++ map (cons "category") (labels s) ++ flat_map (fun d : _ * bool =>
    ("piece" :: if snd d then [] else ["no-flip"]) :: map (fun row => [row]) (fst d)) (drawings s).
Definition text (s : sheet) : string :=
  String.concat "" (map (fun line => String.concat " " line ++ String "010" "")%string (lines s)).
