import { render } from "preact";
import { pictureStyle } from "../../drawing";
import { App } from "./app";
import "./style/base.css";
import "./style/bar.css";
import "./style/controls.css";
import "./style/tables.css";
import "./style/dashboard.css";
import "./style/journal.css";

// The code that draws charts provides the style rules as a text. The content security policy of the console's page allows no
// <style> element, so they go into a style sheet object.
const pictures = new CSSStyleSheet();
pictures.replaceSync(pictureStyle);
document.adoptedStyleSheets = [pictures];

const place = document.getElementById("app");
if (place) {
  place.replaceChildren();
  render(<App />, place);
}
