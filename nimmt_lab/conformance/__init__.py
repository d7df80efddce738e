"""Rule vectors: one turn each, as data, that any implementation of the games can run (format `nimmt-vectors/1`)."""

from __future__ import annotations

from .runner import Failure, Report, VectorFileError, check_files, run_vector

__all__ = ["Failure", "Report", "VectorFileError", "check_files", "run_vector"]
