"""The page on trust states how many lines of ours each way leaves to be believed."""

import re

from proof.trust import PAGE, ways


def test_the_page_states_the_lines_of_each_way():
    stated = {
        name: int(number.replace(",", ""))
        for row in re.findall(r"^\|.*\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
        for number, name in re.findall(r"([\d,]+) <!-- ([^>]*) -->", row)
    }
    counted = ways()
    assert stated.keys() == counted.keys()
    for name, number in counted.items():
        assert abs(stated[name] - number) <= number / 10, "PYTHONPATH=tests python -m proof.trust"
