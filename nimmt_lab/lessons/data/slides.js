// Arrow keys, space or a click show the next slide; each answer is a slide of its own.
const slides = [...document.querySelectorAll("section")];
let at = Math.min(Math.max(Number(location.hash.slice(1)) || 0, 0), slides.length - 1);
const show = (to) => {
  at = Math.min(Math.max(to, 0), slides.length - 1);
  slides.forEach((slide, number) => {
    slide.hidden = number !== at;
  });
  document.getElementById("place").textContent = `${at + 1}/${slides.length}`;
  history.replaceState(null, "", `#${at}`);
};
document.addEventListener("keydown", (event) => {
  const steps = { ArrowRight: 1, " ": 1, PageDown: 1, Enter: 1, ArrowLeft: -1, PageUp: -1, Home: -1000, End: 1000 };
  const step = steps[event.key];
  if (step) {
    event.preventDefault();
    show(at + step);
  }
});
document.addEventListener("click", () => show(at + 1));
show(at);
