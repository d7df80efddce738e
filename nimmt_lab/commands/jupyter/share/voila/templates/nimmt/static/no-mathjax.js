// Home has nothing to typeset: a MathJax that does nothing, whatever it is asked.
window.MathJax = new Proxy(() => {}, { get: () => window.MathJax, apply: () => window.MathJax });
