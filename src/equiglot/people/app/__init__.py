"""The rating app: a study in a database, its pages, and what raters said as tables."""

from equiglot.people.app.database import Database
from equiglot.people.app.export import export_ratings, export_spans
from equiglot.people.app.made_with import check_made_with
from equiglot.people.app.opening import open_existing, open_or_create
from equiglot.people.app.roster import Rater, read_roster
from equiglot.people.app.server import bind, create_app, is_loopback, serve
from equiglot.people.app.study import Links, Study, create_study, items_digest, open_study, renew_links

__all__ = [
    "Database",
    "Links",
    "Rater",
    "Study",
    "bind",
    "check_made_with",
    "create_app",
    "create_study",
    "export_ratings",
    "export_spans",
    "is_loopback",
    "items_digest",
    "open_existing",
    "open_or_create",
    "open_study",
    "read_roster",
    "renew_links",
    "serve",
]
