"""What a build says of the machine and of itself: headers and an HDF5 that will not do are named, a tarball
knows its commit, and none is that of a repository in which the source merely lies.

    building_test.py ROOT
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(sys.argv[1]).resolve()


def ran(*words, folder: Path = ROOT) -> tuple[int, str]:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    done = subprocess.run([str(word) for word in words], cwd=folder, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=environment, timeout=60, check=False)
    return done.returncode, done.stdout


def git(folder: Path, *words) -> str:
    code, said = ran("git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "safe.directory=*", *words,
                     folder=folder)
    assert code == 0, said
    return said.strip()


def commit(folder: Path) -> str:
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "all")
    return git(folder, "rev-parse", "--short", "HEAD")


# --- what is looked for ---

def headers(*folders: Path) -> tuple[int, str]:
    """In a script CMake looks nowhere else."""
    return ran("cmake", f"-DCMAKE_PREFIX_PATH={';'.join(map(str, folders))}", "-P", "cmake/headers.cmake")


def missing_headers_are_named_at_once(folder: Path) -> None:
    code, said = headers()
    assert code != 0 and said.count("Debian has it in") == 3, said
    for word in ("<pcg_random.hpp>", "libpcg-cpp-dev", "<tl/expected.hpp>", "libexpected-dev", "<xxhash.h>",
                 "libxxhash-dev", "-DSOMNUS_FOLDER_OF_xxhash_h=FOLDER"):
        assert word in said, f"{word}: {said}"
    for name in ("pcg_random.hpp", "tl/expected.hpp"):
        path = folder / "include" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    code, said = headers(folder)
    assert code != 0 and said.count("Debian has it in") == 1 and "<xxhash.h>" in said, said
    (folder / "include/xxhash.h").touch()
    assert headers(folder) == (0, ""), headers(folder)


PUBCONFS = {
    "serial": ("/* #undef H5_HAVE_PARALLEL */\n#define H5_HAVE_THREADSAFE 1\n", ""),
    "parallel": ("#define H5_HAVE_PARALLEL 1\n/* #undef H5_HAVE_THREADSAFE */\n", "is a parallel one"),
    "unsafe": ("/* #undef H5_HAVE_PARALLEL */\n/* #undef H5_HAVE_THREADSAFE */\n",
               "was not built thread-safe"),
}


def an_hdf5_that_will_not_do_is_refused(folder: Path) -> None:
    script = folder / "try.cmake"
    # Of what the file does only the look into headers needs no compiler.
    text = (ROOT / "cmake/hdf5.cmake").read_text()
    function = text[text.index("function("):text.index("endfunction()") + len("endfunction()")]
    script.write_text(f'{function}\nsomnus_hdf5_problem(fault ${{HEADERS}})\nmessage("[${{fault}}]")\n')
    for name, (content, fault) in PUBCONFS.items():
        (folder / name).mkdir()
        (folder / name / "H5pubconf.h").write_text(content)
        code, said = ran("cmake", f"-DHEADERS={folder / name}", "-P", script)
        assert code == 0 and fault in said and (fault or "[]" in said), f"{name}: {said}"


# --- which Somnus it is ---

def stamped(source: Path) -> str:
    out = source / "version.out"
    code, said = ran("cmake", "-DSOMNUS_VERSION=1.2.3", f"-DOUT={out}", "-P",
                     source / "src/version/stamp.cmake", folder=source.parent)
    assert code == 0, said
    text = out.read_text()
    assert 'somnus_version = "1.2.3"' in text, text
    out.unlink()
    return text.partition('somnus_commit = "')[2].partition('"')[0]


def copied(folder: Path) -> Path:
    shutil.copytree(ROOT / "src/version", folder / "src/version")
    shutil.copy(ROOT / ".gitattributes", folder)
    return folder


def a_checkout_is_its_commit(folder: Path) -> None:
    source = copied(folder / "somnus")
    head = commit(source)
    assert stamped(source) == head, stamped(source)
    (source / "src/version/version.hpp").write_text("changed\n")
    assert stamped(source) == f"{head}-dirty", stamped(source)


def a_tarball_knows_its_commit_wherever_it_lies(folder: Path) -> None:
    source = copied(folder / "somnus")
    head = commit(source)
    git(source, "archive", "--prefix=unpacked/", "--output=../source.tar", "HEAD")
    other = folder / "other"
    other.mkdir()
    (other / "file").touch()
    assert commit(other) != head
    assert ran("tar", "-xf", "../source.tar", folder=other)[0] == 0
    assert stamped(other / "unpacked") == head, stamped(other / "unpacked")


def the_commit_of_a_repository_around_it_is_none_of_its_own(folder: Path) -> None:
    (folder / "other").mkdir()
    source = copied(folder / "other/somnus")
    commit(folder / "other")
    assert stamped(source) == "unknown", stamped(source)


def main() -> None:
    failed = 0
    for check in (missing_headers_are_named_at_once, an_hdf5_that_will_not_do_is_refused,
                  a_checkout_is_its_commit, a_tarball_knows_its_commit_wherever_it_lies,
                  the_commit_of_a_repository_around_it_is_none_of_its_own):
        with tempfile.TemporaryDirectory(prefix="somnus-building-") as folder:
            try:
                check(Path(folder))
                print(f"ok: {check.__name__.replace('_', ' ')}")
            except AssertionError as error:
                failed += 1
                print(f"FAIL: {check.__name__.replace('_', ' ')}: {error}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
