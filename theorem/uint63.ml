(* The 63-bit integers of the extracted program are OCaml's own. *)
type t = int
let of_int (x : int) : t = x [@@inline]
