"""The page and the API that `pathmax serve` offers: an outer layer, like the command line.

    app               all of it put together           settings         how a server is set up
    access            who may do what                  error_responses  errors with a status
    studies           opened once for all              study_cache      what viewers see of one
    events            what changes, told to viewers    polling          of the database, shared
    response_cache    what many ask for at the same moment is made once
    api/              JSON for robots and the page     pages/           HTML, on templates/, static/

It stands on `pathmax.workspace`, as the command line does. FastAPI, uvicorn and Jinja2 come with
`pip install "pathmax[dashboard]"`.
"""
