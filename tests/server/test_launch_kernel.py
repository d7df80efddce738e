"""Kernels of notebooks: no file beside a notebook runs before a cell does."""

from __future__ import annotations

import json
from pathlib import Path
from queue import Empty

import pytest

from nimmt_lab.server.patches import SCRIPT, safely
from tools.fuzz_routes import RAN, Lab

#: Names that a kernel imports: at its start, at the first Tab, for the debugger, if they are installed at all.
NAMES = ("ipykernel", "ipykernel_launcher", "IPython", "jedi", "debugpy", "psutil", "trio", "runpy", "appnope")


def said(client: object, code: str) -> str:
    """The output of a cell."""
    from jupyter_client.blocking.client import BlockingKernelClient

    assert isinstance(client, BlockingKernelClient)
    printed: list[str] = []

    def hear(message: dict[str, dict[str, str]]) -> None:
        if message["header"]["msg_type"] in ("stream", "error"):
            content = message["content"]
            printed.append(content.get("text") or f"{content['ename']}: {content['evalue']}")

    client.execute_interactive(code, timeout=300, output_hook=hear)
    return "".join(printed)


@pytest.mark.lab
def test_nothing_beside_a_notebook_runs_by_itself(guarded: Lab) -> None:
    from jupyter_client.blocking.client import BlockingKernelClient

    mark = f"open({str(guarded.marks / RAN)!r}, 'a').write(__name__ + chr(10))\n"
    for name in NAMES:
        (guarded.folder / f"{name}.py").write_text(mark, encoding="utf-8")
    (guarded.folder / "neighbour.py").write_text("told = 'good morning'\n", encoding="utf-8")
    (guarded.folder / "colorsys.py").write_text(mark, encoding="utf-8")
    # When JupyterLab opens a notebook, its kernel works in the notebook's folder.
    wanted = {"path": "mine.ipynb", "name": "", "type": "notebook", "kernel": {"name": "python3"}}
    answer = guarded.owner("/api/sessions", "POST", json.dumps(wanted).encode())
    assert answer.status == 201, answer
    kernel = json.loads(answer.body)["kernel"]["id"]
    client = BlockingKernelClient()
    client.load_connection_file(str(guarded.folder.parent / "JUPYTER_RUNTIME_DIR" / f"kernel-{kernel}.json"))
    client.start_channels()
    try:
        client.wait_for_ready(timeout=300)
        client.complete("neigh", reply=True, timeout=300)
        assert not ran(guarded)
        assert said(client, "import os; print(os.getcwd())").strip() == str(guarded.folder)
        # A cell can import modules from the notebook's folder, but installed ones come first.
        assert said(client, "import neighbour; print(neighbour.told)").strip() == "good morning"
        said(client, "import colorsys, random, nimmt_lab, jedi")
        assert not ran(guarded)
        with pytest.raises(Empty):
            client.get_iopub_msg(timeout=0)
    finally:
        client.stop_channels()
        guarded.owner(f"/api/kernels/{kernel}", "DELETE")
        for name in (*NAMES, "colorsys", "neighbour"):
            (guarded.folder / f"{name}.py").unlink()


def ran(guarded: Lab) -> str:
    path = guarded.marks / RAN
    return path.read_text(encoding="utf-8") if path.exists() else ""


def test_a_kernels_own_options_stay() -> None:
    assert safely(["/envs/a/bin/python", "-m", "ipykernel_launcher", "-f", "{connection_file}", "--debug"]) == [
        "/envs/a/bin/python",
        str(SCRIPT),
        "-f",
        "{connection_file}",
        "--debug",
    ]
    assert safely(["julia", "-i", "-m", "kernel"]) == ["julia", "-i", "-m", "kernel"]
    assert Path(SCRIPT).is_file()
