import { render } from "preact";
import { App } from "./app";
import "uplot/dist/uPlot.min.css";
import "./style/base.css";
import "./style/bar.css";
import "./style/controls.css";
import "./style/services.css";
import "./style/tables.css";
import "./style/dashboard.css";
import "./style/journal.css";

const place = document.getElementById("app");
if (place) {
  place.replaceChildren();
  render(<App />, place);
}
