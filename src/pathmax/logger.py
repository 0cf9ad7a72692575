"""What a study does, for whoever wants to read along: one logger, `pathmax`, quiet by default.

    import logging
    logging.basicConfig(level=logging.INFO)

INFO says what is asked, told and ended, DEBUG also what a suggestion was made from, and WARNING
what went another way than planned: a worker that vanished, a database that has to be waited for.
"""

from __future__ import annotations

import logging

logger = logging.getLogger("pathmax")
logger.addHandler(logging.NullHandler())  # else Python prints warnings that nobody asked for
