(* The proved checker as a function of JavaScript: satcalVerified(sheet, reveals, trees) takes texts
   (of trees the bytes as characters; a line with its labels for each reveal) and returns the
   numbers that are proved, a line each, or the word refused. *)

module C = Small

external global : string -> 'a = "caml_js_expr"
external set : 'a -> 'b -> 'c -> unit = "caml_js_set"
external wrapped : ('a -> 'b -> 'c -> 'd) -> 'e = "caml_js_wrap_callback"
external bytes : 'a -> string = "caml_string_of_jsbytes"
external text : string -> 'a = "caml_jsbytes_of_string"

let chars text = List.init (String.length text) (String.get text)

let decimal number =
  let rec double carry = function
    | [] -> if carry = 0 then [] else [ carry ]
    | d :: rest -> (((2 * d) + carry) mod 10) :: double (((2 * d) + carry) / 10) rest in
  let rec digits = function
    | C.XH -> [ 1 ] | C.XO p -> double 0 (digits p) | C.XI p -> double 1 (digits p) in
  match number with
  | C.N0 -> "0"
  | C.Npos p -> String.concat "" (List.rev_map string_of_int (digits p))

let check sheet reveals trees =
  let words line = List.map chars (List.filter (( <> ) "") (String.split_on_char ' ' line)) in
  let reveals = List.map words (String.split_on_char '\n' (bytes reveals)) in
  match C.check_text C.small_check (chars (bytes sheet)) reveals (chars (bytes trees)) with
  | C.Inl _ -> text "refused"
  | C.Inr (_, numbers) -> text (String.concat "\n" (List.map decimal numbers))

let () = set (global "globalThis") (text "satcalVerified") (wrapped check)
