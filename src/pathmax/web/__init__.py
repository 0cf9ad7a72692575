"""The page and the API that `pathmax serve` offers: an outer layer, like the command line.

    settings    how a server is set up              access    who may do what
    app         all of it put together              refusals  errors as sentences with a status
    studies     the studies, opened once for all    board     what viewers see of one study
    events      what changes, told to all viewers   looks     at the database, shared by requests
    shelf       what many ask for at the same moment is made once
    api/        JSON for robots and for the page    pages/    HTML, on templates/ and static/

It stands on `pathmax.workspace`, as the command line does. FastAPI, uvicorn and Jinja2 come with
`pip install "pathmax[dashboard]"`.
"""
