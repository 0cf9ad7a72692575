"""What a page shows of a study, as plain values: pages of trials, and the data of each chart.

A `Snapshot` is the study at one moment; everything but what a model says is made of it, without
touching the storage again. Charts never get more points than can be told apart, and say how many
of how many they show.
"""
