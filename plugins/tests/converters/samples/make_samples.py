# ruff: noqa: E501, BLE001
"""Generates the samples of this folder with LibreOffice: `python make_samples.py [folder]`. See README.md.

It is run by hand: the samples are committed, so that tests need no office program.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
NAMESPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        ("office", "office"),
        ("style", "style"),
        ("text", "text"),
        ("table", "table"),
        ("draw", "drawing"),
        ("fo", "xsl-fo-compatible"),
        ("svg", "svg-compatible"),
        ("meta", "meta"),
        ("presentation", "presentation"),
        ("number", "datastyle"),
    )
)
META = """<office:meta><dc:title>Rapport d’été 🌻</dc:title><dc:subject>Mesures</dc:subject>
<dc:description>Un échantillon</dc:description><meta:keyword>été, capteurs</meta:keyword>
<meta:initial-creator>Zoé Ångström</meta:initial-creator><dc:creator>Zoé Ångström</dc:creator>
<meta:creation-date>2024-05-31T12:00:00Z</meta:creation-date><dc:date>2024-06-01T08:30:00Z</dc:date></office:meta>"""
TABLE = """<table:table table:name="T"><table:table-column table:number-columns-repeated="3"/>
<table:table-row><table:table-cell><text:p>Ville</text:p></table:table-cell><table:table-cell><text:p>Été</text:p></table:table-cell><table:table-cell><text:p>Signe</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell><text:p>Québec</text:p></table:table-cell><table:table-cell><text:p/></table:table-cell><table:table-cell><text:p>😀</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell><text:p>القاهرة</text:p></table:table-cell><table:table-cell><text:p>35,5</text:p></table:table-cell><table:table-cell><text:p>ok</text:p></table:table-cell></table:table-row>
</table:table>"""
_HEADINGS = "".join(
    f'<style:style style:name="Heading_20_{level}" style:display-name="Heading {level}" style:family="paragraph"'
    f' style:default-outline-level="{level}"/>'
    for level in (1, 2)
)
TEXT = f"""<office:styles>{_HEADINGS}</office:styles><office:body><office:text>
<text:h text:style-name="Heading_20_1" text:outline-level="1">Première partie</text:h>
<text:p>Ada a écrit “naïve café” — 20\u00a0°C… 😀👩‍👩‍👧 fin.</text:p>
<text:p>Tab<text:tab/>après,<text:line-break/>ligne suivante.</text:p>
<text:h text:style-name="Heading_20_2" text:outline-level="2">مقدمة</text:h>
<text:p>ذهب إلى البيت 🏠 ثم عاد.</text:p>
{TABLE}
<text:p>Après le tableau<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>Une note é 🎈</text:p></text:note-body></text:note>.</text:p>
<text:p>他说：「你好。」𝔘</text:p>
</office:text></office:body>"""


def _cell(text: str) -> str:
    return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'


def _value(kind: str, value: str, style: str = "") -> str:
    name = {"date": "date-value", "boolean": "boolean-value"}.get(kind, "value")
    styled = f' table:style-name="{style}"' if style else ""
    return f'<table:table-cell{styled} office:value-type="{kind}" office:{name}="{value}"/>'


def _row(*cells: str) -> str:
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


STYLES = """<office:automatic-styles>
<number:date-style style:name="N1"><number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/></number:date-style>
<number:percentage-style style:name="N2"><number:number number:decimal-places="0"/><number:text>%</number:text></number:percentage-style>
<style:style style:name="D" style:family="table-cell" style:data-style-name="N1"/>
<style:style style:name="P" style:family="table-cell" style:data-style-name="N2"/>
<number:boolean-style style:name="N3"><number:boolean/></number:boolean-style>
<style:style style:name="B" style:family="table-cell" style:data-style-name="N3"/>
<style:style style:name="H" style:family="table"><style:table-properties table:display="false"/></style:style>
</office:automatic-styles>"""
BOOK = f"""{STYLES}<office:body><office:spreadsheet>
<table:table table:name="Données">
{_row(_cell("Nom"), _cell("Âge"), _cell("Date"), _cell("Part"), _cell("Note"))}
{_row(_cell("Zoé 😀"), _value("float", "36"), _value("date", "2024-05-31", "D"), _value("percentage", "0.25", "P"), _cell("ligne un</text:p><text:p>ligne deux"))}
{_row(_cell("عمر"), _value("float", "41.5"), _value("date", "1999-12-31", "D"), _value("percentage", "1", "P"))}
{_row()}
{_row(_cell("Łukasz 𝔘"), _value("float", "-7"), "<table:table-cell/>", "<table:table-cell/>", _cell("fin"))}
</table:table>
<table:table table:name="Second">{_row(_cell("Seul"), _value("boolean", "true", "B"))}</table:table>
<table:table table:name="Caché" table:style-name="H">{_row(_cell("secret"))}</table:table>
</office:spreadsheet></office:body>"""


def _frame(kind: str, top: int, content: str) -> str:
    given = f'presentation:style-name="M-{kind}" presentation:class="{kind}"' if kind else ""
    return (
        f'<draw:frame {given} svg:x="1cm" svg:y="{top}cm" svg:width="20cm" svg:height="3cm">'
        f"<draw:text-box>{content}</draw:text-box></draw:frame>"
    )


def _notes(text: str) -> str:
    frame = _frame("notes", 12, f"<text:p>{text}</text:p>")
    return f'<presentation:notes><draw:page-thumbnail presentation:class="page"/>{frame}</presentation:notes>'


_STYLES = "".join(
    f'<style:style style:name="M-{kind}" style:family="presentation"/>' for kind in ("title", "outline1", "notes")
)
MASTER = f"""<office:styles>{_STYLES}</office:styles><office:automatic-styles><style:page-layout style:name="L"><style:page-layout-properties fo:page-width="28cm" fo:page-height="21cm"/></style:page-layout></office:automatic-styles>
<office:master-styles><style:master-page style:name="M" style:page-layout-name="L">
{_frame("", 18, "<text:p>BRUIT DU MASQUE</text:p>")}</style:master-page></office:master-styles>"""
SHOW = f"""{MASTER}<office:body><office:presentation>
<draw:page draw:name="a" draw:master-page-name="M">{_frame("title", 1, "<text:p>Bienvenue é 😀</text:p>")}
{_frame("outline", 5, "<text:p>Premier point</text:p><text:p>النقطة الثانية 🏠</text:p>")}{_notes("Note de l’orateur 🎈")}</draw:page>
<draw:page draw:name="b" draw:master-page-name="M">{_frame("title", 1, "<text:p>Tableau</text:p>")}{_frame("outline", 3, "<text:p>Troisième point</text:p>")}
<draw:frame svg:x="1cm" svg:y="5cm" svg:width="20cm" svg:height="6cm">{TABLE}</draw:frame>
{_frame("", 14, "<text:p>Zone libre 𝔘</text:p>")}</draw:page>
</office:presentation></office:body>"""
FILTERS = {"pps": "pps:MS PowerPoint 97 AutoPlay", "ppsx": "ppsx:Impress MS PowerPoint 2007 XML AutoPlay"}
LOCKED = {
    "odt": ("text.odt", "writer8"),
    "doc": ("text.odt", "MS Word 97"),
    "xls": ("book.ods", "MS Excel 97"),
    "ods": ("book.ods", "calc8"),
    "odp": ("show.odp", "impress8"),
}
PACKED = ("ppt", "pps")
"""They contain an uncompressed picture of their first slide."""
SOURCES = {
    "text.fodt": ("text", TEXT, ("odt", "docx", "rtf", "doc")),
    "book.fods": ("spreadsheet", BOOK, ("ods", "xlsx", "xls")),
    "show.fodp": ("presentation", SHOW, ("odp", "pptx", "ppsx", "ppt", "pps")),
}


def office(folder: Path, *arguments: str) -> None:
    """Run LibreOffice with its own profile, which stores no preview of the first page in files."""
    settings = folder / "profile" / "user" / "registrymodifications.xcu"
    settings.parent.mkdir(parents=True, exist_ok=True)
    if not settings.exists():
        settings.write_text(
            '<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry">'
            '<item oor:path="/org.openoffice.Office.Common/Save/Document"><prop oor:name="GenerateThumbnail"'
            ' oor:op="fuse"><value>false</value></prop></item></oor:items>'
        )
    profile = f"-env:UserInstallation=file://{folder}/profile"
    subprocess.run(["soffice", profile, "--headless", *arguments], check=True, capture_output=True, timeout=300)


def make(target: Path) -> None:
    """Write all samples into a folder."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name, (kind, body, extensions) in SOURCES.items():
            source = folder / name
            source.write_text(
                f'<?xml version="1.0" encoding="UTF-8"?><office:document {NAMESPACES}'
                ' xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.3"'
                f' office:mimetype="application/vnd.oasis.opendocument.{kind}">{META}{body}</office:document>',
                encoding="utf-8",
            )
            for extension in extensions:
                filtered = FILTERS.get(extension, extension)
                office(folder, "--convert-to", filtered, "--outdir", str(folder), str(source))
                content = (folder / f"{source.stem}.{extension}").read_bytes()
                if extension in PACKED:
                    (target / f"{source.stem}.{extension}.gz").write_bytes(gzip.compress(content, 9, mtime=0))
                else:
                    (target / f"{source.stem}.{extension}").write_bytes(content)


