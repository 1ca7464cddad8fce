(** What is extracted for JavaScript: the checker whose integers never have more than 29 bits. Trusted
    are the same operations as in Extract.v, here of integers with 32 bits. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlString Uint63.
From Satcal Require Import Spec Program Small.

Extract Constant PrimInt63.int => "Uint63.t".
Extract Inlined Constant PrimInt63.land => "(land)".
Extract Inlined Constant PrimInt63.lor => "(lor)".
Extract Inlined Constant PrimInt63.lxor => "(lxor)".
Extract Inlined Constant PrimInt63.add => "(+)".
Extract Inlined Constant PrimInt63.sub => "(-)".
Extract Inlined Constant PrimInt63.mul => "( * )".
Extract Constant PrimInt63.lsl => "fun a b -> if 0 <= b && b < 63 then a lsl b else 0".
Extract Constant PrimInt63.lsr => "fun a b -> if 0 <= b && b < 63 then a lsr b else 0".
Extract Constant PrimInt63.eqb => "fun (a : int) b -> a = b".
Extract Constant PrimInt63.ltb => "fun a b -> a - min_int < b - min_int".
Extract Constant PrimInt63.leb => "fun a b -> a - min_int <= b - min_int".

Extraction Inline ThreeSmall.zero SmallChecker.free SmallChecker.has.

Extraction "small.ml" Program.check_text Small.small_check.
