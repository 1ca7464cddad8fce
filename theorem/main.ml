(* satcal-verified: reads a puzzle, hands it to what Coq proved, and prints the answer. What is
   read is drawn again from what the proved program was given, so that one sees what was counted. *)

module C = Counter

let usage = {|usage: satcal-verified [options] count PUZZLE LABEL...  tilings of the reveal of these labels
       satcal-verified [options] table PUZZLE           tilings of every reveal
       satcal-verified [options] theorem PUZZLE         the same as a file for coqc
       satcal-verified [options] check PUZZLE LABEL...  that there are no tilings but those listed
PUZZLE is a file, or - for the standard input:

    board                     the board follows, a token for each cell:
    . Jan Feb *               . no cell, * a cell without a label
    category month Jan Feb    the labels of a category
    piece L4 copies 2 no-flip one or more copies, not to be turned over
    ###
    #..

For check there follow the tilings and the proofs that there are no others. Placements have the
numbers of docs/certificates.md; those of cuts and lemmas, the numbers that they have there:

    tilings                   a line each: the numbers of its placements
    cell 2 3                  (for a cut) row and column: what covers this cell is tried in turn
    proof                     a line for each lemma: its literals, 0, its hints (below 0: forgotten)
    -7 0 -11 -4

options:
    --order NAME    in which order cells are covered: row, column, diagonal, antidiagonal,
                    each also with -back, or best (default)
    --holes N       look for holes of up to N cells (default 2)
    --pure          numbers of Coq's library instead of the processor's|}

exception Wrong of string
let wrong format = Printf.ksprintf (fun text -> raise (Wrong text)) format

(* Numbers *)

(* they share what they have in common, as a certificate has millions of them *)
let shared = Hashtbl.create 100_000
let rec positive n =
  if n < 1 then wrong "%d is no number of a placement, clause or lemma" n;
  match Hashtbl.find_opt shared n with
  | Some p -> p
  | None ->
      let p = if n = 1 then C.XH else if n land 1 = 1 then C.XI (positive (n / 2)) else C.XO (positive (n / 2)) in
      Hashtbl.add shared n p; p
let z n = if n = 0 then C.Z0 else if n > 0 then C.Zpos (positive n) else C.Zneg (positive (-n))
let nat n = let rec up n m = if n = 0 then m else up (n - 1) (C.S m) in up n C.O
let rec of_nat = function C.O -> 0 | C.S n -> 1 + of_nat n
let rec of_positive = function
  | C.XH -> 1 | C.XO p -> 2 * of_positive p | C.XI p -> (2 * of_positive p) + 1
let of_z = function C.Z0 -> 0 | C.Zpos p -> of_positive p | C.Zneg p -> -of_positive p

(* any number in decimal: digits, lowest first, doubled bit by bit *)
let decimal number =
  let rec double carry = function
    | [] -> if carry = 0 then [] else [ carry ]
    | d :: rest -> (((2 * d) + carry) mod 10) :: double (((2 * d) + carry) / 10) rest in
  let rec digits = function
    | C.XH -> [ 1 ] | C.XO p -> double 0 (digits p) | C.XI p -> double 1 (digits p) in
  match number with
  | C.N0 -> "0"
  | C.Npos p -> String.concat "" (List.rev_map string_of_int (digits p))

(* Puzzles *)

type drawn = { name : string; copies : int; flips : bool; cells : (int * int) list }
type puzzle = {
  tokens : ((int * int) * string) list; (* in reading order, without what is no cell *)
  categories : (string * string list) list;
  pieces : drawn list;
}

let words line = List.filter (( <> ) "") (String.split_on_char ' ' line)

let cells_of_rows split rows =
  List.concat (List.mapi (fun r row -> List.mapi (fun c token -> ((r, c), token)) (split row)) rows)

