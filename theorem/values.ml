(* Coq's numbers and texts as OCaml's, and back *)

module C = Counter

exception Wrong of string
let wrong format = Printf.ksprintf (fun text -> raise (Wrong text)) format

let chars text = List.init (String.length text) (String.get text)
let written chars = String.of_seq (List.to_seq chars)
let rec nat n = if n <= 0 then C.O else C.S (nat (n - 1))
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

let pairs = List.map (fun (r, c) -> (of_z r, of_z c))
