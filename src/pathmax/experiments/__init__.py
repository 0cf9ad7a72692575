"""The experiments of the paper, through the public API alone, and what to build others from.

problems      objectives with a known optimum
plan          methods, settings and runs: what is done
trace         doing a run, and what is kept of it
store         finished runs on disk
runner        doing many, on processes or on a cluster
paper         the settings and the printed numbers of the paper
further       experiments that the paper does not have
reproduction  all of them, in a folder
reporting/    figures, tables, and which statements come out
"""
