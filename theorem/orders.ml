(* In which order cells are covered: the fewer cells the placements before reach into, the fewer
   states. The proved program checks that it is an order of the board's cells. *)

open Values

let orders =
  let both (name, key) = [ (name, key); (name ^ "-back", fun c -> let a, b = key c in (-a, -b)) ] in
  List.concat_map both
    [ ("row", fun c -> c); ("column", fun (r, c) -> (c, r));
      ("diagonal", fun (r, c) -> (r + c, r)); ("antidiagonal", fun (r, c) -> (r - c, r)) ]

let effort (puzzle : C.puzzle) order =
  let place = Hashtbl.create 99 and since = Array.make (List.length order) max_int in
  List.iteri (fun i (cell, _) -> Hashtbl.replace place cell i) order;
  let reach placement =
    let numbers = List.map (Hashtbl.find place) placement in
    let first = List.fold_left min max_int numbers in
    List.iter (fun i -> since.(i) <- min first since.(i)) numbers in
  let lay cells (r, c) =
    let top, left = List.hd cells in
    let placement = List.map (fun (x, y) -> (x - top + r, y - left + c)) cells in
    if List.for_all (Hashtbl.mem place) placement then reach placement in
  let try_all cells = if cells <> [] then List.iter (fun (cell, _) -> lay (pairs cells) cell) order in
  List.iter (fun piece -> List.iter try_all (C.orientations piece)) puzzle.pieces;
  let into k = List.length (List.filteri (fun i first -> k <= i && first < k) (Array.to_list since)) in
  List.fold_left ( +. ) 0. (List.mapi (fun k _ -> 1.5 ** float (into k)) order)

let arrange name (puzzle : C.puzzle) =
  let by key =
    let keyed = List.combine (pairs puzzle.board) puzzle.board in
    List.sort (fun (a, _) (b, _) -> compare (key a) (key b)) keyed in
  let tried =
    match List.assoc_opt name orders with
    | Some key -> [ by key ]
    | None when name = "best" -> List.map (fun (_, key) -> by key) orders
    | None -> wrong "there is no order '%s'" name in
  let cost order = (effort puzzle order, List.map fst order) in
  List.map snd (snd (List.hd (List.sort compare (List.map (fun order -> (cost order, order)) tried))))
