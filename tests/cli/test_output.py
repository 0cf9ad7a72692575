"""What commands print: the chart of results in order."""

from pathmax.cli.output import chart


def test_a_chart_spans_the_whole_range_of_numbers() -> None:
    ends = [-1.7e308, 1.7e308]
    drawn = chart(ends, ends).splitlines()
    assert "-1.7e+308" in drawn[-2] and "1.7e+308" in drawn[0]
    assert drawn[0].endswith("|  o") and drawn[-2].endswith("| o")
