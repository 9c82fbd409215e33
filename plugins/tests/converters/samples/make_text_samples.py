"""Generates the samples of web pages, PDF, mail, text tables and XML: `python make_text_samples.py`. See README.md.

The PDF files need LibreOffice; everything else is written here. It is run by hand: the samples are committed.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from outlook_file import attached, message, ole_file, person

HERE = Path(__file__).parent
PAGE = """<!DOCTYPE html>
<html lang="fr"><head><meta charset="{charset}"><title>L’été à Québec</title>
<meta name="author" content="Zoé Ångström"><meta name="keywords" content="été, canicule">
<meta property="article:published_time" content="2024-05-31T12:00:00Z">
<meta name="viewport" content="width=device-width">
<style>p {{ color: red }}</style><script>alert("non")</script></head>
<body><nav><ul><li><a href="/">Accueil</a></li><li>Contact</li></ul></nav>
<h1>L’été <em>à Québec</em></h1>
<p>Il fait   très chaud&nbsp;:
35&nbsp;°C {emoji}<br>Le cœur&nbsp;&amp; l’âme.</p>
<h2>Villes</h2>
<table><tr><th>Ville<th>Mesure</tr><tr><td>Québec</td><td><p>35,5</p></td></tr></table>
<ol><li>Un</li><li>Deux<ul><li>Deux bis</li></ul></li></ol>
{arabic}<pre>x = 1
  y = 2</pre><p hidden>caché</p><p onclick="alert(1)">Fin <img src="x" alt="image"></p></body></html>
"""
ARABIC = '<p dir="rtl">مرحبا بالعالم</p>\n'
XHTML = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title>Strict page</title></head>
<body><h1>One</h1><p>First &eacute;.</p><h1>Two</h1><p>Second 😀.</p></body></html>
"""
ARTICLES = """<?xml version="1.0" encoding="ISO-8859-1"?>
<journal xmlns:x="urn:example">
  <article id="a1" topic="météo" x:lang="fr"><head>L'été</head><author>Zoé</author><author>Éric</author>
    <body><p>Il fait <b>très</b> chaud.</p><p>Le thé est froid.</p></body></article>
  <article id="a2" topic="science"><head>Winter</head><author>Ada</author>
    <body><p>Snow &#128512; falls.<note>editor</note></p></body></article>
</journal>
"""
ROWS = (
    'id;titre;texte;catégorie;année\r\n1;L\'été;"Il fait chaud ; très\nchaud, ""dit"" Zoé";météo;2024\r\n'
    "2;Thé;Le thé coûte 2 €;cuisine;2023\r\n\r\n"
)
TAB_ROWS = "text\tlabel\tlang\nHello 😀, world\tgreeting|short\ten\nمرحبا بالعالم\tgreeting\tar\n"
DOCCANO = (
    {"id": 1, "text": "😀 Ada wrote code", "label": [[2, 5, "PERSON"], [12, 16, "WORK"]], "Comments": [], "year": 1843},
    {"id": 2, "text": "Élan vital", "label": [], "Comments": ["?"], "source": "books"},
)
REPORT = """<html><head><title>Rapport d’été</title><meta name="author" content="Zoé Ångström"></head><body lang="fr">
<h1>Rapport d’été</h1>
<p style="text-align: justify">Il a fait très chaud à Québec cet été, si chaud que l’on a peut-être atteint un sommet.
Le cœur de l’été a été plus chaud que jamais, et l’anticonsti-<br>tutionnellement long mot le montre :
un porte-<br>monnaie, peut-<br>être.
Les relevés des mois de juin, de juillet et d’août le disent tous les trois.</p>
<p>مرحبا بالعالم</p>
<p style="page-break-before: always">Deuxième page, courte.</p></body></html>"""
SCANNED = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>endobj\n"
    b"4 0 obj<</Length 18>>stream\n0 0 100 100 re f  \nendstream endobj\ntrailer<</Root 1 0 R>>\n"
)
LOCK = {
    "EncryptFile": {"type": "boolean", "value": "true"},
    "DocumentOpenPassword": {"type": "string", "value": "secret"},
}


