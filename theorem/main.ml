(* satcal-verified: hands texts to what Coq proved, and prints the answer. What is here reads files,
   writes numbers, and draws the puzzle again from what was counted. *)

open Values

let usage = {|usage: satcal-verified [options] count PUZZLE LABEL...  tilings of the reveal of these labels
       satcal-verified [options] table PUZZLE           tilings of every reveal
       satcal-verified [options] theorem PUZZLE         the same as a file for coqc
       satcal-verified [--pure] check PUZZLE TREES      what the trees of reveals prove
PUZZLE is a file, or - for the standard input, written exactly so:

    board                     a word for each cell, one blank between them:
    . Jan Feb *               . no cell, * a cell without a label
    category Jan Feb          the labels of a category
    piece                     a copy of a piece; each copy is drawn
    ###
    #..
    piece no-flip             not to be turned over
    ##

For check, TREES is a file with the bytes of search trees, as docs/reference/certificates.md describes them
but not compressed, one for each reveal; the standard input has the labels of each reveal on a line.

options:
    --order NAME    in which order cells are covered: row, column, diagonal, antidiagonal,
                    each also with -back, or best (default)
    --holes N       look for holes of up to N cells (default 2)
    --pure          numbers of Coq's library instead of the processor's|}

(* The puzzle as it was counted, in the form in which it was written *)

let echo (sheet : C.sheet) =
  let puzzle = C.meaning sheet in
  let draw blank between marked cells =
    let extent pick = 1 + List.fold_left (fun most cell -> max most (pick cell)) (-1) cells in
    for r = 0 to extent fst - 1 do
      let mark c = if List.mem (r, c) cells then marked (r, c) else blank in
      print_endline ("# " ^ String.concat between (List.init (extent snd) mark))
    done in
  let named = List.combine (List.concat puzzle.categories) (List.concat sheet.labels) in
  let label cell =
    match List.find_opt (fun (cells, _) -> List.mem cell (pairs cells)) named with
    | Some (_, label) -> written label
    | None -> "*" in
  print_endline "# board";
  draw "." " " label (pairs puzzle.board);
  let category labels = print_endline ("# " ^ String.concat " " ("category" :: List.map written labels)) in
  List.iter category sheet.labels;
  let piece (p : C.piece) =
    print_endline (if p.may_flip then "# piece" else "# piece no-flip");
    draw "." "" (fun _ -> "#") (pairs p.drawing) in
  List.iter piece puzzle.pieces

(* Answers *)

let fault = function
  | C.CellTwice -> "a cell is on the board twice"
  | C.EmptyPiece -> "a piece has no cells"
  | C.BadLabel -> "a label in a category is not on the board"
  | C.LabelsOverlap -> "a label is listed twice"
  | C.OtherCells -> "the order has other cells than the board"
  | C.NotAReveal -> "a reveal is one label of each category, in the order of the categories"

let failed = function
  | C.Misread (C.OtherLine n) -> wrong "line %d is not written as --help says, with a line feed at its end" (of_nat n)
  | C.Misread C.OtherWord -> wrong "a word on the board or in a category is not plain letters, digits and marks"
  | C.Misread C.OtherMark -> wrong "a row of a piece has a mark that is neither # nor ."
  | C.Misread C.UnknownLabel -> wrong "a label on the board is in no category"
  | C.Refused (C.Faulty f) -> wrong "%s" (fault f)
  | C.Refused (C.Flawed C.Overlap) -> wrong "two labels of a reveal share a cell"
  | C.Refused (C.Flawed (C.Ended n)) -> wrong "no whole node stands %d bytes before the end of the trees: they end too early" (of_nat n)
  | C.Refused (C.Flawed (C.NotOpen n)) -> wrong "a node, %d bytes before the end, names what is decided" (of_nat n)
  | C.Refused (C.Flawed (C.NotEnded n)) -> wrong "the trees go on, with %d bytes, after the last one" (of_nat n)
  | C.Unnamed -> wrong "a reveal has cells without a label"

let row (labels, n) = print_endline (String.concat "," (List.map written labels @ [ decimal n ]))

let read name =
  try
    let channel = if name = "-" then stdin else open_in_bin name and bytes = Buffer.create 10_000 in
    (try while true do Buffer.add_channel bytes channel 1 done with End_of_file -> ());
    chars (Buffer.contents bytes)
  with Sys_error error -> wrong "%s" error

let rec lines channel = match input_line channel with line -> line :: lines channel | exception End_of_file -> []

let rec run order holes pure = function
  | "--order" :: name :: rest -> run name holes pure rest
  | "--holes" :: n :: rest -> run order (try int_of_string n with _ -> wrong "--holes %s is not a number" n) pure rest
  | "--pure" :: rest -> run order holes true rest
  | [ "--help" ] -> print_endline usage
  | command :: file :: labels -> (
      let counter = if pure then C.pure_counts (nat holes) else C.fast_counts (nat holes) in
      let sheet = read file and arrange = Orders.arrange order in
      match (command, labels) with
      | "count", _ -> (
          match C.count_text counter arrange sheet (List.map chars labels) with
          | C.Inl failure -> failed failure
          | C.Inr (sheet, n) -> echo sheet; row (List.map chars labels, n))
      | ("table" | "theorem"), [] -> (
          match C.table_text counter arrange sheet with
          | C.Inl failure -> failed failure
          | C.Inr ((sheet, rows), named) ->
              if command = "table" then (echo sheet; List.iter row named)
              else
                let puzzle = C.meaning sheet in
                Theorem.print puzzle (arrange puzzle) (if pure then "pure" else "fast") rows)
      | "check", [ trees ] -> (
          let words line = List.map chars (List.filter (( <> ) "") (String.split_on_char ' ' line)) in
          let reveals = List.map words (lines stdin) in
          match C.check_text (if pure then C.pure_check else C.fast_check) sheet reveals (read trees) with
          | C.Inl failure -> failed failure
          | C.Inr (sheet, numbers) -> echo sheet; List.iter row (List.combine reveals numbers))
      | _ -> wrong "%s" usage)
  | _ -> wrong "%s" usage

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1_000_000; space_overhead = 400 };
  try run "best" 2 false (List.tl (Array.to_list Sys.argv)) with
  | Wrong text -> prerr_endline ("satcal-verified: " ^ text); exit 2
  | Out_of_memory | Stack_overflow -> prerr_endline "satcal-verified: not enough memory"; exit 3
