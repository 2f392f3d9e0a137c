"""No two types of the product have one name. The linker takes functions of either for both, and says nothing.

A type of one file alone stands in an unnamed namespace, and counts by its file.
"""

import re
from pathlib import Path

from source_tree import code_of, files, main

FOLDERS = ("src", "workers", "emulator")
TOKEN = re.compile(r"""
    \bnamespace(?P<namespace>[\s\w:]*)\{
  | (?P<alias>\busing\s+namespace\b|\bnamespace\s+\w+\s*=)
  | \b(?:struct|class|enum(?:\s+(?:class|struct))?)\s+(?P<type>\w+)(?P<special>\s*<)?(?:\s+final)?\s*(?::(?!:)[^;{()]*)?\{
  | (?P<open>\{)
  | (?P<close>\})
""", re.VERBOSE)


def types_in(text: str) -> list[str]:
    """Full names of types that are defined in namespaces with a name."""
    found: list[str] = []
    scopes: list[str | None] = []  # a namespace's name, "" of an unnamed one; None: any other brace
    for token in TOKEN.finditer(code_of(text, strings=False)):
        if token["alias"]:
            continue
        if token["namespace"] is not None:
            scopes.append(token["namespace"].replace("inline", "").strip())
        elif token["close"]:
            if scopes:
                scopes.pop()
        else:
            if token["type"] and not token["special"] and all(scopes):
                found.append("::".join([*scopes, token["type"]]))
            scopes.append(None)
    return found


def lint(root: Path) -> list[str]:
    where: dict[str, list[str]] = {}
    for path in files(root):
        name = str(path.relative_to(root))
        if path.suffix in (".hpp", ".cpp") and name.startswith(FOLDERS):
            for each in types_in(path.read_text()):
                where.setdefault(each, []).append(name)
    return [f"{each} is defined in {', '.join(paths)}; two types of one name are one to the linker"
            for each, paths in sorted(where.items()) if len(paths) > 1]


PLANTED = {
    "two names": ({"src/a.hpp": "namespace somnus {\nstruct A {};\n}", "src/b.hpp": "namespace somnus {\nclass B {};\n}"}, ""),
    "one name in two files": ({"src/a.hpp": "namespace somnus {\nstruct A { int x; };\n}",
                               "src/b.hpp": "namespace somnus {\nclass A final : public C<int> {};\n}"},
                              "somnus::A is defined in src/a.hpp, src/b.hpp"),
    "in other namespaces": ({"src/a.hpp": "namespace somnus::one {\nstruct A {};\n}",
                             "src/b.hpp": "namespace somnus {\nnamespace two {\nstruct A {};\n}\n}"}, ""),
    "in unnamed ones": ({"src/a.cpp": "namespace somnus {\nnamespace {\nstruct A {};\n}\n}",
                         "src/b.cpp": "namespace somnus {\nnamespace {\nenum class A { x };\n}\n}"}, ""),
    "inside others": ({"src/a.hpp": "namespace somnus {\nstruct X {\n  struct A {};\n};\n}",
                       "src/b.hpp": "namespace somnus {\nstruct Y {\n  struct A {};\n};\n}"}, ""),
    "declared twice": ({"src/a.hpp": "namespace somnus {\nstruct A {};\n}", "src/b.hpp": "namespace somnus {\nstruct A;\n}"}, ""),
    "specialised": ({"src/a.hpp": "namespace somnus {\ntemplate <>\nstruct N<A> {};\n}",
                     "src/b.hpp": "namespace somnus {\ntemplate <>\nstruct N<B> {};\n}"}, ""),
}

if __name__ == "__main__":
    main(lint, PLANTED)
