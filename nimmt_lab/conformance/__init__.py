"""Rule vectors: one turn each, as data, that any implementation of the games can run (format `nimmt-vectors/1`)."""

from .runner import Checked, Failure, VectorFileError, check_files, run_vector

__all__ = ["Checked", "Failure", "VectorFileError", "check_files", "run_vector"]
