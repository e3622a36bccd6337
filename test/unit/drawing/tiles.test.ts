import { expect } from "chai";
import { drawDashboard, type PictureOptions, readDashboards } from "../../../drawing";
import { picturesOf } from "../../../provider/cli/draw/pictures";

const where = "SeverityText:error AND ServiceName:checkout";
const tile = (name: string, area: { x: number; y: number; w: number; h: number }, type = "time") => ({
  ...{ id: name, name, ...area },
  series: [{ type, aggFn: "count", where, groupBy: ["ServiceName"] }],
});

function read(tiles: object[]) {
  const [dashboard] = readDashboards({ dashboards: [{ id: "a", name: "A", tiles }], alerts: [] }).dashboards;
  if (!dashboard) throw new Error("nothing to draw");
  return dashboard;
}

/** The texts of a picture, in their order. */
function textsOf(picture: string): string[] {
  return [...picture.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = ""]) => text);
}

/** The heights of the tiles of a stack. */
function heights(tiles: object[], data?: PictureOptions["data"]): number[] {
  const picture = drawDashboard(read(tiles), { form: "stack", data });
  return [...picture.matchAll(/<rect class="tile"[^>]* height="([\d.]+)"/g)].map(([, height]) =>
    Number(height),
  );
}

const number = () => ({ from: 0, until: 86_400_000, points: [{ tsBucket: 0, values: [182] }] });

describe("the tiles of a picture", () => {
  it("break the description of their series between words", () => {
    const texts = textsOf(drawDashboard(read([tile("Narrow", { x: 0, y: 0, w: 5, h: 6 })])));
    const from = texts.indexOf("Narrow") + 1;
    expect(texts.slice(from).join(" ")).to.equal(`time · count by ServiceName where ${where}`);
  });

  it("mark text for which there is no room", () => {
    const texts = textsOf(drawDashboard(read([tile("Low", { x: 0, y: 0, w: 5, h: 2 })])));
    expect(texts.slice(texts.indexOf("Low") + 1)).to.deep.equal(["time · count by ServiceName …"]);
  });

  it("show a number in two rows, as large as there is room for", () => {
    const picture = drawDashboard(read([tile("Low", { x: 0, y: 0, w: 4, h: 2 }, "number")]), {
      data: number,
    });
    expect(textsOf(picture)).to.include("182");
    const [, size] = /font-size="([\d.]+)"[^>]*>182/.exec(picture) ?? [];
    expect(Number(size)).to.be.within(16, 30);
  });

  it("are as high on a phone as their content", () => {
    const tiles = [1, 3, 20].map((h, index) => tile(`T${h}`, { x: 0, y: index * 20, w: 8, h }, "number"));
    for (const found of [heights(tiles), heights(tiles, number)]) {
      expect(found).to.have.length(3);
      expect(new Set(found).size).to.equal(1);
      expect(found[0]).to.be.within(100, 200);
    }
    const text = (markdown: string) => ({
      ...tile(markdown, { x: 0, y: 0, w: 8, h: 6 }),
      ...{ series: undefined, config: { displayType: "markdown", markdown } },
    });
    const [short = 0, long = 0] = heights([text("Look"), text("Look at the runbook. ".repeat(12))]);
    expect(short).to.be.below(110);
    expect(long).to.be.above(short + 50);
    expect(textsOf(drawDashboard(read([text("Look")]), { form: "stack" }))).to.include("Look");
  });
});

describe("the names of pictures", () => {
  it("are told apart by the numbers of their files if several dashboards have the same", () => {
    const dashboards = ["Main", "Other", "Main"].map((name, index) => ({ id: `${index}`, name, tiles: [] }));
    const pictures = picturesOf(readDashboards({ dashboards, alerts: [] }), () => undefined);
    expect(pictures.map(({ file, name }) => [file, name])).to.deep.equal([
      ["1-main.svg", "Main (1)"],
      ["2-other.svg", "Other"],
      ["3-main.svg", "Main (3)"],
    ]);
  });
});