let parse lines =
  let rec rows taken = function
    | line :: rest when line <> "" && not (List.mem (List.hd (words line)) [ "board"; "category"; "piece" ]) ->
        rows (line :: taken) rest
    | rest -> (List.rev taken, rest) in
  let rec go puzzle = function
    | [] -> puzzle
    | line :: rest -> (
        match words line with
        | [] -> go puzzle rest
        | [ "board" ] ->
            if puzzle.tokens <> [] then wrong "there are two boards";
            let drawing, rest = rows [] rest in
            go { puzzle with tokens = List.filter (fun (_, t) -> t <> ".") (cells_of_rows words drawing) } rest
        | "category" :: name :: labels ->
            go { puzzle with categories = puzzle.categories @ [ (name, labels) ] } rest
        | "piece" :: name :: how ->
            let rec flags piece = function
              | [] -> piece
              | "no-flip" :: how -> flags { piece with flips = false } how
              | "copies" :: n :: how -> (
                  match int_of_string_opt n with
                  | Some n when n >= 1 && n <= 1000 -> flags { piece with copies = n } how
                  | _ -> wrong "piece %s: copies %s is no number from 1 to 1000" name n)
              | word :: _ -> wrong "piece %s: '%s' is neither copies nor no-flip" name word in
            let drawing, rest = rows [] rest in
            let marks = cells_of_rows (fun row -> List.init (String.length row) (String.get row)) drawing in
            List.iter (fun (_, m) -> if m <> '#' && m <> '.' then wrong "piece %s: '%c' is neither # nor ." name m) marks;
            let cells = List.filter_map (fun (c, m) -> if m = '#' then Some c else None) marks in
            go { puzzle with pieces = puzzle.pieces @ [ flags { name; copies = 1; flips = true; cells } how ] } rest
        | word :: _ -> wrong "'%s': a line begins with board, category or piece" word) in
  let puzzle = go { tokens = []; categories = []; pieces = [] } lines in
  let labels = List.concat_map snd puzzle.categories in
  if puzzle.tokens = [] then wrong "there is no board";
  List.iter (fun (_, t) ->
    if t <> "*" && not (List.mem t labels) then wrong "label %s is in no category" t) puzzle.tokens;
  List.iteri (fun i label ->
    if List.exists (( = ) label) (List.filteri (fun j _ -> j < i) labels) then wrong "label %s is listed twice" label;
    if not (List.exists (fun (_, t) -> t = label) puzzle.tokens) then wrong "label %s is not on the board" label)
    labels;
  puzzle

let to_cell (r, c) = (z r, z c)
let cells_of puzzle label = List.filter_map (fun (c, t) -> if t = label then Some c else None) puzzle.tokens
let region puzzle label = List.map to_cell (cells_of puzzle label)

let to_coq puzzle =
  { C.board = List.map (fun (c, _) -> to_cell c) puzzle.tokens;
    categories = List.map (fun (_, labels) -> List.map (region puzzle) labels) puzzle.categories;
    pieces = List.concat_map (fun p ->
      List.init p.copies (fun _ -> { C.drawing = List.map to_cell p.cells; may_flip = p.flips })) puzzle.pieces }

(* The puzzle as the proved program got it *)
let echo puzzle (coq : C.puzzle) =
  let draw marked blank cells =
    let cells = List.map (fun (r, c) -> (of_z r, of_z c)) cells in
    let extent pick = 1 + List.fold_left (fun m c -> max m (pick c)) 0 cells in
    let wide = List.fold_left (fun m c -> max m (String.length (marked c))) 1 cells in
    for r = 0 to extent fst - 1 do
      let row = List.init (extent snd) (fun c ->
        Printf.sprintf "%-*s" wide (if List.mem (r, c) cells then marked (r, c) else blank)) in
      print_endline ("#   " ^ String.concat (if wide > 1 then " " else "") row)
    done in
  let label cell =
    match List.find_opt (List.exists (List.mem (to_cell cell))) coq.categories with
    | Some category ->
        let region = List.find (List.mem (to_cell cell)) category in
        List.assoc (let r, c = List.hd region in (of_z r, of_z c)) puzzle.tokens
    | None -> "*" in
  print_endline "# board"; draw label "." coq.board;
  List.iteri (fun i (p : C.piece) ->
    Printf.printf "# piece %d%s\n" (i + 1) (if p.may_flip then "" else ", not to be turned over");
    draw (fun _ -> "#") "." p.drawing) coq.pieces

(* Orders of the board: the fewer cells the placements before reach into, the fewer states. *)

let orders =
  List.concat_map (fun (name, key) -> [ (name, key); (name ^ "-back", fun c -> let a, b = key c in (-a, -b)) ])
    [ ("row", fun c -> c); ("column", fun (r, c) -> (c, r));
      ("diagonal", fun (r, c) -> (r + c, r)); ("antidiagonal", fun (r, c) -> (r - c, r)) ]

let arrange key puzzle = List.map snd (List.sort compare (List.map (fun (c, _) -> (key c, c)) puzzle.tokens))

