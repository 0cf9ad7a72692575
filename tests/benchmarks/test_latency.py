"""Bars of speed are held against what was measured."""

from benchmarks import latency
from benchmarks.latency import Best


def test_the_least_ratio_is_held_against_the_bar():
    def row(gp, logei):
        return {
            "pathmax": Best(0.02, 1),
            "Optuna GPSampler": Best(gp, 1),
            "BoTorch LogEI": Best(logei, 2),
        }

    found = {latency.title(*size): row(0.1, 0.3) for size in latency.SIZES[:4]}
    found[latency.title(100, 4)] = row(0.05, 0.2)
    said = latency.verdict(found)
    assert "3x for Optuna GPSampler up to n = 300: missed, 2.5x at the least;" in said
    assert "5x for BoTorch LogEI up to n = 300: met, 10.0x at the least;" in said
    assert "10x for BoTorch LogEI at n = 1000: not measured" in said
    said = latency.verdict({latency.title(1000, 10): row(0.3, 0.1)})
    assert "10x for Optuna GPSampler at n = 1000: met, 15.0x at the least" in said
    assert "10x for BoTorch LogEI at n = 1000: missed, 5.0x at the least" in said


def test_a_peer_that_failed_at_a_size_is_not_passed_over():
    ours = {"pathmax": Best(0.02, 1)}
    found = {latency.title(*size): dict(ours) for size in latency.SIZES[:4]}
    found[latency.title(20, 4)]["BoTorch LogEI"] = Best(0.4, 1)
    said = latency.verdict(found)
    assert "BoTorch LogEI up to n = 300: met, 20.0x at the least, measured at 1 of 4 sizes" in said
    assert "Optuna GPSampler up to n = 300: not measured" in said
    assert "-" in latency.render({latency.title(20, 4): {"BoTorch LogEI": Best(0.4, 1)}})
