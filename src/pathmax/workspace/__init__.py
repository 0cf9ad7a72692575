"""Files, plans, imports and views that every front end shares."""
