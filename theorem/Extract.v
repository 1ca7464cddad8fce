(** What is extracted. Trusted here: OCaml's lists, pairs, options, booleans and characters for Coq's,
    and the operations of its 63-bit integers for those of [Uint63]. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlString Uint63 List ZArith.
From Satcal Require Import Spec Reader Words Counter Counts Checker Program.

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

Extraction Inline OneWord.union OneWord.meet OneWord.shl OneWord.eqb OneWord.ltb OneWord.low
  OneWord.half OneWord.zero OneWord.one OneWord.add OneWord.safe Uint63.is_zero.
Extraction Inline FastChecker.free FastChecker.has WideChecker.free WideChecker.has Fast.free.

Extraction "counter.ml" Counts.fast_counts Counts.pure_counts Program.count_text Program.table_text
  Program.check_text Checker.fast_check Checker.pure_check.
