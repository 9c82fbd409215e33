"""Term importers read their own extensions and `.zip` always (C-053), within the limits of archives."""

from zipfile import ZIP_DEFLATED, ZipFile

from annotarium.importing.archives import ArchiveLimits
from annotarium.importing.term_files import read_terms
from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_plugins.base.term_importer import TermImporter
from annotarium_plugins.parameters import NoParameters
from annotarium_schemas.documents import Term

LIMITS = ArchiveLimits(entries=10, bytes=50 << 20, ratio=100)


class Lines(TermImporter):
    title = description = "Lines"
    extensions = ("txt",)

    def parse(self, source):
        for line in source.path.read_text().splitlines():
            yield Term(identifier=line, preferred_form=line)


def archive_of(folder, members):
    path = folder / "upload"
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def read(folder, members, name="terms.zip"):
    source = SourceFile(path=archive_of(folder, members), name=name)
    unpacked = folder / "unpacked"
    unpacked.mkdir()
    found = list(read_terms(Lines(NoParameters()), source, unpacked, LIMITS))
    assert not list(unpacked.iterdir())
    terms = [one.identifier for one in found if isinstance(one, Term)]
    return terms, [one for one in found if isinstance(one, ItemError)]


def test_members_of_an_archive_are_one_import(tmp_path):
    """C-053."""
    terms, problems = read(tmp_path, {"a.txt": "a\nb\n", "folder/b.txt": "b\nc\n", "c.pdf": "%PDF"})
    assert terms == ["a", "b", "c"]
    assert [problem.item.partition(",")[0] for problem in problems] == ["folder/b.txt", "c.pdf"]


def test_zip_bomb_is_refused(tmp_path):
    terms, problems = read(tmp_path, {"a.txt": b"a" * (45 << 20)})
    assert not terms
    assert "times its size" in problems[0].message


def test_member_outside_of_the_archive_is_not_read(tmp_path):
    terms, problems = read(tmp_path, {"../a.txt": "a\n", "b.txt": "b\n"})
    assert terms == ["b"]
    assert len(problems) == 1


def test_damaged_archive_is_explained(tmp_path):
    path = tmp_path / "upload"
    path.write_bytes(b"PK\x03\x04 no archive")
    found = list(read_terms(Lines(NoParameters()), SourceFile(path=path, name="a.zip"), tmp_path, LIMITS))
    assert [one.item for one in found] == ["a.zip"]
    assert found[0].fix