let placements puzzle =
  let rec turns n cells = if n = 0 then [] else cells :: turns (n - 1) (List.map (fun (r, c) -> (c, -r)) cells) in
  let lay cells ((r, c), _) = let r', c' = List.hd cells in List.map (fun (x, y) -> (x - r' + r, y - c' + c)) cells in
  let all p = turns 4 p.cells @ if p.flips then turns 4 (List.map (fun (r, c) -> (c, r)) p.cells) else [] in
  List.concat_map (fun p -> if p.cells = [] then [] else
    List.filter (List.for_all (fun c -> List.mem_assoc c puzzle.tokens))
      (List.concat_map (fun cells -> List.map (lay cells) puzzle.tokens) (all p))) puzzle.pieces

let effort placements cells =
  let place = Hashtbl.create 99 and since = Array.make (List.length cells) max_int in
  List.iteri (fun i c -> Hashtbl.replace place c i) cells;
  List.iter (fun p ->
    let numbers = List.map (Hashtbl.find place) p in let first = List.fold_left min max_int numbers in
    List.iter (fun i -> since.(i) <- min first since.(i)) numbers) placements;
  let into k = List.length (List.filteri (fun i first -> k <= i && first < k) (Array.to_list since)) in
  List.fold_left ( +. ) 0. (List.mapi (fun k _ -> 1.5 ** float (into k)) cells)

let order_of name puzzle =
  match List.assoc_opt name orders with
  | Some key -> arrange key puzzle
  | None when name = "best" ->
      let effort = effort (placements puzzle) in
      snd (List.hd (List.sort compare (List.map (fun (_, key) -> let cells = arrange key puzzle in (effort cells, cells)) orders)))
  | None -> wrong "there is no order '%s'" name

let refused = function
  | C.CellTwice -> "a cell is on the board twice"
  | C.EmptyPiece -> "a piece has no cells"
  | C.BadLabel -> "a label has no cells, one of them twice, or one that is not on the board"
  | C.LabelsOverlap -> "two labels begin on the same cell"
  | C.OtherCells -> "the order has other cells than the board"
  | C.NotAReveal -> "a reveal is one label of each category, in the order of the categories"

(* The theorem about a whole table as a file for Coq, which computes the table again *)

let theorem puzzle (coq : C.puzzle) order pure rows =
  let list f l = "[" ^ String.concat "; " (List.map f l) ^ "]" in
  let cells = list (fun (r, c) -> Printf.sprintf "(%d, %d)" (of_z r) (of_z c)) in
  let counter = if pure then "pure" else "fast" in
  print_endline "*)";
  print_endline "From Coq Require Import List ZArith.";
  print_endline "From Satcal Require Import Spec Counts.";
  print_endline "Import ListNotations.";
  print_endline "Open Scope Z_scope.";
  Printf.printf "Definition the_puzzle : puzzle := Puzzle\n  %s\n  %s\n  %s.\n" (cells coq.board)
    (list (fun category -> list cells category ^ "\n  ") coq.categories)
    (list (fun (p : C.piece) -> Printf.sprintf "Piece %s %b\n  " (cells p.drawing) p.may_flip) coq.pieces);
  Printf.printf "Definition order : list cell := %s.\n" (cells order);
  Printf.printf "Definition rows : list (list (list cell) * N) := %s.\n"
    (list (fun (reveal, n) -> Printf.sprintf "(%s, %s%%N)\n " (list cells reveal) (decimal n)) rows);
  Printf.printf "Lemma computed : every_reveal (%s_counts 2) the_puzzle order = inr rows.\n" counter;
  print_endline "Proof. vm_cast_no_check (@eq_refl (fault + _) (inr rows)). Qed.";
  print_endline "Theorem every_number : rows_right the_puzzle rows.";
  Printf.printf "Proof. exact (every_reveal_right _ _ _ _ (%s_counts_right 2) computed). Qed.\n" counter;
  print_endline "Print Assumptions every_number."

(* Certificates *)

