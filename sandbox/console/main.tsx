import { render } from "preact";
import { App } from "./app";
import "uplot/dist/uPlot.min.css";
import "./style.css";

const place = document.getElementById("app");
if (place) {
  place.replaceChildren();
  render(<App />, place);
}
