"""List the licence of every package that nimmt_lab's extras bring, direct or not, as installed packages state it.

    python tools/licences.py [NAME …]     extras or groups of pyproject.toml; all of them if none is named
    python tools/licences.py --markdown   as tables; --json for programs

Exit code 1 if a package states no licence or is not installed: both are named. Reads metadata only, no network.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from email.message import Message
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
#: Values of the metadata field that don't name a licence.
_NOTHING = {"", "unknown", "none", "license", "licence"}
#: A field longer than this is the licence's text rather than its name.
_LONGEST_NAME = 100


@dataclass(frozen=True, order=True)
class Package:
    """An installed package and its licence; empty if it states none."""

    name: str
    version: str
    licence: str


#: How licences that packages often include without naming them can be recognised.
_TEXTS = {
    "Permission is hereby granted, free of charge": "MIT",
    "Permission to use, copy, modify, and": "ISC",
    "Redistribution and use in source and binary forms": "BSD",
    "Apache License": "Apache",
    "Mozilla Public License": "MPL",
    "GNU LESSER GENERAL PUBLIC LICENSE": "LGPL",
    "GNU GENERAL PUBLIC LICENSE": "GPL",
}


def recognised(text: str) -> str:
    """The licence whose text this is; empty if we do not know it.

    >>> recognised("Copyright A. Person\\n\\nPermission is hereby granted, free of charge, to any person …")
    'MIT (by its text)'
    """
    joined = " ".join(text.split())
    return next((f"{name} (by its text)" for words, name in _TEXTS.items() if words in joined), "")


def licence_of(metadata: Message, files: Sequence[str] = ()) -> str:
    """The licence a package states, from its metadata or else from its licence files; empty if it states none.

    >>> from email import message_from_string
    >>> licence_of(message_from_string("License-Expression: MIT\\nLicense: see LICENSE"))
    'MIT'
    >>> licence_of(message_from_string("Classifier: License :: OSI Approved :: BSD License\\nLicense: UNKNOWN"))
    'BSD License'
    >>> licence_of(message_from_string("License: Apache License 2.0"))
    'Apache License 2.0'
    """
    expression = str(metadata.get("License-Expression", "")).strip()
    if expression:
        return expression
    # The old free-text field often has the exact name (BSD-3-Clause) where the classifier has only the family.
    text = str(metadata.get("License", "")).strip()
    if text.casefold() not in _NOTHING and len(text) <= _LONGEST_NAME and "\n" not in text:
        return text
    classified = [
        line.split(" :: ")[-1]
        for line in map(str, metadata.get_all("Classifier", []))
        if line.startswith("License :: ") and line != "License :: OSI Approved"
    ]
    if classified:
        return " or ".join(dict.fromkeys(classified))
    return next(filter(None, map(recognised, [text, *files])), "")


def licence_files(found: Distribution) -> list[str]:
    """The texts of the licence files that a package brings."""
    paths = [path for path in found.files or [] if ".dist-info" in str(path) and "licen" in path.name.casefold()]
    return [Path(str(path.locate())).read_text(encoding="utf-8", errors="replace") for path in paths]


def wanted(pyproject: Mapping[str, object]) -> dict[str, list[str]]:
    """The requirements of every extra and dependency group by its name; an included group is spelled out."""
    project = pyproject["project"]
    assert isinstance(project, dict)
    found: dict[str, list[str]] = {"core": list(project.get("dependencies", []))} if project.get("dependencies") else {}
    found |= {name: list(lines) for name, lines in project.get("optional-dependencies", {}).items()}
    groups = pyproject.get("dependency-groups", {})
    assert isinstance(groups, dict)

    def lines_of(name: str) -> list[str]:
        lines: list[str] = []
        for item in groups[name]:
            lines += lines_of(item["include-group"]) if isinstance(item, dict) else [item]
        return lines

    return found | {name: lines_of(name) for name in groups}


def collected(
    lines: Iterable[str], lookup: Callable[[str], Distribution] = distribution
) -> tuple[list[Package], list[str]]:
    """All installed packages that some requirements bring, and the names of those that are not installed."""
    todo = [(Requirement(line), frozenset({""})) for line in lines]
    seen: set[tuple[str, frozenset[str]]] = set()
    packages: set[Package] = set()
    missing: set[str] = set()
    while todo:
        item, extras_of_parent = todo.pop()
        if item.marker and not any(item.marker.evaluate({"extra": extra}) for extra in extras_of_parent):
            continue  # for another system or Python, or for an extra that is not wanted
        name, extras = canonicalize_name(item.name), frozenset(item.extras) | {""}
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            found = lookup(item.name)
        except PackageNotFoundError:
            missing.add(name)
            continue
        metadata = found.metadata
        assert isinstance(metadata, Message)
        packages.add(Package(str(metadata["Name"]), found.version, licence_of(metadata, licence_files(found))))
        todo += [(Requirement(line), extras) for line in found.requires or []]
    return sorted(packages, key=lambda package: package.name.casefold()), sorted(missing)


def as_text(tables: Mapping[str, Sequence[Package]]) -> str:
    """Columns, a heading per extra."""
    parts = []
    for extra, packages in tables.items():
        names = max((len(f"{package.name} {package.version}") for package in packages), default=0)
        rows = [
            f"  {f'{package.name} {package.version}':{names}}  {package.licence or 'NO LICENCE STATED'}"
            for package in packages
        ]
        parts.append("\n".join([f"{extra} ({len(packages)} packages)", *rows]))
    return "\n\n".join(parts)


def as_markdown(tables: Mapping[str, Sequence[Package]]) -> str:
    """A table per extra."""
    parts = []
    for extra, packages in tables.items():
        rows = [
            f"| {package.name} | {package.version} | {package.licence.replace('|', '/') or '**none stated**'} |"
            for package in packages
        ]
        parts.append("\n".join([f"## {extra}", "", "| package | version | licence |", "|---|---|---|", *rows]))
    return "\n\n".join(parts)


def as_json(tables: Mapping[str, Sequence[Package]]) -> str:
    """Lists of objects by extra; a licence that is not stated is null."""
    listed = {
        extra: [{**asdict(package), "licence": package.licence or None} for package in packages]
        for extra, packages in tables.items()
    }
    return json.dumps(listed, indent=1, ensure_ascii=False)


def main(arguments: Sequence[str], root: Path = ROOT, lookup: Callable[[str], Distribution] = distribution) -> int:
    """0, 1 if a licence is not stated, 2 if an extra does not exist."""
    parser = argparse.ArgumentParser(prog="licences.py", description="List the licences of all dependencies.")
    parser.add_argument("extras", nargs="*", metavar="NAME", help="an extra or group of pyproject.toml; all by default")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--markdown", action="store_const", dest="shape", const=as_markdown, help="as Markdown tables")
    shape.add_argument("--json", action="store_const", dest="shape", const=as_json, help="as JSON")
    given = parser.parse_args(arguments)
    known = wanted(tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8")))
    if unknown := [name for name in given.extras if name not in known]:
        print(f"no extra {', '.join(unknown)}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    tables: dict[str, list[Package]] = {}
    absent: dict[str, list[str]] = {}
    for extra in given.extras or known:
        tables[extra], lacking = collected(known[extra], lookup)
        for name in lacking:
            absent.setdefault(name, []).append(extra)
    print((given.shape or as_text)(tables))
    silent = sorted({package for packages in tables.values() for package in packages if not package.licence})
    for package in silent:
        print(f"{package.name} {package.version} states no licence", file=sys.stderr)
    for name, extras in absent.items():
        print(f"{name} ({', '.join(extras)}) is not installed, so its licence is unknown", file=sys.stderr)
    return int(bool(silent or absent))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
