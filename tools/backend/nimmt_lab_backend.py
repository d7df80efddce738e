"""The build backend: setuptools, plus a pinned C compiler where the machine has none.

Build frontends (`pip install .`, `python -m build`) ask a backend what it needs before they build. On a machine with
`cc`, `gcc` or `clang` that is nothing more than setuptools. Elsewhere it is the package `ziglang`, in the one version
our wheels are tested with, so that two builds of the same sources give the same core. A frontend run with
`--no-build-isolation` installs nothing and builds the package without the compiled core.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

#: The compiler for machines that have none. The same version as in the project's pins; a test compares them.
COMPILER = "ziglang==0.17.0"

Settings: TypeAlias = dict[str, str | list[str] | None] | None

ROOT = Path(__file__).resolve().parents[2]


def _native() -> ModuleType:
    """The module that compiles the core. It must load before the package can be imported."""
    spec = importlib.util.spec_from_file_location("native_build", ROOT / "nimmt_lab" / "native" / "build.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compiler_requirements() -> list[str]:
    """The compiler to install before building, if any."""
    native = _native()
    if os.environ.get("NIMMT_PLATFORMS") == "all":
        needed = not native.cross_compiler()  # `cc` compiles for this machine only
    else:
        needed = not native.compilers() and native.platform() in native.TARGETS
    return [COMPILER] if needed else []


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Requirements for a wheel in addition to `build-system.requires`."""
    return [*build_meta.get_requires_for_build_wheel(config_settings), *compiler_requirements()]


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """The same for `pip install -e .`."""
    return [*build_meta.get_requires_for_build_editable(config_settings), *compiler_requirements()]
