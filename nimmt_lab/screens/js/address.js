// The browser's address follows the page, so that Back, Forward and a reload work inside the app. Only in pages of our
// own: the address of a notebook is the notebook's.

/** A page of our own says so in its head. */
const OWN = "meta[name='nimmt-lab']";

function here() {
  return location.hash.startsWith("#/") ? decodeURI(location.hash.slice(2)) : "";
}

export class Address {
  /**
   * @param {Model<HomeData>} model
   * @param {Life} life
   */
  constructor(model, life) {
    this.own = document.querySelector(OWN) !== null;
    if (!this.own) return;
    const visit = () => model.send({ type: "visit", place: here() });
    if (here() && here() !== model.get("place")) visit();
    else history.replaceState(null, "", `#/${model.get("place")}`);
    life.on(window, "popstate", visit);
  }

  /** @param {string} place */
  follow(place) {
    if (this.own && place !== here()) history.pushState(null, "", `#/${place}`);
  }
}
