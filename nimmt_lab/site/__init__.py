"""The lab as a web page: no server of ours, no network, no Python on the machine.

`nimmt-lab site OUT` writes a folder for any static host, or one file that opens from a disk. Inside is the same Python
as on a desktop (on Pyodide, in a worker) with the same core (as wasm), and the same ES modules draw the same screens.

- `runtime`: Pyodide by name and version, its fingerprint checked;
- `wheel`: our package as the page loads it;
- `foresee`: what the page shows and answers before Python is there;
- `build`: puts the folder or the file together;
- `lite`: JupyterLite beside it, with the notebooks (`persistent` is what it lacks);
- `inside`: the only module that runs in the page itself.
"""

__all__: list[str] = []
