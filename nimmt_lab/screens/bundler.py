"""Several ES modules made into one, without Node.

Each module becomes a function of its own that returns its exports, in the order of the imports; comments are left out.
This is not a JavaScript parser: it splits a module into tokens, so that nothing in a string, a comment, a template or a
regular expression is taken for code, and rewrites the imports and exports that it knows. Anything else that would
change the meaning of a module is refused with a `BundleError` that names file and line.

>>> files = {"a": 'import { two } from "./b.js";\\nexport default two + 1;', "b": "export const two = 2; // small"}
>>> print(bundle("a", files.__getitem__), end="")
const m_b = (() => {
const two = 2;
return { two };
})();
const m_a = (() => {
const { two } = m_b;
const theDefault = two + 1;
return { default: theDefault };
})();
export default m_a.default;
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NoReturn

#: Gives the text of a module by its name (its path without `.js`); a LookupError or OSError says that there is none.
Load = Callable[[str], str]


class BundleError(ValueError):
    """A module that cannot be bundled: which one, at which line (from 1), and why."""

    def __init__(self, name: str, line: int, message: str) -> None:
        self.name, self.line, self.message = name, line, message
        super().__init__(f"{name}.js, line {line}: {message}")


@dataclass(frozen=True)
class Import:
    """One import. `names` are pairs of the exported name and the local one; for a re-export the local one is empty."""

    module: str
    line: int
    names: tuple[tuple[str, str], ...] = ()
    namespace: str = ""


@dataclass(frozen=True)
class Module:
    """A module taken apart: its imports, its code without imports and exports, and what it exports by name."""

    name: str
    imports: tuple[Import, ...]
    code: str
    exports: dict[str, str]


def scope(name: str) -> str:
    """The variable that holds a module's exports. Two modules never share one: `$` stands for a slash alone.

    >>> scope("screens/play")
    'm_screens$play'
    """
    return "m_" + name.replace("/", "$")


# Tokens --------------------------------------------------------------------------------------------------

_TOKEN: Final = re.compile(
    r"""(?P<space>\s+)
    |(?P<comment>//[^\n\u2028\u2029]*|/\*[\s\S]*?\*/)
    |(?P<string>"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')
    |(?P<word>[\w$]+)
    |(?P<mark>[^\s"'])""",
    re.VERBOSE,
)
_REGEX: Final = re.compile(r"/(?:[^/\\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+/(?P<flags>\w*)")
_TEMPLATE: Final = re.compile(r"(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?P<end>`|\$\{)")
_NAME: Final = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
_PATH: Final = re.compile(r"(?P<path>\.\.?/[\w./]*\w)\.js")
#: What ends a script element of a page, or begins a comment in one.
_ENDS_SCRIPT: Final = re.compile(r"</script|<!--", re.IGNORECASE)
#: After these words a slash begins a regular expression.
_BEFORE_REGEX: Final = frozenset(
    ("await", "case", "default", "delete", "do", "else", "extends", "in", "instanceof", "new")
    + ("return", "throw", "typeof", "void", "yield")
)
_CLOSES: Final = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of code; `depth` counts the brackets around it."""

    kind: str
    text: str
    start: int
    end: int
    depth: int


@dataclass
class _Lexer:
    name: str
    text: str
    tokens: list[Token] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    #: Open brackets: which, where, and whether a condition is inside (`if (`).
    open: list[tuple[str, int, bool]] = field(default_factory=list)
    #: Whether a condition was inside the bracket that was closed last: `if (a) /b/.test(c)`.
    condition: bool = False

    def refuse(self, at: int, message: str) -> NoReturn:
        raise BundleError(self.name, self.text.count("\n", 0, at) + 1, message)

    def run(self) -> None:
        text, at = self.text, 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                self.refuse(at, "a string that does not end")
            kind = str(found.lastgroup)
            if kind == "comment":
                self.comments.append(found.span())
                at = found.end()
            elif kind == "space":
                at = found.end()
            elif kind == "mark":
                at = self.mark(found[0], at)
            else:
                at = self.add(kind, at, found.end())
        if self.open:
            self.refuse(self.open[-1][1], f"a {self.open[-1][0]} that does not end")

    def add(self, kind: str, start: int, end: int) -> int:
        self.tokens.append(Token(kind, self.text[start:end], start, end, len(self.open)))
        return end

    def mark(self, mark: str, at: int) -> int:
        if mark == "`":
            return self.template(at + 1)
        if mark == "/":
            return self.slash(at)
        if mark == "#" and at == 0:
            self.refuse(at, "a line for the shell (#!) cannot be in the middle of a bundle")
        if mark in "([{":
            before = self.tokens[-1].text if self.tokens else ""
            self.add("mark", at, at + 1)
            self.open.append((mark, at, mark == "(" and before in ("if", "while", "for", "with")))
            return at + 1
        if mark in _CLOSES:
            opened, _, self.condition = self.open.pop() if self.open else ("", at, False)
            if opened == "${" and mark == "}":
                return self.template(at + 1)
            if opened != _CLOSES[mark]:
                self.refuse(at, f"a {mark} that closes nothing")
        return self.add("mark", at, at + 1)

    def template(self, at: int) -> int:
        """A template from `at` on: up to its end, or to the next piece of code in it."""
        found = _TEMPLATE.match(self.text, at)
        if found is None:
            self.refuse(at, "a template that does not end")
        end = self.add("template", at, found.end())
        if found["end"] == "${":
            self.open.append(("${", at, False))
        return end

    def slash(self, at: int) -> int:
        """A division, or a regular expression: what stands before it decides."""
        if self.text.startswith("/*", at):
            self.refuse(at, "a comment that does not end")
        if not self._begins_regex(at):
            return self.add("mark", at, at + 1)
        found = _REGEX.match(self.text, at)
        if found is None:
            self.refuse(at, "a regular expression that does not end")
        if "v" in found["flags"]:
            self.refuse(at, "regular expressions with the flag v are not supported")
        return self.add("regex", at, found.end())

    def _begins_regex(self, at: int) -> bool:
        if not self.tokens:
            return True
        last, before = self.tokens[-1], self.tokens[-2].text if len(self.tokens) > 1 else ""
        if last.text == "of" and before != ".":
            self.refuse(at, "cannot tell a division from a regular expression after of: write it in another way")
        if last.kind == "word":
            return last.text in _BEFORE_REGEX and before != "."
        if last.kind in ("string", "regex"):
            return False
        if last.kind == "template":
            return last.text.endswith("${")
        if last.text == "}":
            self.refuse(at, "cannot tell a division from a regular expression after }: write it in another way")
        if last.text == ")":
            return self.condition
        if last.text in "+-" and before == last.text:
            return False  # i++ / 2
        return last.text != "]"


# One module ----------------------------------------------------------------------------------------------


class _Parser:
    """Takes the imports and exports out of a module."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text
        lexer = _Lexer(name, text)
        lexer.run()
        self.tokens, self.comments = lexer.tokens, lexer.comments
        self.at = 0
        self.imports: list[Import] = []
        self.exports: dict[str, str] = {}
        #: `export { a }`: which local names, and where it says so.
        self.listed: list[tuple[str, Token]] = []
        #: What changes: from, to, and the text that takes its place.
        self.edits: list[tuple[int, int, str]] = []
        self.default = "theDefault"
        words = {token.text for token in self.tokens if token.kind == "word"}
        while self.default in words:
            self.default += "_"
        self.words = words

    def refuse(self, token: Token, message: str) -> NoReturn:
        raise BundleError(self.name, self.text.count("\n", 0, token.start) + 1, message)

    def parse(self) -> Module:
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token.kind == "word":
                if token.text in ("import", "export", "await"):
                    self._keyword(token)
            elif token.kind != "mark" and _ENDS_SCRIPT.search(token.text):
                self.refuse(token, "a page that holds this script would end it here: write the < as \\x3c")
        for local, token in self.listed:
            if local not in self._constants():
                self.refuse(token, f"{local} is exported, but no const, function, class or import here is called so")
        for one in self.imports:
            if scope(one.module) in self.words:
                raise BundleError(self.name, one.line, f"the name {scope(one.module)} is the bundle's own")
        return Module(self.name, tuple(self.imports), self._edited(), self.exports)

    def _keyword(self, token: Token) -> None:
        before = self.tokens[self.at - 2].text if self.at > 1 else ""
        after = self.tokens[self.at].text if self.at < len(self.tokens) else ""
        if before == "." or (token.depth and after == ":"):
            return  # a property
        if token.text == "await":
            if token.depth == 0:
                self.refuse(token, "await outside a function (or in an arrow function without braces)")
        elif token.text == "import" and after in ("(", "."):
            form = "import()" if after == "(" else "import.meta"
            self.refuse(token, f"{form} is not supported: a bundle is one file")
        elif token.depth == 0:
            if token.text == "import":
                self._import(token)
            else:
                self._export(token)

    # Reading ---------------------------------------------------------------------------------------------

    def _peek(self) -> Token:
        if self.at == len(self.tokens):
            self.refuse(self.tokens[-1], "the module ends in the middle of a statement")
        return self.tokens[self.at]

    def _next(self) -> Token:
        token = self._peek()
        self.at += 1
        return token

    def _take(self, text: str) -> bool:
        if self.at < len(self.tokens) and self.tokens[self.at].text == text:
            self.at += 1
            return True
        return False

    def _expect(self, text: str) -> Token:
        token = self._next()
        if token.text != text:
            self.refuse(token, f"expected {text}, got {token.text}")
        return token

    def _name(self) -> str:
        token = self._next()
        if token.kind != "word" or not _NAME.fullmatch(token.text):
            self.refuse(token, f"expected a name, got {token.text}")
        return token.text

    def _list(self) -> list[tuple[str, str, Token]]:
        """`{ a, b as c }` after its first brace: each name, what it is called, and where."""
        found: list[tuple[str, str, Token]] = []
        while not self._take("}"):
            token = self._peek()
            name = self._name()
            found.append((name, self._name() if self._take("as") else name, token))
            if not self._take(","):
                self._expect("}")
                break
        return found

    def _from(self) -> str:
        """The module that a relative path means, up to the end of the statement."""
        token = self._next()
        if token.kind != "string":
            self.refuse(token, f"expected the path of a module, got {token.text}")
        path = token.text[1:-1]
        found = _PATH.fullmatch(path)
        module = posixpath.normpath(posixpath.join(posixpath.dirname(self.name), found["path"])) if found else ".."
        if module.startswith(".."):
            self.refuse(token, f'"{path}" is not supported: only "./name.js" and "../name.js" inside the folder are')
        self._end(token)
        return module

    def _end(self, last: Token) -> None:
        """A statement ends here: with a semicolon, or with its line."""
        if self._take(";") or self.at == len(self.tokens):
            return
        token = self._peek()
        if "\n" not in self.text[last.end : token.start]:
            self.refuse(token, f"expected the end of the statement, got {token.text}")

    def _drop(self, first: Token) -> None:
        """Leave out a whole statement. What stands before it must not run into what comes after."""
        at = next(at for at in range(self.at - 1, -1, -1) if self.tokens[at] is first)
        ended = at == 0 or self.tokens[at - 1].text == ";"
        self.edits.append((first.start, self.tokens[self.at - 1].end, "" if ended else ";"))

    # Imports ---------------------------------------------------------------------------------------------

    def _import(self, first: Token) -> None:
        line = self.text.count("\n", 0, first.start) + 1
        names: list[tuple[str, str]] = []
        namespace = ""
        if self._peek().kind != "string":
            if self._peek().text not in ("{", "*"):
                names.append(("default", self._name()))
                if self._peek().text == ",":
                    self._next()
                    if self._peek().text not in ("{", "*"):
                        self.refuse(self._peek(), f"expected {{ or *, got {self._peek().text}")
            if self._take("{"):
                names += [(name, local) for name, local, _ in self._list()]
            elif self._take("*"):
                self._expect("as")
                namespace = self._name()
            self._expect("from")
        module = self._from()
        for local in (*(local for _, local in names), namespace):
            if local and local in self._imported():
                self.refuse(first, f"{local} is imported twice")
        self.imports.append(Import(module, line, tuple(names), namespace))
        self._drop(first)

    def _imported(self) -> set[str]:
        found = {local for one in self.imports for _, local in one.names} | {one.namespace for one in self.imports}
        return found - {""}

    # Exports ---------------------------------------------------------------------------------------------

    def _export(self, first: Token) -> None:
        token = self._next()
        if token.text == "default":
            self._export_default(first)
        elif token.text == "{":
            self._export_list(first)
        elif token.text == "*":
            if not self._take("as"):
                self.refuse(first, "export * is not supported: name what is exported")
            given = self._name()
            self._expect("from")
            line = self.text.count("\n", 0, first.start) + 1
            module = self._from()
            self.imports.append(Import(module, line))
            self._give(given, scope(module), first)
            self._drop(first)
        elif token.text in ("const", "function", "class", "async"):
            self._export_declared(first, token)
        elif token.text in ("let", "var"):
            self.refuse(first, f"export {token.text} is not supported: importers would not see it change")
        else:
            self.refuse(first, f"export {token.text} is not supported")

    def _give(self, name: str, value: str, token: Token) -> None:
        if name in self.exports:
            self.refuse(token, f"{name} is exported twice")
        self.exports[name] = value

    def _export_list(self, first: Token) -> None:
        listed = self._list()
        if self._take("from"):
            line = self.text.count("\n", 0, first.start) + 1
            module = self._from()
            self.imports.append(Import(module, line, tuple((name, "") for name, _, _ in listed)))
            for name, given, token in listed:
                self._give(given, f"{scope(module)}.{name}", token)
        else:
            self._end(self.tokens[self.at - 1])
            for local, given, token in listed:
                self._give(given, local, token)
                self.listed.append((local, token))
        self._drop(first)

    def _export_declared(self, first: Token, token: Token) -> None:
        self.edits.append((first.start, token.start, ""))
        if token.text == "async":
            self._expect("function")
        if token.text in ("async", "function"):
            self._take("*")
        named = self._peek()
        if named.text in ("{", "["):
            self.refuse(first, "export of a pattern is not supported: give each name a const of its own")
        name = self._name()
        self._give(name, name, named)
        if token.text != "const":
            return
        for later in self.tokens[self.at :]:
            if later.depth == 0 and later.text == ";":
                return
            if later.depth == 0 and later.text == ",":
                self.refuse(first, "export of several names at once is not supported: give each a const of its own")
            if later.depth == 0 and later.text in ("export", "import"):
                break
        self.refuse(first, f"no semicolon after export const {name}")

    def _export_default(self, first: Token) -> None:
        token = self._peek()
        later = self.tokens[self.at + 1].text if self.at + 1 < len(self.tokens) else ""
        if token.text == "async" and later == "function":
            self.at += 1
        declared = self._peek()
        if declared.text not in ("function", "class"):
            self._give("default", self.default, first)
            self.edits.append((first.start, token.start, f"const {self.default} = "))
            return
        self.edits.append((first.start, token.start, ""))
        self.at += 1
        last = declared
        if declared.text == "function" and self._peek().text == "*":
            last = self._next()
        named = self._peek()
        if named.kind == "word" and named.text != "extends":
            self._give("default", named.text, first)
        else:
            self._give("default", self.default, first)
            self.edits.append((last.end, last.end, f" {self.default}"))

    def _constants(self) -> set[str]:
        """Names that mean the same thing as long as the module lives."""
        found = self._imported()
        for at, token in enumerate(self.tokens[:-1]):
            if token.depth == 0 and token.text in ("const", "function", "class"):
                following = self.tokens[at + 1]
                found.add(self.tokens[at + 2].text if following.text == "*" else following.text)
        return found

    # Writing ---------------------------------------------------------------------------------------------

    def _edited(self) -> str:
        """The code after all changes, without comments."""
        statements = sorted(self.edits)
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
        return re.sub(r"\A\s*\n", "", code).rstrip() + "\n" if code.strip() else ""

    def _without(self, start: int, end: int) -> tuple[int, int, str]:
        """A comment left out: with its lines if it has them for itself, and never so that two words become one."""
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


def parse(name: str, text: str) -> Module:
    """Take a module apart.

    >>> found = parse("a", 'import { b as c } from "./d.js";\\nexport class E {}\\n')
    >>> found.imports[0].names, found.code, found.exports
    ((('b', 'c'),), 'class E {}\\n', {'E': 'E'})
    """
    return _Parser(name, text.replace("\r\n", "\n")).parse()


# Several of them -----------------------------------------------------------------------------------------


def in_order(name: str, module: Callable[[str], Module]) -> list[Module]:
    """A module and all that it needs, each after what it imports; every import is one that the other module exports."""
    found: dict[str, Module] = {}
    path: list[str] = []

    def visit(now: Module) -> None:
        path.append(now.name)
        for one in now.imports:
            if one.module in path:
                circle = " → ".join([*path[path.index(one.module) :], one.module])
                raise BundleError(now.name, one.line, f"the imports go round in a circle: {circle}")
            if one.module not in found:
                try:
                    inner = module(one.module)
                except (LookupError, OSError) as error:
                    raise BundleError(now.name, one.line, f"there is no module {one.module}.js") from error
                visit(inner)
            for given, _ in one.names:
                if given not in found[one.module].exports:
                    raise BundleError(now.name, one.line, f"{one.module}.js exports no {given}")
        path.pop()
        found[now.name] = now

    visit(module(name))
    return list(found.values())


def wrapped(module: Module) -> str:
    """A module as a function's result: its imports are looked up, its exports returned."""
    lines = [f"const {scope(module.name)} = (() => {{\n"]
    for one in module.imports:
        names = [given if given == local else f"{given}: {local}" for given, local in one.names if local]
        if names:
            lines.append(f"const {{ {', '.join(names)} }} = {scope(one.module)};\n")
        if one.namespace:
            lines.append(f"const {one.namespace} = {scope(one.module)};\n")
    given = ", ".join(name if name == local else f"{name}: {local}" for name, local in module.exports.items())
    return "".join([*lines, module.code, f"return {{ {given} }};\n}})();\n" if given else "return {};\n})();\n"])


def bundle(name: str, load: Load, result: str = "export default") -> str:
    """One module that needs no other. It ends with the default export of `name`, after the words `result`."""
    modules = in_order(name, lambda one: parse(one, load(one)))
    return joined(modules, result)


def joined(modules: list[Module], result: str = "export default") -> str:
    """Modules in order, as one text; the last one's default export is the result."""
    last = modules[-1]
    if "default" not in last.exports:
        raise BundleError(last.name, 1, "a bundle needs a default export")
    return "".join(map(wrapped, modules)) + f"{result} {scope(last.name)}.default;\n"
