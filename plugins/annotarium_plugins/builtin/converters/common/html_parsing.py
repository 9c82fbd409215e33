"""Parses and sanitises HTML. Every converter uses it, so that no resource is fetched and nesting is limited."""

from __future__ import annotations

import re

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.converters.common.errors import CHECK
from annotarium_plugins.builtin.converters.common.xml_reader import ATTRIBUTES, Element, too_many_attributes_error
from annotarium_schemas.messages import message


def element_names(text: str) -> frozenset[str]:
    """Return the element names in a text separated by blanks."""
    return frozenset(text.split())


_TAGS = element_names(
    "a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption "
    "figure h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary sup "
    "table tbody td tfoot th thead time tr u ul var wbr"
)
_ATTRIBUTES = {
    "*": {"dir", "lang", "title"},
    "a": {"href"},
    "bdo": {"dir"},
    "ol": {"start", "reversed", "type"},
    "td": {"colspan", "rowspan", "headers"},
    "th": {"colspan", "rowspan", "headers", "scope"},
    "time": {"datetime"},
}
_SUBSET = re.compile(r"(\s*(?:<\?[^>]*>\s*)?<!DOCTYPE[^>\[]*)\[[^\]]*\]", re.IGNORECASE)
"""The internal subset of an XHTML document type, whose end an HTML parser would take for text."""
_ATTRIBUTE = r"""[\s/]++[^\s<>=/]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s<>"']++))?+"""
_MANY_ATTRIBUTES = re.compile(rf"<[A-Za-z][^\s<>/]*+(?:{_ATTRIBUTE}){{{ATTRIBUTES + 1}}}")
"""A tag with more attributes than real pages have: the parser compares each attribute with all earlier ones."""
_DEEP = re.compile("depth", re.IGNORECASE)
_END_OF_PAGE = re.compile(r"</(?=(?:body|html)[\s/>])", re.IGNORECASE)
"""The parser drops what follows these end tags although it belongs to the page."""


def _without_declarations(text: str) -> str:
    found = _SUBSET.match(text)
    text = found[1] + text[found.end() :] if found else text
    return _END_OF_PAGE.sub("</x-", text.replace("\0", ""))


def parse_html(text: str) -> Element | None:
    """Return the root of an HTML text, repaired as browsers do; None when the text is empty.

    Raises:
        ComponentError: it is nested too deep, or a tag has too many attributes.
    """
    if _MANY_ATTRIBUTES.search(text):
        raise too_many_attributes_error()
    from lxml import etree

    parser = etree.HTMLParser(no_network=True, huge_tree=True, encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(_without_declarations(text).encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError) as error:
        raise ComponentError(
            message("file.noHtml", "The file cannot be read as HTML."),
            cause=str(error),
            fix=CHECK,
        ) from error
    if any(_DEEP.search(entry.message) for entry in parser.error_log.filter_from_fatals()):
        raise ComponentError(
            message("file.htmlDeep", "The HTML is nested too deep."),
            fix=message("fix.nestedPage", "Check the file: no page is nested like this"),
        )
    return root


def sanitise_html(html: str) -> str:
    """Return HTML that is safe to display: text, structure and links, without scripts, styles, forms, images, frames or
    event handlers.
    """
    import nh3

    return nh3.clean(
        html,
        tags=set(_TAGS),
        clean_content_tags={"script", "style", "title", "template", "noscript", "iframe", "svg", "object"},
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
        strip_comments=True,
    )
