(** What the main theorems rest on, printed; make compares it with assumptions.txt. *)
From Satcal Require Import Spec Unique Reader Tilings Counts Checker Program Small Examples.

Check @tilings_are_paths.
Print Assumptions tilings_are_paths.
Check @tilings_are_listed.
Print Assumptions tilings_are_listed.
Check pure_counts_right.
Print Assumptions pure_counts_right.
Check fast_counts_right.
Print Assumptions fast_counts_right.
Check every_reveal_right.
Print Assumptions every_reveal_right.
Check one_reveal_right.
Print Assumptions one_reveal_right.
Check pure_check_right.
Print Assumptions pure_check_right.
Check fast_check_right.
Print Assumptions fast_check_right.
Check small_check_right.
Print Assumptions small_check_right.
Check small_shl.
Print Assumptions small_shl.
Check guarded_right.
Print Assumptions guarded_right.
Check read_right.
Print Assumptions read_right.
Check read_all.
Print Assumptions read_all.
Check text_unique.
Print Assumptions text_unique.
Check count_text_right.
Print Assumptions count_text_right.
Check table_text_right.
Print Assumptions table_text_right.
Check check_text_right.
Print Assumptions check_text_right.
Check fault_of_none.
Print Assumptions fault_of_none.
Check fault_of_explains.
Print Assumptions fault_of_explains.
Check number_unique.
Print Assumptions number_unique.
Check two_L4_number.
Print Assumptions two_L4_number.
Check fibonacci.
Print Assumptions fibonacci.
Check no_label.
Print Assumptions no_label.
Check three_certified.
Print Assumptions three_certified.
