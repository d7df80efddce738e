"""`nimmt-lab lab`: the tutorials are copied into the learner's folder without losing changes."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from nimmt_lab.cli import main
from nimmt_lab.commands import lab
from nimmt_lab.commands.words import say
from nimmt_lab.engine.sentences import sentence
from nimmt_lab.lessons import progress as memory
from nimmt_lab.lessons.classroom import lesson_names
from nimmt_lab.lessons.notebooks import INDEX, contents, paths
from nimmt_lab.lessons.words import LANGUAGES, words
from tools.build_notebooks import all_notebooks

ROOT = Path(__file__).resolve().parents[2]


def first_cell(path: Path) -> str:
    return "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])


def test_the_tutorials_in_the_checkout_are_what_the_lessons_make() -> None:
    made = all_notebooks()
    found = {
        path.relative_to(ROOT / "tutorials").as_posix(): path.read_text(encoding="utf-8")
        for path in (ROOT / "tutorials").rglob("*.ipynb")
        if ".ipynb_checkpoints" not in path.parts
    }
    assert found == made, "run tools/build_notebooks.py"
    assert set(paths()) == set(lesson_names())


def test_everything_is_laid_out_and_linked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine"
    assert main(["lab", "--folder", str(folder), "--copy-only"]) == 0
    assert str(folder) in capsys.readouterr().out
    for path in paths().values():
        assert (folder / path).is_file()
    index = (folder / INDEX).read_text(encoding="utf-8")
    for path in paths().values():
        assert f"]({path})" in index
    for study in (ROOT / "notebooks").glob("*.ipynb"):
        assert f"](strategy/{study.name})" in index and (folder / "strategy" / study.name).is_file()
    assert memory.load(folder).lang == "en"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_one_switch_changes_the_language(lang: str, tmp_path: Path) -> None:
    lab.lay_out(tmp_path, lang)
    assert memory.load(tmp_path).lang == lang
    assert words(lang)("index.title") in first_cell(tmp_path / INDEX)
    assert words(lang)("first_turn.title") in first_cell(tmp_path / paths()["first_turn"])
    lab.lay_out(tmp_path)  # the language is remembered
    assert words(lang)("first_turn.title") in first_cell(tmp_path / paths()["first_turn"])
    lab.lay_out(tmp_path, "en")
    assert words("en")("first_turn.title") in first_cell(tmp_path / paths()["first_turn"])


def test_changes_are_kept_and_running_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lab.lay_out(tmp_path)
    run_path, changed_path = tmp_path / paths()["first_turn"], tmp_path / paths()["traps"]
    ran = json.loads(run_path.read_text(encoding="utf-8"))
    ran["cells"][1]["execution_count"] = 3
    ran["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["x"]}]
    run_path.write_text(json.dumps(ran), encoding="utf-8")
    changed = json.loads(changed_path.read_text(encoding="utf-8"))
    changed["cells"][0]["source"] = ["# my notes"]
    changed_path.write_text(json.dumps(changed), encoding="utf-8")
    broken_path = tmp_path / paths()["p1"]
    broken_path.write_text("half a file", encoding="utf-8")
    assert main(["lab", "--folder", str(tmp_path), "--copy-only", "--lang", "pl"]) == 0
    out = capsys.readouterr().out
    assert say("out.kept", file=paths()["traps"]) in out
    assert paths()["p1"] in out and paths()["first_turn"] not in out
    assert first_cell(changed_path) == "# my notes" and broken_path.read_text() == "half a file"
    assert words("pl")("first_turn.title") in first_cell(run_path)
    changed_path.unlink()  # a file that is gone comes back
    lab.lay_out(tmp_path)
    assert words("pl")("traps.title") in first_cell(changed_path)


def test_a_file_that_is_up_to_date_is_not_touched(tmp_path: Path) -> None:
    lab.lay_out(tmp_path)
    path = tmp_path / paths()["first_turn"]
    text = path.read_text(encoding="utf-8").replace(
        '"outputs": []', '"outputs": [{"output_type": "stream", "name": "stdout", "text": []}]'
    )
    path.write_text(text, encoding="utf-8")
    lab.lay_out(tmp_path)
    assert path.read_text(encoding="utf-8") == text


def test_a_lost_or_broken_manifest_loses_nothing(tmp_path: Path) -> None:
    lab.lay_out(tmp_path)
    path = tmp_path / paths()["traps"]
    changed = json.loads(path.read_text(encoding="utf-8"))
    changed["cells"][0]["source"] = ["# my notes"]
    path.write_text(json.dumps(changed), encoding="utf-8")
    for manifest in ("", "[]", "{"):
        (tmp_path / lab.MANIFEST).write_text(manifest)
        assert lab.lay_out(tmp_path) == [paths()["traps"]]
    assert first_cell(path) == "# my notes"


def test_progress_is_shown_on_the_index(tmp_path: Path) -> None:
    lab.lay_out(tmp_path, "cs")
    memory.load(tmp_path).with_lesson("traps", 4, 5).save()
    lab.lay_out(tmp_path)
    assert "✓ 4/5" in (tmp_path / INDEX).read_text(encoding="utf-8")
    assert words("cs")("index.progress", done=1, all=len(paths())) in contents("cs", {"traps": (4, 5)})


def test_nothing_is_laid_out_through_a_link(tmp_path: Path) -> None:
    mine, elsewhere = tmp_path / "mine", tmp_path / "elsewhere"
    mine.mkdir()
    elsewhere.mkdir()
    (mine / "strategy").symlink_to(elsewhere)
    (mine / INDEX).symlink_to(elsewhere / INDEX)
    kept = lab.lay_out(mine)
    assert not list(elsewhere.iterdir()) and INDEX in kept and any(name.startswith("strategy/") for name in kept)
    (tmp_path / "linked").symlink_to(mine)  # the folder itself may be a link
    (mine / "strategy").unlink()
    (mine / INDEX).unlink()
    assert lab.lay_out(tmp_path / "linked") == [] and (mine / "strategy").is_dir()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x")
    assert main(["lab", "--folder", str(tmp_path / "file" / "x"), "--copy-only"]) == 2
    assert str(tmp_path / "file" / "x") in capsys.readouterr().err


def test_jupyterlab_is_started_offline_on_the_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from jupyterlab.labapp import LabApp

    started: list[list[str]] = []
    monkeypatch.setattr(LabApp, "launch_instance", classmethod(lambda cls, argv: started.append(argv)))
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "elsewhere")
    monkeypatch.chdir(tmp_path)  # and back to where the tests are afterwards
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), *sys.path])
    assert main(["lab", "--folder", str(tmp_path), "--lang", "cs", "--", "--port=9999"]) == 0
    (argv,) = started
    assert f"--ServerApp.root_dir={tmp_path}" in argv and argv[-1] == "--port=9999"
    assert "--LabApp.default_url=/voila/render/home.ipynb" in argv and "--LabApp.extension_manager=readonly" in argv
    assert "" not in sys.path and str(tmp_path) not in sys.path and Path.cwd() == lab.CONFIG
    config, rest = os.environ["JUPYTER_CONFIG_PATH"].split(os.pathsep)
    assert rest == "elsewhere" and (Path(config) / "labconfig" / "page_config.json").is_file()


def test_plain_nimmt_lab_opens_the_lab(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(lab, "open_lab", lambda folder, extra: opened.append(folder))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert main([]) == 0
    assert opened == [tmp_path / "nimmt-lab"] and (tmp_path / "nimmt-lab" / INDEX).is_file()


#: The command in a Python that lacks a package.
WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == sys.argv[1]:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
from nimmt_lab.cli import main
sys.exit(main(["lab", "--folder", sys.argv[2]]))
"""