def lock(folder: Path) -> None:
    """Save samples with the password `secret`; runs in a Python that has LibreOffice's module `uno`."""
    import time

    import uno
    from com.sun.star.beans import PropertyValue

    with tempfile.TemporaryDirectory() as temporary:
        pipe = f"samples-{Path(temporary).name}"
        command = [
            "soffice",
            f"-env:UserInstallation=file://{temporary}",
            "--headless",
            f"--accept=pipe,name={pipe};urp;",
        ]
        program = subprocess.Popen(command)
        context = uno.getComponentContext()
        resolver = context.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", context)
        for _ in range(60):
            try:
                remote = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                break
            except Exception:
                time.sleep(0.5)
        desktop = remote.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", remote)
        for extension, (name, export) in LOCKED.items():
            hidden = PropertyValue("Hidden", 0, True, 0)
            document = desktop.loadComponentFromURL(f"file://{folder}/{name}", "_blank", 0, (hidden,))
            options = (PropertyValue("FilterName", 0, export, 0), PropertyValue("Password", 0, "secret", 0))
            document.storeToURL(f"file://{folder}/locked.{extension}", options)
            document.close(True)
        desktop.terminate()
        program.wait()


if __name__ == "__main__" and sys.argv[1:2] == ["lock"]:
    lock(HERE.resolve())
elif __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
