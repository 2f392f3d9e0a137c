"""Pages that are installed lead to pages that are installed, by the paths that they have in the source tree."""

import os
import re
from pathlib import Path

from installed import installed_into
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
