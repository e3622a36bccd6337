import { expect } from "chai";
import { useFixture } from "./fixture";

/**
 * A program with tiles of half a dashboard's width. Each tile has a filter with its own name, so the diff of a preview shows
 * with which old tile each new tile was compared.
 */
const program = (...names: string[]) => `
const tileOf = (name) => {
  const select = [{ aggFn: "count", where: "kind:" + name }];
  return { name, w: 12, h: 4, config: { displayType: "line", sourceId: "65f1c0a2b3d4e5f607182911", select } };
};
new Dashboard("board", { name: "Board", tiles: ${JSON.stringify(names)}.map(tileOf) });
`;

describe("The preview of a dashboard whose tiles have no declared positions, in the plugin", () => {
  const fixture = useFixture({ host: "plugin" });
  before(() => fixture.apply(program("Rows", "Bytes", "Waits", "Locks")));

  /** Returns lines of a preview: its messages, and the tiles of its detailed diff with their names, positions and filters. */
  async function previewOf(...names: string[]) {
    await fixture.write(program(...names));
    const { output } = await fixture.preview({ args: ["--diff"] });
    const shown = output.match(/^ *([-+~] +(\[\d\]|name *:|[xy] *:|where *:)|Dashboard ).*$/gm) ?? [];
    return shown.map((line) => line.trim().replaceAll(/ +/g, " "));
  }
  const added = (index: number, x: number, y: number) =>
    [`[${index}]: {`, "[0]: {", 'where: "kind:Errors"', 'name : "Errors"', `x : ${x}`, `y : ${y}`].map(
      (line) => `+ ${line}`,
    );

  it("if a tile is inserted into a dashboard, the preview shows it, and by name the tiles that get other positions", async () => {
    expect(await previewOf("Rows", "Errors", "Bytes", "Waits", "Locks")).to.deep.equal([
      'Dashboard "Board": the update adds tile "Errors"; moves tiles "Bytes", "Waits", "Locks"',
      ...added(1, 12, 0),
      ...["~ [2]: {", '+ name: "Bytes"', "+ x : 0", "+ y : 4"],
      ...["~ [3]: {", '+ name: "Waits"', "+ x : 12"],
    ]);
  });

  it("if a tile is added at the end of a dashboard, the preview shows only that tile", async () => {
    expect(await previewOf("Rows", "Bytes", "Waits", "Locks", "Errors")).to.deep.equal(added(4, 0, 8));
  });

  it("an update that inserts a tile moves the following tiles and keeps their ids", async () => {
    const { tileIds } = await fixture.outputsOf("board");
    await fixture.apply(program("Rows", "Errors", "Bytes", "Waits", "Locks"));
    expect((await fixture.outputsOf("board")).tileIds).to.include(tileIds);
    const [board] = fixture.sandbox.store.dashboards.values();
    expect(board?.tiles.map(({ name, x, y }) => [name, x, y])).to.deep.equal([
      ["Rows", 0, 0],
      ["Errors", 12, 0],
      ["Bytes", 0, 4],
      ["Waits", 12, 4],
      ["Locks", 0, 8],
    ]);
  });
});
