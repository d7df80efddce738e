"""Short codes: every result comes back, and a wrong letter is noticed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab.engine.errors import NotationError
from nimmt_lab.lessons.codes import SIGNS
from nimmt_lab.live.found import Found

COUNTS = st.dictionaries(st.integers(-30, 200), st.integers(1, 300), min_size=1, max_size=8)


@given(question=st.integers(0, 15), counts=COUNTS)
def test_codes_come_back(question: int, counts: dict[int, int]) -> None:
    found = Found.of(question, [(float(value), count) for value, count in counts.items()])
    if found is None:  # too large for a code
        return
    assert Found.read(found.code()) == found
    assert Found.read(found.code().lower().replace("-", " ")) == found
    assert found.mean == pytest.approx(sum(v * c for v, c in counts.items()) / sum(counts.values()))


def test_forty_turns_have_a_code_of_at_most_six_letters() -> None:
    for takes in range(41):
        found = Found.of(2, [(0.0, 40 - takes), (1.0, takes)])
        assert found is not None and len(found.code().replace("-", "")) <= 6


@given(takes=st.integers(0, 40), at=st.integers(0, 20), letter=st.sampled_from(SIGNS))
def test_a_wrong_letter_is_noticed(takes: int, at: int, letter: str) -> None:
    code = Found(2, 40, takes, takes).code().replace("-", "")
    at %= len(code)
    if code[at] == letter:
        return
    with pytest.raises(NotationError) as error:
        Found.read(code[:at] + letter + code[at + 1 :])
    assert error.value.key == "live.no_result_code"


@given(text=st.text(max_size=40))
def test_other_text_is_no_code(text: str) -> None:
    try:
        found = Found.read(text)
    except NotationError as error:
        assert error.key == "live.no_result_code"
    else:
        assert found.runs >= 1 and found.squares * found.runs >= found.total**2


def test_results_that_are_not_whole_have_none() -> None:
    assert Found.of(1, [(0.5, 3)]) is None
    assert Found.of(1, []) is None
