"""`--smiles`: a column of molecules on the command line and in a space file."""

SMILES = [
    "C" * n + end for n in range(1, 9) for end in ("", "O", "N", "Cl", "C(=O)O", "c1ccccc1", "C#N")
]

SPACE = """\
study = "screen"

[objective]
name = "logS"
direction = "maximize"

[candidates]
file = "library.csv"
smiles = "smiles"
"""


def write(lab):
    (lab / "library.csv").write_text("\n".join(["smiles", *SMILES]) + "\n")
    results = [f"{s},{len(s)}" for s in SMILES[::9]]
    (lab / "results.csv").write_text("\n".join(["smiles,logS", *results]) + "\n")


def test_suggest_and_rank_molecules(run, ask, lab):
    write(lab)
    options = ("--data", "results.csv", "--pool", "library.csv", "--smiles", "smiles")
    found = ask("suggest", *options, "--objective", "logS", "-n", "2")
    assert all(one["params"]["smiles"] in SMILES for one in found["suggestions"])
    ranked = ask("rank", *options, "--objective", "logS", "--paths", "20")
    assert ranked["contenders"][0]["params"]["smiles"] in SMILES


def test_a_space_file_names_the_column(ask, run, lab):
    write(lab)
    (lab / "space.toml").write_text(SPACE)
    first = ask("suggest")["suggestions"][0]["params"]
    run("tell", "0", "3.5")
    assert ask("suggest")["suggestions"][0]["params"] != first


def test_results_need_no_other_columns_than_the_molecules(ask, run, lab):
    write(lab)
    rows = [f"{smiles},{weight}" for weight, smiles in enumerate(SMILES)]
    (lab / "library.csv").write_text("\n".join(["smiles,weight", *rows]) + "\n")
    options = ("--pool", "library.csv", "--smiles", "smiles", "--objective", "logS")
    found = ask("suggest", "--data", "results.csv", *options)
    assert {*found["suggestions"][0]["params"]} == {"smiles", "weight"}
    said = run("suggest", "--data", "none.csv", *options, code=1)
    assert "make it with this one line: smiles,logS" in said.output


def test_invalid_smiles_are_named(run, lab):
    (lab / "library.csv").write_text("smiles\nCCO\nC1CC\nxyz\n")
    said = run("suggest", "--pool", "library.csv", "--smiles", "smiles", code=1)
    assert "2 of 3 SMILES" in said.output
    assert "'C1CC'" in said.output