let certificate puzzle lines =
  let numbers line =
    List.map (fun w -> match int_of_string_opt w with Some n -> n | None -> wrong "'%s' is no number" w) (words line) in
  let lemma line =
    let rec go its = function
      | 0 :: hints ->
          let part sign = List.filter_map (fun n -> if n * sign > 0 then Some (positive (abs n)) else None) in
          { C.pos = part 1 its; neg = part (-1) its;
            hints = List.map (fun n -> positive (abs n)) hints; gone = part (-1) hints }
      | n :: rest -> go (n :: its) rest
      | [] -> wrong "the lemma '%s' has no 0 behind its literals" line in
    go [] (numbers line) in
  let cell line =
    match numbers (String.sub line 5 (String.length line - 5)) with
    | [ r; c ] ->
        let rec index i = function
          | ((r', c'), _) :: rest -> if (r', c') = (r, c) then i else index (i + 1) rest
          | [] -> wrong "there is no cell in row %d and column %d" r c in
        C.Cut (nat (index 0 puzzle.tokens))
    | _ -> wrong "'%s' is no cell" line in
  let proof lemmas = C.Refutation (List.rev lemmas) in
  let rec nodes found = function
    | [] -> List.rev found
    | "proof" :: lines -> lemmas found [] lines
    | line :: lines when String.length line > 5 && String.sub line 0 5 = "cell " -> nodes (cell line :: found) lines
    | line :: _ -> wrong "'%s' is neither a cell nor a proof" line
  and lemmas found its = function
    | line :: lines when line <> "proof" && line.[0] <> 'c' -> lemmas found (lemma line :: its) lines
    | lines -> nodes (proof its :: found) lines in
  let rec tilings found = function
    | line :: lines when line <> "proof" && line.[0] <> 'c' -> tilings (List.map positive (numbers line) :: found) lines
    | lines -> (List.rev found, nodes [] lines) in
  tilings [] (List.filter (( <> ) "") lines)

let unproved nodes refusal =
  let part left = List.length nodes - of_nat left in
  match refusal with
  | C.Faulty fault -> refused fault
  | C.NoTiling k -> Printf.sprintf "tiling %d is none of this reveal" (of_nat k)
  | C.TilingTwice -> "a tiling is listed twice"
  | C.BadCut left -> Printf.sprintf "part %d: this cell is covered already" (part left)
  | C.TooLong -> "there are more or fewer proofs than the cuts ask for"
  | C.Unproved (left, k) ->
      Printf.sprintf "part %d, clause %d: it does not follow from its hints" (part left) (of_positive k)

let read name =
  let channel = if name = "-" then stdin else try open_in name with Sys_error e -> wrong "%s" e in
  let rec go lines = match input_line channel with
    | line -> go (String.trim line :: lines)
    | exception End_of_file -> List.rev lines in
  go []

let rec run order holes pure = function
  | "--order" :: name :: rest -> run name holes pure rest
  | "--holes" :: n :: rest -> run order (try int_of_string n with _ -> wrong "--holes %s" n) pure rest
  | "--pure" :: rest -> run order holes true rest
  | command :: file :: labels
    when (List.mem command [ "table"; "theorem" ] && labels = []) || List.mem command [ "count"; "check" ] -> (
      let rec split before = function
        | "tilings" :: rest when command = "check" -> (List.rev before, rest)
        | line :: rest -> split (line :: before) rest
        | [] -> if command = "check" then wrong "there is no line 'tilings'" else (List.rev before, []) in
      let drawn, listed = split [] (read file) in
      let puzzle = parse drawn in
      let coq = to_coq puzzle in
      let order = List.map to_cell (order_of order puzzle) in
      let counter p = if pure then C.pure_counts (nat holes) p else C.fast_counts (nat holes) p in
      if command = "theorem" then print_endline "(* The number of tilings of every reveal of this puzzle, computed and proved by Coq.";
      echo puzzle coq;
      let label cells = List.assoc (let r, c = List.hd cells in (of_z r, of_z c)) puzzle.tokens in
      let row (reveal, n) = String.concat "," (List.map label reveal @ [ decimal n ]) in
      let reveal = List.map (region puzzle) labels in
      let show rows =
        print_endline (String.concat "," (List.map fst puzzle.categories @ [ "tilings" ]));
        List.iter (fun r -> print_endline (row r)) rows in
      match command with
      | "check" -> (
          let tilings, nodes = certificate puzzle listed in
          match C.guarded (if pure then C.pure_check else C.fast_check) coq reveal (tilings, nodes) with
          | Some refusal -> wrong "%s" (unproved nodes refusal)
          | None -> show [ (reveal, C.N.of_nat (nat (List.length tilings))) ])
      | "count" -> (
          match C.one_reveal counter coq order reveal with
          | C.Inl fault -> wrong "%s" (refused fault)
          | C.Inr n -> show [ (reveal, n) ])
      | _ -> (
          match C.every_reveal counter coq order with
          | C.Inl fault -> wrong "%s" (refused fault)
          | C.Inr rows -> if command = "theorem" then theorem puzzle coq order pure rows else show rows))
  | [ "--help" ] -> print_endline usage
  | _ -> wrong "%s" usage

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1_000_000; space_overhead = 400 };
  try run "best" 2 false (List.tl (Array.to_list Sys.argv)) with
  | Wrong text -> prerr_endline ("satcal-verified: " ^ text); exit 2
  | Out_of_memory | Stack_overflow -> prerr_endline "satcal-verified: not enough memory"; exit 3
