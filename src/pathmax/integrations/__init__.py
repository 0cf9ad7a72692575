"""pathmax inside other optimisers' programs: one package each, imported only by who asks for it."""
