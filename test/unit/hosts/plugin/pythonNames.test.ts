import { expect } from "chai";
import { secret } from "../../../../provider/hosts/engineValues";
import { usePlugin } from "./engine";

describe("The plugin, for dictionaries of Python, whose names the SDK does not translate in one of several kinds", () => {
  const tested = usePlugin();
  const place = { name: "Errors", x: 0, y: 0, w: 6, h: 4 };

  it("translates Python's names of members at every depth", async () => {
    const onClick = { type: "search", target: { mode: "id", id: "1" }, whereTemplate: "a:b" };
    const config = {
      displayType: "table",
      sourceId: "1",
      select: [{ aggFn: "count", numberFormat: { output: "number", thousandSeparated: true } }],
      onClick,
    };
    const written = {
      display_type: "table",
      source_id: "1",
      select: [{ agg_fn: "count", number_format: { output: "number", thousand_separated: true } }],
      on_click: { type: "search", target: { mode: "id", id: "1" }, where_template: "a:b" },
    };
    const inputs = await tested.checked("Dashboard", {
      name: "Board",
      tiles: [{ ...place, config: written }],
    });
    expect(inputs).to.deep.include({ tiles: [{ ...place, config }] });
  });

  it("keeps secrets of the program secret under Python's names", async () => {
    const config = { display_type: "markdown", markdown: secret("text") };
    const inputs = await tested.checked("Dashboard", { name: "Board", tiles: [{ ...place, config }] });
    expect(inputs).to.deep.include({
      tiles: [{ ...place, config: { displayType: "markdown", markdown: secret("text") } }],
    });
  });

  it("keeps names that a program chooses, and those of unknown members", async () => {
    const headers = { some_header: "a" };
    const webhook = { name: "w", service: "generic", url: "https://hooks.example.com", headers };
    expect(await tested.checked("Webhook", webhook)).to.deep.include({ headers: secret(headers) });
    const config = { display_type: "flame", flame_depth: 3 };
    const inputs = await tested.checked("Dashboard", { name: "Board", tiles: [{ ...place, config }] });
    expect(inputs).to.deep.include({
      tiles: [{ ...place, config: { displayType: "flame", flame_depth: 3 } }],
    });
  });
});
