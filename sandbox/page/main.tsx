import { render } from "preact";
import { pictureStyle } from "../../drawing";
import { App } from "./app";
import "./style/base.css";
import "./style/bar.css";
import "./style/controls.css";
import "./style/services.css";
import "./style/tables.css";
import "./style/dashboard.css";
import "./style/journal.css";

// The drawing code provides the style rules of pictures as a text, and the page's content security policy allows no <style>
// element, so they go into a style sheet object.
const pictures = new CSSStyleSheet();
pictures.replaceSync(pictureStyle);
document.adoptedStyleSheets = [pictures];

const place = document.getElementById("app");
if (place) {
  place.replaceChildren();
  render(<App />, place);
}
