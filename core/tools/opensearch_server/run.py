"""Runs an OpenSearch server on this machine, for tests and experiments: `run.py --port 9200 --folder DIR`.

Needs Java 17 and Maven, which downloads the server once and caches it (exit status 3 when it cannot). `--check` prints
whether the server can run here, and why not (exit status 1). The process becomes the server: stop it like any other.
Not for production.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NOT_FETCHED = 3
"""Exit status when Maven could not fetch the server."""
OLDEST_JAVA, NEWEST_JAVA = 17, 21
PLUGIN = "org.opensearch.knn.plugin.KNNPlugin"


def missing_requirement() -> str | None:
    """Return why the server cannot run here; None when it can."""
    for command in ("java", "mvn"):
        if shutil.which(command) is None:
            return f"{command} is not installed"
    told = subprocess.run(["java", "-version"], capture_output=True, text=True).stderr
    version = re.search(r'version "(\d+)', told)
    if version is None or not OLDEST_JAVA <= int(version[1]) <= NEWEST_JAVA:
        return f"it needs Java {OLDEST_JAVA} to {NEWEST_JAVA}, here is {told.partition(chr(10))[0]}"
    return None


def class_path(folder: Path, vectors: bool) -> str:
    """Return the Java class path. Maven downloads it at first use, and it is cached in the folder."""
    pom = (HERE / "pom.xml").read_bytes()
    known = folder / f"classpath-{hashlib.blake2b(pom, digest_size=6).hexdigest()}.txt"
    entries = known.read_text().split(os.pathsep) if known.exists() else []
    if not entries or not all(Path(entry).exists() for entry in entries):
        _fetch_with_maven(known)
        entries = known.read_text().strip().split(os.pathsep)
    jars = [entry for entry in entries if not entry.endswith(".zip")]
    if vectors:
        (bundle,) = (entry for entry in entries if entry.endswith(".zip"))
        jars.append(str(_unpacked(Path(bundle), folder) / "*"))
    return os.pathsep.join(jars)


def _fetch_with_maven(target: Path) -> None:
    command = ["mvn", "-q", "-B", "-f", str(HERE / "pom.xml"), "dependency:build-classpath"]
    command.append(f"-Dmdep.outputFile={target}")
    if subprocess.run([*command, "-o"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
        return
    if subprocess.run(command, stdout=sys.stderr).returncode:
        sys.stderr.write("Maven could not fetch it\n")
        raise SystemExit(NOT_FETCHED)


def _unpacked(bundle: Path, folder: Path) -> Path:
    target = folder / bundle.stem
    target.mkdir(exist_ok=True)
    with zipfile.ZipFile(bundle) as archive:
        for name in archive.namelist():
            if name.endswith(".jar") and "/" not in name and not (target / name).exists():
                archive.extract(name, target)
    return target


def main() -> None:
    """Read the options and replace this process by the server."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether it can run here")
    parser.add_argument("--port", default="9200", help="where it listens on 127.0.0.1")
    parser.add_argument("--folder", type=Path, default=Path("build/opensearch"), help="its data and logs")
    parser.add_argument("--heap", default="512m", help="memory of the Java heap")
    parser.add_argument("--without-vectors", action="store_true", help="leave the k-NN plugin out")
    options = parser.parse_args()
    reason = missing_requirement()
    if reason or options.check:
        sys.stderr.write(f"No OpenSearch here: {reason}\n" if reason else "An OpenSearch can run here\n")
        raise SystemExit(1 if reason else 0)
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    vectors = not options.without_vectors
    command = ["java", f"-Xms{options.heap}", f"-Xmx{options.heap}", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"]
    command += ["-cp", class_path(folder, vectors), str(HERE / "Server.java"), str(folder / "node"), options.port]
    os.execvp("java", command + ([PLUGIN] if vectors else []))


if __name__ == "__main__":
    main()
