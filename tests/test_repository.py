"""Workflows, hooks, forms and the files that hosting services read. They cannot run here; what they name must exist.

Their schemas are checked by hand when they change (CONTRIBUTING says how), because that needs a tool we do not install."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import nimmt_lab

from .test_project_files import PROJECT, ROOT

HUB = ROOT / ".github"
WORKFLOWS = sorted((HUB / "workflows").glob("*.yml"))
FORMS = sorted(path for path in (HUB / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
HOOKS = ROOT / ".pre-commit-config.yaml"
PYTHONS = [
    line.rpartition(" ")[2]
    for line in PROJECT["classifiers"]
    if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", line)
]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):(?!=)", MAKEFILE, re.MULTILINE))
README = (ROOT / "README.md").read_text(encoding="utf-8")


def read(path: Path) -> dict[Any, Any]:
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(found, dict), path
    return found


def jobs() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in WORKFLOWS:
        for name, job in read(path)["jobs"].items():
            yield f"{path.stem}/{name}", job


def commands(job: dict[str, Any]) -> list[str]:
    """The lines that a job runs."""
    return [line for step in job["steps"] for line in step.get("run", "").splitlines()]


JOBS = dict(jobs())


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_read_and_nothing_else(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    assert "github.ref" in workflow["concurrency"]["group"] and "cancel-in-progress" in workflow["concurrency"]
    triggers = workflow[True]  # YAML's reading of "on"
    assert set(triggers) <= {"push", "pull_request", "workflow_dispatch"} and triggers["push"]["branches"] == ["main"]
    assert "secrets." not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", JOBS)
def test_a_job_ends_and_uses_actions_of_a_major_version(name: str) -> None:
    job = JOBS[name]
    assert 0 < job["timeout-minutes"] <= 90 and "permissions" not in job
    for step in job["steps"]:
        if "uses" in step:
            action, _, version = step["uses"].partition("@")
            assert re.fullmatch(r"actions/[a-z-]+", action) and re.fullmatch(r"v\d+", version), step
            if action == "actions/checkout":
                assert step["with"]["persist-credentials"] is False
            if "cache-dependency-path" in step.get("with", {}):
                assert (ROOT / step["with"]["cache-dependency-path"]).is_file()
    needs = job.get("needs", [])
    assert {f"{name.split('/')[0]}/{one}" for one in ([needs] if isinstance(needs, str) else needs)} <= JOBS.keys()


@pytest.mark.parametrize("name", JOBS)
def test_what_a_job_runs_exists(name: str) -> None:
    for line in commands(JOBS[name]):
        for command in line.split("&&"):
            words = command.replace("\\", "/").split()
            if words[0] == "make":
                assert set(words[1:]) <= TARGETS, line
            elif len(words) > 1 and words[1].startswith("tools/"):
                assert (ROOT / words[1]).is_file(), line
            else:
                assert words[1] in ("-m", "-c"), line
                assert words[1] == "-c" or words[2] in ("pip", "pytest", "nimmt_lab"), line


def test_the_python_versions_are_those_of_pyproject() -> None:
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    assert [f"3.{11 + minor}" for minor in range(len(PYTHONS))] == PYTHONS
    matrices = {name: job["strategy"]["matrix"] for name, job in JOBS.items() if "strategy" in job}
    assert matrices["tests/make-test"] == {"os": ["ubuntu-latest", "macos-latest"], "python": PYTHONS}
    assert matrices["tests/windows"] == {"python": PYTHONS}
    assert all(set(matrix["python"]) <= set(PYTHONS) for matrix in matrices.values())
    for job in JOBS.values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/setup-python"):
                assert step["with"]["python-version"] in (*PYTHONS, "${{ matrix.python }}")


def test_every_promise_is_kept_by_a_job() -> None:
    run = {name: commands(job) for name, job in JOBS.items()}
    assert run["checks/style-and-types"] == ["make check"]
    assert run["tests/make-test"] == ["make test"]
    linux = [line for name, job in JOBS.items() if job["runs-on"] == "ubuntu-latest" for line in run[name]]
    assert {"make test-all", "make wheel", "make docs", "make site"} <= set(linux)


def test_windows_runs_the_commands_of_the_readme() -> None:
    blocks = re.findall(r"^```\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    (block,) = [block for block in blocks if block.startswith("py ") and "pytest" in block]
    assert commands(JOBS["tests/windows"]) == block.splitlines()
    assert JOBS["tests/windows"]["runs-on"] == "windows-latest"


def test_hooks_use_the_tools_that_the_project_pins() -> None:
    (repository,) = read(HOOKS)["repos"]
    assert repository["repo"] == "local", "a second list of versions"
    pinned = (ROOT / "requirements" / "test.txt").read_text(encoding="utf-8")
    node = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    hooks = {hook["id"]: hook for hook in repository["hooks"]}
    assert len(hooks) == len(repository["hooks"])
    for hook in hooks.values():
        assert hook["language"] == "system" and "additional_dependencies" not in hook and "rev" not in hook
        re.compile(hook.get("files", ""))
        tool = hook["entry"].split()[0]
        if tool.startswith(".venv/bin/"):
            assert re.search(rf"^{tool.removeprefix('.venv/bin/')}==", pinned, re.MULTILINE), tool
        elif tool == "make":
            assert hook["entry"].split()[1] in TARGETS
        else:
            assert tool == "node_modules/.bin/biome" and "@biomejs/biome" in node["devDependencies"]
    assert {"ruff-check", "ruff-format", "clang-format", "biome"} <= hooks.keys()


def test_the_hook_for_c_meets_every_c_file_and_no_other() -> None:
    (repository,) = read(HOOKS)["repos"]
    pattern = re.compile({hook["id"]: hook for hook in repository["hooks"]}["clang-format"]["files"])
    sources = [path.relative_to(ROOT).as_posix() for path in (ROOT / "nimmt_lab").rglob("*.[ch]")]
    assert sources and all(map(pattern.search, sources))
    assert not pattern.search("nimmt_lab/screens/css/page.css")


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_an_issue_form_asks_for_something(path: Path) -> None:
    form = read(path)
    assert form["name"] and form["description"] and form["labels"]
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    names = [field["id"] for field in fields]
    assert len(names) == len(set(names)) and all(field["attributes"]["label"] for field in fields)
    assert any(field.get("validations", {}).get("required") for field in fields)


def test_the_pull_request_template_names_commands_that_exist() -> None:
    text = (HUB / "PULL_REQUEST_TEMPLATE.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`make ([a-z-]+)`", text)) <= TARGETS and "## Unreleased" in (
        ROOT / "CHANGELOG.md"
    ).read_text(encoding="utf-8")


def test_the_citation_agrees_with_the_package() -> None:
    citation = read(ROOT / "CITATION.cff")
    assert citation["cff-version"] == "1.2.0" and citation["message"]
    assert (citation["title"], citation["version"]) == (PROJECT["name"], nimmt_lab.__version__)
    assert citation["license"] == PROJECT["license"] and citation["keywords"] == PROJECT["keywords"]
    assert citation["authors"] == PROJECT["authors"]


def test_security_says_how_to_report_and_what_is_served() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings[0] == "Reporting a problem"
    assert {"Supported versions", "What `nimmt-lab lab` serves"} <= set(headings)
    assert set(re.findall(r"`make ([a-z-]+)`", text)) <= TARGETS


def test_contributing_says_that_the_workflows_are_untried() -> None:
    """Remove this test, and the sentence, after their first run."""
    assert "have not run yet" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "path", [*WORKFLOWS, *FORMS, HOOKS, HUB / "ISSUE_TEMPLATE" / "config.yml", ROOT / "CITATION.cff", ROOT / "SECURITY.md"],
    ids=lambda path: path.name,
)  # fmt: skip
def test_no_address_of_a_registry(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"pypi|npmjs|index-url|registry|https?://", text, re.IGNORECASE)


def test_pyproject_is_what_this_file_believes() -> None:
    """The lists above come from it; if it were empty, every test here would pass."""
    assert len(PYTHONS) == 4 and len(WORKFLOWS) == 3 and len(FORMS) == 3 and len(JOBS) > 5
    markers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    assert any(line.startswith("packaging:") for line in markers["markers"])
