"""A file on its way to Doxygen. Of a header: `int x;  // what it is` becomes `int x;  ///< what it is`, the comment at
its top is the file's, and what it adds to namespace std is left out. Of a page: links to pages that are not
there are their words."""

import re
import sys
from pathlib import Path


def header(text: str) -> str:
    top = re.match(r"(?://[^\n]*\n)+", text)
    if top:
        words = "\n".join(line[2:] for line in top[0].splitlines())
        text = f"/** @file\n{words}\n*/\n{text[top.end():]}"
    text = re.sub(r"^template <[^\n]*>\nstruct std::.*?^};\n", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"([;,{}])( +)// (?!NOLINT)", r"\1\2///< ", text)


file = Path(sys.argv[1])
content = file.read_text()
sys.stdout.write(header(content) if file.suffix == ".hpp" else re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", content))
