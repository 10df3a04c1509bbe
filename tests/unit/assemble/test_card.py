from tacit.assemble.card import cut
from tacit.assemble.ceiling import most_tokens

CARD = "kiln: bakes bread\nTest: make test\nDocs: make docs\nNow: lately: the oven door"


def test_a_card_that_fits_is_whole():
    assert cut(CARD, 500) == CARD + "\n"


def test_a_card_is_cut_by_lines_the_least_needed_first():
    room = most_tokens(CARD) - 4

    assert cut(CARD, room) == "kiln: bakes bread\nTest: make test\nDocs: make docs\n"
    assert cut(CARD, most_tokens("kiln: bakes bread\n")) == "kiln: bakes bread\n"
    assert cut(CARD, 1) == ""
