"""The pictures beside words: one stroke, twenty by twenty, in the colour of the text."""

from __future__ import annotations

# Four lines of falling length: the levels of one memory.
MARK = (
    '<svg class="mark" viewBox="0 0 20 20" aria-hidden="true">'
    '<rect x="2" y="3" width="16" height="2.6" rx="1.3"/>'
    '<rect x="2" y="7.2" width="12" height="2.6" rx="1.3" opacity=".75"/>'
    '<rect x="2" y="11.4" width="8" height="2.6" rx="1.3" opacity=".5"/>'
    '<rect x="2" y="15.6" width="4" height="2.6" rx="1.3" opacity=".3"/></svg>'
)

_PATHS = {
    "overview": "M3 17V9M8 17V4M13 17v-6M17.5 17H2.5M17 17V7",
    "search": "M9 3.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11ZM13.2 13.2 17 17",
    "timeline": "M2.5 10h15M5.5 7v6M10 4.5v11M14.5 7v6",
    "graph": "M5 6.5 10 14M15 6.5 10 14M6.5 5h7M3 5a2 2 0 1 0 4 0a2 2 0 1 0-4 0M13 5a2 2 0 1 0 4 0"
    "a2 2 0 1 0-4 0M8 15.5a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
    "contradictions": "M4 7h10.5M11.5 4l3 3-3 3M16 13H5.5M8.5 10l-3 3 3 3",
    "review": "M3 11.5 5 4h10l2 7.5V16H3ZM3 11.5h4l1.2 2h3.6l1.2-2h4",
    "briefing": "M5 2.8h7l3.5 3.5v10.9H5ZM12 2.8v3.5h3.5M7.8 10h5M7.8 13h5",
    "sessions": "M2.8 4h14.4v12H2.8ZM5.8 8l2.4 2.2-2.4 2.2M10.5 12.6h3.6",
    "learning": "M2.5 14.5 7.5 9l3 3 6.5-7.5M12.5 4.5H17V9",
    "settings": "M3 6h7M14 6h3M3 14h3M10 14h7M10 6a2 2 0 1 0 4 0a2 2 0 1 0-4 0M6 14a2 2 0 1 0 4 0"
    "a2 2 0 1 0-4 0",
    "menu": "M3 6h14M3 10h14M3 14h14",
    "close": "M5 5l10 10M15 5 5 15",
    "plus": "M10 4v12M4 10h12",
    "pin": "M7 3h6l-.8 5 2.3 2.5h-9L7.8 8ZM10 10.5V17",
    "edit": "M4 16l.8-3.2L13 4.6l2.4 2.4-8.2 8.2ZM11.4 6.2l2.4 2.4",
    "check": "M4 10.5 8 14.5 16 5.5",
    "forget": "M4 6h12M8 6V4h4v2M5.5 6l.7 10.5h7.6L14.5 6",
    "restore": "M4.5 7.5H12a4 4 0 0 1 0 8H7M4.5 7.5 7.5 4.5M4.5 7.5l3 3",
    "theme": "M10 3a7 7 0 1 0 0 14ZM10 3a7 7 0 0 1 0 14",
    "keys": "M2.5 5.5h15v9h-15ZM5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M6.5 11.8h7",
    "next": "M7.5 4.5 13 10l-5.5 5.5",
    "copy": "M7 7h9.5v9.5H7ZM13 7V3.5H3.5V13H7",
    "warn": "M10 3 17.5 16.5h-15ZM10 8.2v4M10 14.4v.01",
}


def icon(name: str) -> str:
    """Give the markup of a picture; it says nothing to those who hear the page."""
    return (
        '<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" fill="none" '
        'stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">'
        f'<path d="{_PATHS[name]}"/></svg>'
    )
