"""The bundler: bundles behave like their modules, and errors name the file and line of anything else."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from nimmt_lab.screens import assets
from nimmt_lab.screens.bundler import BundleError, in_order, joined, parse, scope

Files = dict[str, str]

#: Modules by name (`a` is the one to bundle), and the value of its default export.
ACCEPTED: dict[str, tuple[Files, object]] = {
    "named imports, over several lines": (
        {
            "a": 'import {\n  one,\n  two as second, // renamed\n} from "./b.js";\nexport default [one, second];\n',
            "b": "export const one = 1;\nexport const two = 2;\n",
        },
        [1, 2],
    ),
    "a default import, alone and beside named ones": (
        {
            "a": "import b, { one } from \"./b.js\";\nimport c from './c.js';\nexport default [b, one, c];\n",
            "b": 'export const one = 1;\nexport default "b";\n',
            "c": 'export default "c";\n',
        },
        ["b", 1, "c"],
    ),
    "default by its name": (
        {"a": 'import { default as b } from "./b.js";\nexport default b;\n', "b": "export default 7;\n"},
        7,
    ),
    "an import below the code that uses it": (
        {
            "a": 'const two = one + 1;\nexport default two;\nimport { one } from "./b.js";\n',
            "b": "export const one = 1;",
        },
        2,
    ),
    "functions of every kind": (
        {
            "a": 'import { f, h } from "./b.js";\nconst kind = (x) => Object.prototype.toString.call(x);\n'
            "export default [f(), kind(h()), kind(h)];\n",
            "b": "export function f() {\n  return 1;\n}\nexport async function h() {\n  await null;\n}\n",
        },
        [1, "[object Promise]", "[object AsyncFunction]"],
    ),
    "a default expression that begins like a function": (
        {"a": "export default async (x) => x;\n"},
        "function",
    ),
    "a default value that is no object, in a module that uses our word for it": (
        {"a": "const theDefault = 1;\nexport default theDefault + 1;\n"},
        2,
    ),
    "text that looks like imports and exports": (
        {
            "a": 'const s = "\\\nimport x from \\"./no.js\\";";\nconst t = `\nimport { y } from "./no.js";\n'
            "export const z = ${[1, `\nexport default ${2};\n`].length};\n`;\n"
            '/*\nimport z from "./no.js";\nexport default 1;\n*/\n// export default 2;\nconst r = /\\/*[/*]"\'`/;\n'
            'export default [s.includes("import x"), t.split("\\n").length, r.source, "// no comment", \'/* nor */\'];\n'
        },
        [True, 4, "\\/*[/*]\"'`", "// no comment", "/* nor */"],
    ),
    "divisions and regular expressions": (
        {
            "a": "let i = 8;\nconst a = [4, 2];\nconst two = (i + 0) / 2 / a[1] + i++ / 9;\n"
            'if (i) /"/.test("`");\nconst f = (x) => /[`/]/.test(x);\nconst g = () => {\n  return /\'/g;\n};\n'
            'const o = { return: 6 };\nexport default [two, o.return / 2, f("/"), g().flags, `${i / 3}` / 3];\n'
        },
        [2 + 8 / 9, 3, True, "g", 1],
    ),
    "properties called import, export, default and await": (
        {
            "a": "const o = { import: 1, export: 2, default: 3, await: 4 };\nexport default o.import + o.export + o.await;\n"
        },
        7,
    ),
    "comments that hold words or lines apart": (
        {
            "a": "const/* a */one = 1; /* b\n*/ const f = () => {\n  return /* line\n*/ 5;\n};\n"
            "/** c */\nexport /* d */ default /* e */ [one, f() ?? null];\n"
        },
        [1, None],
    ),
    "one name in two modules": (
        {
            "a": 'import { v as b } from "./x/y.js";\nimport { v as c } from "./x_y.js";\nconst v = 3;\n'
            "export default [b, c, v];\n",
            "x/y": 'import { w } from "../z.js";\nexport const v = w;\n',
            "x_y": "export const v = 2;\n",
            "z": "export const w = 1;\n",
        },
        [1, 2, 3],
    ),
    "no semicolons, and lines that end as on Windows": (
        {
            "a": 'import { one, two } from "./b.js"\r\nexport default [one, two]\r\n',
            "b": "export const one = 1\r\nexport const two = 2\r\n",
        },
        [1, 2],
    ),
}


def text_of(files: Files, name: str = "a", result: str = "export default") -> str:
    return joined(in_order(name, lambda needed: parse(needed, files[needed])), result)


@pytest.fixture(scope="module")
def run_both(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    """What Node makes of each case: of the modules as they are, and of the bundle."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node")
    folder = tmp_path_factory.mktemp("modules")
    for at, (files, _) in enumerate(ACCEPTED.values()):
        for name, text in files.items():
            path = folder / str(at) / f"{name}.js"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        (folder / str(at) / "bundled.js").write_text(text_of(files), encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "run.js").write_text(
        "const found = [];\nconst plain = (x) => (typeof x === 'function' ? 'function' : x);\n"
        f"for (let at = 0; at < {len(ACCEPTED)}; at += 1) {{\n  const got = {{}};\n"
        "  for (const name of ['a', 'bundled']) {\n    globalThis.seen = [];\n"
        "    got[name] = plain((await import(`./${at}/${name}.js`)).default);\n  }\n  found.push(got);\n}\n"
        "console.log(JSON.stringify(found));\n"
    )
    done = subprocess.run([node, "run.js"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(zip(ACCEPTED, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("case", ACCEPTED)
def test_a_bundle_does_what_its_modules_do(case: str, run_both: dict[str, dict[str, object]]) -> None:
    assert run_both[case] == {"a": ACCEPTED[case][1], "bundled": ACCEPTED[case][1]}


@pytest.mark.parametrize("case", ACCEPTED)
def test_nothing_is_imported_any_more(case: str) -> None:
    files, _ = ACCEPTED[case]
    code = text_of(files)
    assert code.endswith(f"export default {scope('a')}.default;\n")
    whole = parse("bundled", code)
    assert whole.imports == () and list(whole.exports) == ["default"]
    assert [module.name for module in in_order("a", lambda name: parse(name, files[name]))][-1] == "a"


#: A module, the line with the error, and the text that the error must name.
REFUSED = {
    "every name of another module": ('\nexport * from "./b.js";', 2, "export *"),
    "a variable that changes": ("let a = 1;\nexport let b = 2;", 2, "export let"),
    "a variable that changes, the old way": ("export var b = 2;", 1, "export var"),
    "a list of names": ("const b = 1;\n\nexport { b };", 3, "export {"),
    "a name of another module": ('export { x } from "./b.js";', 1, "export {"),
    "an import for its effect": ('import "./b.js";', 1, 'import "./b.js";'),
    "a namespace": ('import * as b from "./b.js";', 1, "import * as b"),
    "a generator": ("export function* g() {}", 1, "*"),
    "a default function": ("\nexport default function f() {}", 2, "export default function"),
    "a default class": ("export default class extends B {}", 1, "export default class"),
    "a pattern": ("export const { b, c } = { b: 1, c: 2 };", 1, "export const {"),
    "a pattern of places": ("export const [b] = [1];", 1, "export const ["),
    "two names at once": ("const z = 1;\nexport const r = [1, 2],\n  s = 2;", 2, "one const"),
    "a name without a value": ("export const r = f(1, 2), s;", 1, "one const"),
    "two defaults": ("export default 1;\nexport default 2;", 2, "twice"),
    "one name twice": ("export const b = 1;\nexport function b() {}", 2, "twice"),
    "one import twice": ('import { x } from "./b.js";\nimport { y as x } from "./b.js";', 2, "twice"),
    "a name in quotes": ('import { "b c" as b } from "./b.js";', 1, '"b c"'),
    "a package": ('import b from "react";', 1, "react"),
    "an address": ('import b from "https://example.org/b.js";', 1, "example.org"),
    "a path without .js": ('import b from "./b";', 1, "./b"),
    "a path out of the folder": ('import b from "../b.js";', 1, "../b.js"),
    "another kind of file": ('import b from "./b.json" with { type: "json" };', 1, "./b.json"),
    "an attribute": ('import b from "./b.js" with { type: "json" };', 1, "with"),
    "an import while it runs": ("const f = () => {\n  return import('./b.js');\n};", 2, "import('./b.js')"),
    "where the file is": ("const f = () => import.meta.url;", 1, "import.meta"),
    "waiting outside a function": ("\n\nconst b = await fetch('x');", 3, "await"),
    "types": ("export type B = string;", 1, "export type"),
    "a line for the shell": ("#!/usr/bin/env node", 1, "#!"),
    "the end of a page's script": ("\nexport const b = `<\\/script> </script>`;", 2, "\\x3c"),
    "a string that does not end": ("const a = 1;\nconst b = 'x;\n", 2, "string"),
    "a template that does not end": ("const a = 1;\nconst b = `x;\n", 2, "template"),
    "a template whose code does not end": ("const b = `${x`;\n", 1, "template"),
    "a comment that does not end": ("\n/* x", 2, "comment"),
    "a regular expression that does not end": ("const b = /x;\n", 1, "regular expression"),
    "a regular expression of sets": ("const b = /[[a-z]--[b]]/v;\n", 1, "flag v"),
    "a slash that could be both": ("const b = {} / 2;\n", 1, "division"),
    "a bracket that does not end": ("\nconst b = (1;\n", 2, "("),
    "a bracket too many": ("const b = 1);\n", 1, ")"),
    "brackets that cross": ("const b = [(1]);\n", 1, "]"),
    "the middle of a statement": ("import b from", 1, "import b from"),
    "a name that the bundle needs": ('const m_b = 1;\nimport { x } from "./b.js";', 2, "m_b"),
    "a module that is not there": ('\nimport { x } from "./c.js";', 2, "c.js"),
    "a name that is not exported": ('\nimport { z } from "./b.js";', 2, "exports no z"),
    "a default that is not there": ('import z from "./b.js";', 1, "exports no default"),
    "itself": ('import { x } from "./a.js";\nexport const y = 1;', 1, "a → a"),
    "a circle": ('import { x } from "./d.js";', 1, "d → e → d"),
}
OTHERS = {
    "b": "export const x = 1;\nexport const y = 2;\n",
    "d": 'import { y } from "./e.js";\nexport const x = y;\n',
    "e": 'import { x } from "./d.js";\nexport const y = x;\n',
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_supported_is_refused_by_file_and_line(case: str) -> None:
    text, line, named = REFUSED[case]
    with pytest.raises(BundleError) as refused:
        text_of({**OTHERS, "a": text})
    error = refused.value
    assert named in error.message
    where = ("e", 1) if case == "a circle" else ("a", line)
    assert (error.name, error.line) == where and str(error).startswith(f"{where[0]}.js, line {where[1]}: ")


def test_a_bundle_needs_a_default_export() -> None:
    with pytest.raises(BundleError, match=r"b\.js, line 1: .*default"):
        text_of(OTHERS, "b")


def test_comments_and_indents_go_and_nothing_else_does() -> None:
    text = "// a\n/** b */\nconst c = /** @type {X} */ (1); // d\n\n  // e\nf(c); /* g */\n/*\n h\n*/\n"
    assert parse("a", text).code == "let c=(1);f(c);\n"
    text = "const d = () => {\n  if (e)\n    f(`g\n  ${\n    h\n  }\n  i`, /  j/);\n\n  k('l \\\n  m');\n};\n"
    short = "let d=()=>{if(e)\nf(`g\n  ${h}\n  i`, /  j/);k('l \\\n  m')};\n"
    assert parse("a", text).code == short
    text = "const n = [\n  o,\n];\nfor (const p of n) {\n  while (q());\n}\nr.const = { const: 's,\\\n]' };\nclass T {\n  constructor() {}\n}\n"
    assert (
        parse("a", text).code
        == "let n=[o];for(let p of n){while(q());}\nr.const={const:'s,\\\n]'};class T{constructor(){}}\n"
    )
    # Where a statement may end without a semicolon, the line does.
    text = "a = b\n++c\nd = function () {\n}\n(e)\nreturn\nf\n"
    assert parse("a", text).code == "a=b\n++c\nd=function(){}\n(e)\nreturn\nf\n"
    apart = "a = b + +c - -d; e = f / g; h = i in j; k = l ? .5 : m; n = o < !--p; q = 'r  s' + `t  ${ u }`;"
    short = "a=b + +c - -d;e=f / g;h=i in j;k=l?.5:m;n=o< !--p;q='r  s' + `t  ${u}`;"
    assert parse("a", apart).code == f"{short}\n"


def test_a_script_in_a_page_gets_another_ending() -> None:
    text = text_of({"a": 'export default "export default";\n'}, result="const widget =")
    assert text.endswith("const widget = m_a.default;\n") and text.count("export default") == 1


def test_every_module_of_ours_can_be_taken_apart() -> None:
    folder = Path(assets.__file__).parent / "js"
    alone = {"host/worker", "host/offline"}  # not bundled: scripts of their own
    names = [path.relative_to(folder).with_suffix("").as_posix() for path in sorted(folder.rglob("*.js"))]
    for name in names:
        if name not in alone:
            module = parse(name, assets.source(name))
            assert "/**" not in module.code and len(module.code) < len(assets.source(name))
