"""Pages that are installed lead to pages that are installed, by the paths that they have in the source tree."""

import os
import re
import subprocess
from pathlib import Path

import somnus_program
from installed import done, installed_into
from somnus_program import expect

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def test_every_link_of_an_installed_page_leads_somewhere(tmp_path):
    pages, all_dead = 0, []
    for folder, _, files in os.walk(installed_into(tmp_path), followlinks=True):
        for page in (Path(folder) / name for name in files if name.endswith(".md")):
            pages += 1
            links = [link for link in LINK.findall(page.read_text()) if not re.match("[a-z]+:", link)]
            dead = [link for link in links if not os.path.exists(os.path.normpath(page.parent / link))
                    or not (page.parent / link).exists()]  # as a browser has it, and as the system has it
            all_dead += [f"{page.relative_to(tmp_path)}: {link}" for link in dead]
    expect(not all_dead, "\n".join(all_dead))
    expect(pages > 20, f"{pages} pages")


def test_the_installed_package_can_be_installed_by_pip(tmp_path):
    prefix, target = installed_into(tmp_path / "prefix"), tmp_path / "target"
    done("/usr/bin/python3", "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--no-build-isolation", "--target",
         target, prefix / "share/somnus/analysis")
    expect((target / "somnus/analysis/__main__.py").exists(), f"in {target}: {os.listdir(target)}")


def test_a_build_that_is_not_whole_installs_nothing(tmp_path):
    """As cmake would find it without the program: of the same build's script, which names it elsewhere."""
    build, prefix = somnus_program.BUILD.resolve(), tmp_path / "prefix"
    script = (build / "cmake_install.cmake").read_text().replace(f"{build}/lib/libsomnus.a", f"{tmp_path}/libsomnus.a")
    (tmp_path / "cmake_install.cmake").write_text(script)
    ended = subprocess.run(["cmake", f"-DCMAKE_INSTALL_PREFIX={prefix}", "-P", tmp_path / "cmake_install.cmake"],
                           capture_output=True, text=True)
    expect(ended.returncode != 0 and "the build lacks somnus_archive" in " ".join(ended.stderr.split()), ended.stderr)
    expect(not prefix.exists(), "something was copied")
