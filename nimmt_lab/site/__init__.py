"""The lab as a web page, without a server, a network or an installed Python.

`nimmt-lab site OUT` writes a folder for any static host, or one file that opens from a disk. The page runs the same
Python as on a desktop (on Pyodide, in a worker) with the same core (as wasm), and draws the screens with the same ES
modules.

- `runtime`: downloads Pyodide and checks its fingerprint;
- `wheel`: our package as the page loads it;
- `foresee`: the page's first answers, computed before Python has loaded;
- `build`: puts the folder or the file together;
- `lite`: adds JupyterLite with the notebooks (`persistent` replaces a compiled package there);
- `inside`: the only module that runs in the page itself.
"""

__all__: list[str] = []
