"""`python -m pathmax` is the command `pathmax`."""

from pathmax.cli import main

main(prog_name="pathmax")
