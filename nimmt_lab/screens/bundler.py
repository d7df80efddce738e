"""Bundle several ES modules into one, without Node.

Each module becomes a function that returns its exports, in import order; comments, indents, blanks beside marks and
the last mark of a list or a block are dropped. This isn't a JavaScript parser: it blanks out strings, comments,
templates and regular expressions, so that nothing inside them looks like code, and rewrites the forms of import and
export that our modules use:

    import name, { other, third as local } from "./module.js";
    export const name = …;    export function …    export async function …    export class …
    export default expression;

Any other form raises a `BundleError` that names file and line.

>>> files = {"a": 'import { two } from "./b.js";\\nexport default two + 1;', "b": "export const two = 2; // small"}
>>> print(joined(in_order("a", lambda name: parse(name, files[name]))), end="")
const m_b = (() => {
let two=2;
return { two };
})();
const m_a = (() => {
const { two } = m_b;
let theDefault=two + 1;
return { default: theDefault };
})();
export default m_a.default;
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NoReturn


class BundleError(ValueError):
    """A module that cannot be bundled: its name, the line (from 1), and the reason."""

    def __init__(self, name: str, line: int, message: str) -> None:
        self.name, self.line, self.message = name, line, message
        super().__init__(f"{name}.js, line {line}: {message}")


@dataclass(frozen=True)
class Import:
    """One import: pairs of the exported name and the local one."""

    module: str
    line: int
    names: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Module:
    """A parsed module: its imports, its code without imports and exports, and its exported names with their values."""

    name: str
    imports: tuple[Import, ...]
    code: str
    exports: dict[str, str]


def scope(name: str) -> str:
    """The variable for a module's exports. `$` replaces only the slash, so no two modules share one.

    >>> scope("screens/play")
    'm_screens$play'
    """
    return "m_" + name.replace("/", "$")


_TOKEN: Final = re.compile(
    r"""(?P<space>\s+)
    |(?P<comment>//[^\n\u2028\u2029]*|/\*[\s\S]*?\*/)
    |(?P<literal>"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')
    |(?P<word>[\w$]+)
    |(?P<mark>\+\+|--|[^\s"'])""",
    re.VERBOSE,
)
_REGEX: Final = re.compile(r"/(?:[^/\\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+/(?P<flags>\w*)")
_TEMPLATE: Final = re.compile(r"(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?P<end>`|\$\{)")
#: The statements that are supported, in a text whose literals and comments are blank.
_NAME: Final = r"[^\W\d][\w$]*|\$[\w$]*"
_IMPORT: Final = re.compile(
    rf"import\s+(?:(?P<default>{_NAME})\s*(?:,\s*(?=\{{)|(?=from\b)))?(?:\{{(?P<names>[\w$\s,]*)\}}\s*)?"
    r"from\s*(?P<path>\"[^\"]*\")[^\S\n]*(?:;|$)",
    re.MULTILINE,
)
_IMPORTED: Final = re.compile(rf"\s*(?P<name>{_NAME})(?:\s+as\s+(?P<local>{_NAME}))?\s*")
_EXPORT: Final = re.compile(
    rf"export\s+(?=(?:const|function|class|async\s+function)\s+(?P<name>{_NAME}))"
    r"|export\s+default\s+(?!(?:function|class)\b)"
)
_PATH: Final = re.compile(r"(?P<path>\.\.?/[\w./]*\w)\.js")
#: Text that would end a script element, or begin a comment inside one.
_ENDS_SCRIPT: Final = re.compile(r"</script|<!--", re.IGNORECASE)
#: After these words a slash begins a regular expression.
_BEFORE_REGEX: Final = frozenset(
    ("await", "case", "default", "delete", "do", "else", "extends", "in", "instanceof", "new")
    + ("return", "throw", "typeof", "void", "yield")
)
_CLOSES: Final = {")": "(", "]": "[", "}": "{"}


class _Scanner:
    """Reads a module from its start to its end."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text
        #: The text so far, with every literal as two quotes and blanks between them.
        self.code = ""
        self.comments: list[tuple[int, int]] = []
        #: Line ends outside literals, with the blanks around them.
        self.ends: list[tuple[int, int]] = []
        #: Blanks inside lines, outside literals.
        self.gaps: list[tuple[int, int]] = []
        #: The words import, export and await: each with its place and the number of brackets around it.
        self.keywords: list[tuple[str, int, int]] = []
        #: Open brackets: the bracket, its place, and whether it begins a condition (`if (`).
        self.open: list[tuple[str, int, bool]] = []
        #: The last two tokens; a literal is a quote.
        self.before, self.last = "", ""
        #: Whether the bracket closed last was a condition: `if (a) /b/.test(c)`.
        self.condition = False

    def refuse(self, at: int, message: str) -> NoReturn:
        raise BundleError(self.name, self.text.count("\n", 0, at) + 1, message)

    def scan(self) -> None:
        while (at := len(self.code)) < len(self.text):
            match = _TOKEN.match(self.text, at)
            if match is None:
                self.refuse(at, "a string that does not end")
            if match["mark"]:
                self._mark(match[0], at)
            elif match["literal"]:
                self._literal(match.end())
            elif match["word"]:
                if match[0] in ("import", "export", "await") and self.last != ".":
                    self.keywords.append((match[0], at, len(self.open)))
                self._add(match[0])
            else:
                if match["comment"]:
                    self.comments.append(match.span())
                elif "\n" in match[0]:
                    self.ends.append(match.span())
                else:
                    self.gaps.append(match.span())
                self.code += re.sub(r"[^\n]", " ", match[0])
        if self.open:
            self.refuse(self.open[-1][1], f"a {self.open[-1][0]} that does not end")

    def _add(self, token: str) -> None:
        self.code += token
        self.before, self.last = self.last, token

    def _literal(self, end: int) -> None:
        """Blank out a literal, or a part of a template, up to there."""
        start = len(self.code)
        if _ENDS_SCRIPT.search(self.text, start, end):
            self.refuse(start, "a page that holds this script would end it here: write the < as \\x3c")
        self.code += '"' + re.sub(r"[^\n]", " ", self.text[start + 1 : end - 1]) + '"' * (end - start > 1)
        self.before, self.last = self.last, '"'

    def _mark(self, mark: str, at: int) -> None:
        if mark == "`":
            self._template(at)
        elif mark == "/":
            self._slash(at)
        elif mark == "#" and at == 0:
            self.refuse(at, "a line for the shell (#!) cannot be in the middle of a bundle")
        else:
            if mark in "([{":
                self.open.append((mark, at, mark == "(" and self.last in ("if", "while", "for", "with")))
            elif mark in _CLOSES:
                opened, _, self.condition = self.open.pop() if self.open else ("", at, False)
                if opened == "${" and mark == "}":
                    return self._template(at)
                if opened != _CLOSES[mark]:
                    self.refuse(at, f"a {mark} that closes nothing")
            self._add(mark)

    def _template(self, at: int) -> None:
        """A template up to its end or to the code inside it."""
        match = _TEMPLATE.match(self.text, at + 1)
        if match is None:
            self.refuse(at, "a template that does not end")
        self._literal(match.end())
        if match["end"] == "${":
            self.open.append(("${", at, False))
            self.last = "{"

    def _slash(self, at: int) -> None:
        """A division or a regular expression, depending on the token before it."""
        if self.text.startswith("/*", at):
            self.refuse(at, "a comment that does not end")
        if self.last == "}" or (self.last == "of" and self.before != "."):
            self.refuse(at, f"cannot tell a division from a regular expression after {self.last}: write it otherwise")
        if self.last == ")":
            is_regex = self.condition
        elif re.match(r"[\w$]", self.last):
            is_regex = self.last in _BEFORE_REGEX and self.before != "."
        else:
            is_regex = self.last not in ('"', "]", "++", "--")
        if not is_regex:
            return self._add("/")
        match = _REGEX.match(self.text, at)
        if match is None:
            self.refuse(at, "a regular expression that does not end")
        if "v" in match["flags"]:
            self.refuse(at, "regular expressions with the flag v are not supported")
        self._literal(match.end())

    def module(self) -> Module:
        self.scan()
        imports: list[Import] = []
        exports: dict[str, str] = {}
        #: Replacements: start, end, and the new text.
        edits: list[tuple[int, int, str]] = []
        words = set(re.findall(r"[\w$]+", self.code))
        default = "theDefault"
        while default in words:
            default += "_"
        for word, at, depth in self.keywords:
            if depth and (word != "import" or self.code[at + len(word) :].lstrip().startswith(":")):
                continue  # a property, or an await inside a function
            statement = (_IMPORT if word == "import" else _EXPORT).match(self.code, at) if depth == 0 else None
            if statement is None:
                self.refuse(at, f"{self.text[at:].splitlines()[0]} is not a form of {word} that can be bundled")
            if word == "import":
                imports.append(self._imported(statement, imports))
                ended = self.code[:at].rstrip()[-1:] in ("", ";")
                edits.append((at, statement.end(), "" if ended else ";"))
                continue
            name = statement["name"] or "default"
            if name in exports:
                self.refuse(at, f"{name} is exported twice")
            exports[name] = statement["name"] or default
            if self.code.startswith("const", statement.end()):
                self._one_name(at, statement.end())
            edits.append((at, statement.end(), "" if statement["name"] else f"const {default} = "))
        for each in imports:
            if scope(each.module) in words:
                raise BundleError(self.name, each.line, f"the name {scope(each.module)} is the bundle's own")
        return Module(self.name, tuple(imports), self._edited(edits), exports)

    def _one_name(self, at: int, declared: int) -> None:
        """Refuse `export const a = 1, b = 2`, of which only the first name would be exported."""
        depth = 0
        for mark in re.findall(r"[(\[{}\]),;]", self.code[declared:]):
            depth += (mark in "([{") - (mark in ")]}")
            if depth == 0 and mark == ";":
                break
            if depth == 0 and mark == ",":
                self.refuse(at, "export one const at a time, and end it with a semicolon")

    def _imported(self, statement: re.Match[str], others: list[Import]) -> Import:
        at = statement.start()
        names = [("default", statement["default"])] if statement["default"] else []
        for part in (statement["names"] or "").rstrip().removesuffix(",").split(",") if statement["names"] else []:
            match = _IMPORTED.fullmatch(part)
            if match is None:
                self.refuse(at, f"expected names, got {part.strip()}")
            names.append((match["name"], match["local"] or match["name"]))
        path = self.text[statement.start("path") + 1 : statement.end("path") - 1]
        inside = _PATH.fullmatch(path)
        module = posixpath.normpath(posixpath.join(posixpath.dirname(self.name), inside["path"])) if inside else ".."
        if module.startswith(".."):
            self.refuse(at, f'"{path}" is not supported: only "./name.js" and "../name.js" inside the folder are')
        known = {local for each in others for _, local in each.names}
        for _, local in names:
            if local in known:
                self.refuse(at, f"{local} is imported twice")
        return Import(module, self.text.count("\n", 0, at) + 1, tuple(names))

    def _edited(self, statements: list[tuple[int, int, str]]) -> str:
        """The code after all replacements, without comments."""
        edits = statements + [
            self._without(start, end)
            for start, end in self.comments
            if not any(first <= start < last for first, last, _ in statements)
        ]
        pieces, at = [], 0
        for start, end, text in sorted(edits):
            pieces += [self.text[at:start], text]
            at = end
        code = "".join([*pieces, self.text[at:]])
        return _at_the_left(self.name, code.strip()) + "\n" if code.strip() else ""

    def _without(self, start: int, end: int) -> tuple[int, int, str]:
        """The edit that drops a comment: with its lines if nothing else is on them, and never joining two words."""
        begin = self.text.rfind("\n", 0, start) + 1
        stop = self.text.find("\n", end)
        stop = len(self.text) if stop < 0 else stop
        alone = not self.text[begin:start].strip()
        last = not self.text[end:stop].strip()
        if alone and last:
            return begin, min(stop + 1, len(self.text)), ""
        if last:
            return len(self.text[:start].rstrip(" \t")), stop, ""
        return start, end, "\n" if "\n" in self.text[start:end] else " "


#: Marks beside which a blank means nothing. Not `+` and `-`, which could meet their like, nor `/`, which could begin a
#: comment.
_APART: Final = frozenset("{}()[];,:?=<>&|!*%")


#: A constant is checked where it is written; a bundle has the shorter word.
_CONST: Final = re.compile(r"(?<![\w$.])const(?= [\w$]| ?[\[{])")
#: A head whose body is the semicolon after it.
_BODILESS: Final = re.compile(r"(?:\b(?:if|for|while)\b[^\n]*\)|\belse);$")


def _at_the_left(name: str, code: str) -> str:
    """Code without empty lines, indents, blanks beside marks, and the ends of lines that mean nothing. A template keeps
    its own."""
    scanner = _Scanner(name, code)
    scanner.scan()
    ends = [
        (start - _spare(code, start, end), end, "" if _goes_on(code, start, end) else "\n")
        for start, end in scanner.ends
    ]
    gaps = [(*span, "") for span in scanner.gaps if _means_nothing(code, *span)]
    pieces, at = [], 0
    for start, end, instead in sorted(
        ends + gaps + [(*match.span(), "let") for match in _CONST.finditer(scanner.code)]
    ):
        pieces += [code[at:start], instead]
        at = end
    return "".join([*pieces, code[at:]])


def _goes_on(code: str, start: int, end: int) -> bool:
    """Whether the end of a line means nothing: JavaScript inserts no semicolon there, or one that changes nothing.

    >>> _goes_on("a;\\nb", 2, 3), _goes_on("{\\na", 1, 2), _goes_on("a\\n}", 1, 2), _goes_on("return\\na", 6, 7)
    (True, True, True, False)
    """
    return code[start - 1 : start] in set(";{,([") or code[end : end + 1] in set("})]")


def _spare(code: str, start: int, end: int) -> int:
    """How much before the end of a line means nothing: a comma at the end of a list, a semicolon at the end of a block.

    >>> _spare("[a,\\n]", 3, 4), _spare("b;\\n}", 2, 3), _spare("[c,,\\n]", 4, 5), _spare("if(d);\\n}", 6, 7)
    (1, 1, 0, 0)
    """
    last, after = code[start - 2 : start], code[end : end + 1]
    listed = last[1:] == "," and after in set("})]") and last not in {",,", "[,"}
    return int(listed or (last[1:] == ";" and after == "}" and not _BODILESS.search(code[:start])))


def _means_nothing(code: str, start: int, end: int) -> bool:
    """Whether the tokens beside a blank stay apart without it.

    >>> _means_nothing("a = b", 1, 2), _means_nothing("in x", 2, 3), _means_nothing("a < !--b", 3, 4)
    (True, False, False)
    """
    before, after = code[start - 1 : start], code[end : end + 1]
    return "/" not in (before, after) and before + after != "<!" and not _APART.isdisjoint((before, after))


def parse(name: str, text: str) -> Module:
    """Parse one module.

    >>> module = parse("a", 'import { b as c } from "./d.js";\\nexport class E {}\\n')
    >>> module.imports[0].names, module.code, module.exports
    ((('b', 'c'),), 'class E{}\\n', {'E': 'E'})
    """
    return _Scanner(name, text.replace("\r\n", "\n")).module()


def in_order(name: str, module: Callable[[str], Module]) -> list[Module]:
    """A module and those it needs, each after its imports. Every imported name must be exported by its module."""
    loaded: dict[str, Module] = {}
    path: list[str] = []

    def visit(now: Module) -> None:
        path.append(now.name)
        for one in now.imports:
            if one.module in path:
                circle = " → ".join([*path[path.index(one.module) :], one.module])
                raise BundleError(now.name, one.line, f"the imports go round in a circle: {circle}")
            if one.module not in loaded:
                try:
                    inner = module(one.module)
                except (LookupError, OSError) as error:
                    raise BundleError(now.name, one.line, f"there is no module {one.module}.js") from error
                visit(inner)
            for given, _ in one.names:
                if given not in loaded[one.module].exports:
                    raise BundleError(now.name, one.line, f"{one.module}.js exports no {given}")
        path.pop()
        loaded[now.name] = now

    visit(module(name))
    return list(loaded.values())


def wrapped(module: Module) -> str:
    """A module as a function call: it looks up its imports and returns its exports."""
    lines = [f"const {scope(module.name)} = (() => {{\n"]
    for each in module.imports:
        names = ", ".join(given if given == local else f"{given}: {local}" for given, local in each.names)
        lines.append(f"const {{ {names} }} = {scope(each.module)};\n")
    given = ", ".join(name if name == local else f"{name}: {local}" for name, local in module.exports.items())
    return "".join([*lines, module.code, f"return {{ {given} }};\n}})();\n" if given else "return {};\n})();\n"])


def joined(modules: list[Module], result: str = "export default") -> str:
    """Modules in import order as one text that ends with the last one's default export."""
    last = modules[-1]
    if "default" not in last.exports:
        raise BundleError(last.name, 1, "a bundle needs a default export")
    return "".join(map(wrapped, modules)) + f"{result} {scope(last.name)}.default;\n"