@pytest.mark.parametrize("missing", ["jupyterlab", "voila", "anywidget"])
def test_no_folder_is_made_when_something_is_missing(missing: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, missing, str(tmp_path / "mine")], cwd=ROOT, capture_output=True, text=True
    )
    assert (
        done.returncode == 2
        and sentence("commands.not_installed", {"name": missing}) in done.stderr
        and "nimmt_lab[lab]" in done.stderr
    )
    assert not (tmp_path / "mine").exists()


def test_a_checkout_stays_importable_from_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", [str(ROOT), *sys.path])
    lab.leave_working_folder()
    assert str(ROOT) in sys.path and Path.cwd() == lab.CONFIG


def test_paths_mean_what_they_meant_where_they_were_typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A certificate in the current folder is not used; nor does a file called 9999 change a port."""
    from jupyterlab.labapp import LabApp

    (tmp_path / "9999").write_text("")
    monkeypatch.delitem(sys.modules, "rfc3987_syntax", raising=False)
    started: list[list[str]] = []
    monkeypatch.setattr(LabApp, "launch_instance", classmethod(lambda cls, argv: started.append(argv)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    typed = ["--certfile=x.pem", "--ServerApp.keyfile=/keys/k.pem", "--client-ca", "ca.pem", "--port", "9999", "--ip=0"]
    assert main(["lab", "--folder", "mine", "--", *typed, "--config=~/c.py", "--no-browser", "a.ipynb"]) == 0
    (argv,) = started
    assert f"--ServerApp.root_dir={tmp_path / 'mine'}" in argv
    assert argv[-10:] == [
        *(
            f"--certfile={tmp_path / 'x.pem'}",
            "--ServerApp.keyfile=/keys/k.pem",
            "--client-ca",
            str(tmp_path / "ca.pem"),
        ),
        *("--port", "9999", "--ip=0", "--config=~/c.py", "--no-browser", str(tmp_path / "a.ipynb")),
    ]
    assert sys.modules.get("rfc3987_syntax", 1) is None  # a second less before the server listens


@pytest.mark.parametrize("dashes", [(), ("--",)])
def test_make_lab_leaves_the_rest_to_jupyter(dashes: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[list[str]] = []
    monkeypatch.setattr("nimmt_lab.cli.main", given.append)
    monkeypatch.setattr(sys, "argv", ["tools/lab.py", "--folder", "x", *dashes, "--port=1", "--no-browser"])
    with pytest.raises(SystemExit):
        runpy.run_path(str(ROOT / "tools" / "lab.py"), run_name="__main__")
    assert given == [["lab", "--folder", "x", "--", "--port=1", "--no-browser"]]


def test_make_lab_passes_its_arguments_on(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "tools/lab.py", "--folder", str(tmp_path / "x"), "--copy-only"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "x" / INDEX).is_file()
