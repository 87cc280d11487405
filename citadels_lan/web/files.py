"""The files of the page: these and no others, read once. `page/` has xterm.js 6.0.0 and its addon fit 0.11.0 from
the npm registry, with their licence."""

import gzip
from functools import cache
from pathlib import Path
from typing import Final

FILES: Final = {
    "/": ("index.html", "text/html"),
    "/page.css": ("page.css", "text/css"),
    "/page.js": ("page.js", "text/javascript"),
    "/lines.js": ("lines.js", "text/javascript"),
    "/screens.js": ("screens.js", "text/javascript"),
    "/xterm.css": ("xterm.css", "text/css"),
    "/xterm.js": ("xterm.js", "text/javascript"),
    "/addon-fit.js": ("addon-fit.js", "text/javascript"),
    "/LICENSE.xterm": ("LICENSE.xterm", "text/plain"),
}
"""By path: the file, and what it is."""
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:;"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Nothing from outside and no script inside the page. xterm.js makes style sheets of its own, hence one word."""
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


@cache
def packed(path: str) -> bytes:
    """A file of FILES, compressed (gzip)."""
    return gzip.compress((Path(__file__).parent / "page" / FILES[path][0]).read_bytes(), mtime=0)
