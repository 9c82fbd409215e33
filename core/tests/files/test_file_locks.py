"""Files left by killed processes are removed; files in use are not."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from annotarium.files import file_locks
from annotarium.files.file_locks import lock_descriptor, locked_folder, remove_unlocked
from annotarium.importing.convert import ConverterProcess

PATTERNS = ("*.part", "import-*")
OLD = time.time() - 3_600


def make(folder: Path) -> list[Path]:
    (folder / "import-1").mkdir()
    (folder / "import-1" / "page.txt").write_text("x")
    (folder / "a.part").write_text("x")
    (folder / "whole").write_text("x")
    made = [folder / "import-1", folder / "a.part", folder / "whole"]
    for path in made:
        os.utime(path, (OLD, OLD))
    return made


def test_only_unlocked_files_are_removed(tmp_path: Path) -> None:
    unpacked, part, whole = make(tmp_path)
    with part.open("ab") as file, locked_folder(unpacked):
        lock_descriptor(file.fileno())
        assert remove_unlocked(tmp_path, PATTERNS) == 0
    assert remove_unlocked(tmp_path, PATTERNS) == 2
    assert sorted(tmp_path.iterdir()) == [whole]


def test_young_files_are_not_removed(tmp_path: Path) -> None:
    (tmp_path / "a.part").write_text("x")
    assert remove_unlocked(tmp_path, PATTERNS) == 0
    assert file_locks.GRACE_SECONDS < 60


def test_a_killed_process_releases_its_locks(tmp_path: Path) -> None:
    _, part, _ = make(tmp_path)
    code = (
        "import sys, time; from annotarium.files.file_locks import lock_descriptor; "
        "file = open(sys.argv[1], 'r+b'); lock_descriptor(file.fileno()); print('held', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(part)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    assert remove_unlocked(tmp_path, ["*.part"]) == 0
    process.kill()
    process.communicate()
    assert remove_unlocked(tmp_path, ["*.part"]) == 1


def test_a_converter_dies_with_its_import(tmp_path: Path) -> None:
    """It is killed by the kernel: otherwise it would keep the inherited locks as long as it computes."""
    if sys.platform != "linux":
        return
    read_end, write_end = os.pipe()
    importing = os.fork()
    if importing == 0:
        process = ConverterProcess(lambda *_: None, lambda document: document)  # type: ignore[arg-type, return-value]
        process._start()
        os.write(write_end, str(process._pid).encode())
        time.sleep(60)
        os._exit(0)
    converter = int(os.read(read_end, 20))
    os.kill(importing, 9)
    os.waitpid(importing, 0)
    until = time.monotonic() + 60
    while _lives(converter):
        assert time.monotonic() < until, "it outlived its import"
        time.sleep(0.02)
    os.close(read_end)
    os.close(write_end)


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