def mail() -> bytes:
    made = EmailMessage()
    made["From"] = "Zoé Ångström <zoe@example.org>"
    made["To"] = '"Martin, Éric" <eric@example.org>, ada@example.org'
    made["Cc"] = "Équipe <team@example.org>"
    made["Subject"] = "Réunion d’équipe 😀 مرحبا"
    made["Date"] = "Fri, 31 May 2024 14:00:00 +0200"
    made["Message-ID"] = "<1@example.org>"
    made.set_content("Bonjour,\n\nà demain au café — œuvre 😀\nمرحبا بالعالم\n")
    made.add_alternative("<p>Bonjour <b>en HTML</b></p>", subtype="html")
    made.add_attachment("Note à part".encode("cp1252"), maintype="text", subtype="plain", filename="note été.txt")
    made.add_attachment(b"GIF89a", maintype="image", subtype="gif", filename="image.gif")
    inner = EmailMessage()
    inner["From"], inner["Subject"] = "ada@example.org", "Avant"
    inner.set_content("Le message d’avant.")
    made.add_attachment(inner)
    made.set_boundary("b1")
    for number, part in enumerate(made.walk()):
        if part.is_multipart() and part.get_boundary(None) is None and part.get_content_maintype() == "multipart":
            part.set_boundary(f"b2-{number}")
    return made.as_bytes(policy=SMTP)


def outlook() -> bytes:
    moment = datetime(2024, 5, 31, 12, tzinfo=UTC) - datetime(1601, 1, 1, tzinfo=UTC)
    inner = message(subject="Avant", html="<p>Le message <b>d’avant</b>.</p>".encode(), inner=True)
    return ole_file(
        message(
            subject="Réunion d’équipe 😀 مرحبا",
            body="Bonjour,\r\n\r\nà demain au café — œuvre 😀\r\nمرحبا بالعالم\r\n" + "Suite. " * 400,
            sender=("Zoé Ångström", "zoe@example.org"),
            ticks=int(moment.total_seconds()) * 10_000_000,
            people=(person("Éric Martin", "eric@example.org", 1), person("Équipe", "team@example.org", 2)),
            attachments=(attached("note été.txt", "Note à part".encode()), attached("", inner)),
        )
    )


PLAN = """<html><head><title>Plan</title></head><body>
<h1>Annual plan of the archive</h1>
<p>The archive keeps letters, maps and photographs of the town. This paragraph is long enough to be broken into several
lines of the page, so that lines of it are joined again when it is read.</p>
<h2>1. What is to be done</h2>
<ul><li>Read the letters of the first box, which is the oldest one of all the boxes that the archive has, and describe
each of them in a line</li><li>Copy the maps</li><li>Ask the town for money</li></ul>
<h2>2. Who does it</h2>
<p>Three people do it together:</p>
<ol><li>Marie reads</li><li>Paul copies</li><li>Zoë asks</li></ol>
<h3>Costs of the year</h3>
<table border="1" cellpadding="4"><tr><th>What</th><th>Euro</th><th>When</th></tr>
<tr><td>Boxes</td><td>120</td><td>March</td></tr>
<tr><td>Paper without acid</td><td>80</td><td>June</td></tr>
<tr><td>Help</td><td>1,500</td><td>October</td></tr></table>
<p>After the table the text goes on with a last paragraph of the first page, which says nothing of weight.</p>
<p style="page-break-before:always">Second page, short.</p>
</body></html>"""


def pdf(options: str, html: str = REPORT) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "report.html")
        source.write_text(html, encoding="utf-8")
        command = ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless"]
        command += ["--convert-to", f"pdf:writer_web_pdf_Export{options}", "--outdir", folder, str(source)]
        subprocess.run(command, check=True, timeout=120, capture_output=True)
        return source.with_suffix(".pdf").read_bytes()


def main() -> None:
    samples = {
        "page.html": PAGE.format(charset="utf-8", emoji="😀", arabic=ARABIC).encode(),
        "page-cp1252.html": PAGE.format(charset="windows-1252", emoji="", arabic="").encode("cp1252"),
        "page.xhtml": XHTML.encode(),
        "articles.xml": ARTICLES.encode("iso-8859-1"),
        "rows.csv": ROWS.encode("cp1252"),
        "rows.tsv": TAB_ROWS.encode("utf-8-sig"),
        "doccano.jsonl": "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in DOCCANO).encode(),
        "note-cp1252.txt": "Le cœur déçu : l’âme plutôt naïve, 12 €.\r\nÀ bientôt.\r\n".encode("cp1252"),
        "message.eml": mail(),
        "message.msg": outlook(),
        "scanned.pdf": SCANNED,
        "report.pdf": pdf(""),
        "plan.pdf": pdf("", PLAN),
        "locked.pdf": pdf(":" + json.dumps(LOCK)),
    }
    for name, content in samples.items():
        (HERE / name).write_bytes(content)


if __name__ == "__main__":
    main()
