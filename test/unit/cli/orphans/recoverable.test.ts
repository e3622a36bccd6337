import { expect } from "chai";
import { type DeclaredResource, withKnownIds } from "../../../../cli/orphans/declared";
import { recoverable } from "../../../../cli/orphans/recover";
import { unknownText } from "../../../../provider/engine/engineValues";
import type { TypeName } from "../../../../provider/resources/registry";
import type { PropertyMap } from "../../../../provider/values/data";
import { Declared } from "../../drift/fixture";
import { sessionOfProduct, useProduct } from "../../resources/product";

const urnOf = (type: string, name: string) =>
  `urn:pulumi:dev::test::t:t:Team$pulumi-nodejs:dynamic/pipestack:${type}::${name}`;

describe("References of a resource that orphans --recover may import", () => {
  const tiles = [{ config: { sourceId: unknownText } }, { config: { sourceId: "known" } }];
  const dependencies = (...names: string[]) => ({
    tiles: [...names.map((name) => urnOf("Source", name)), urnOf("Connection", "c")],
  });

  it("the unknown id of a reference is filled in if only one known object can be its target", () => {
    const filled = withKnownIds({ inputs: { tiles }, dependencies: dependencies("a") }, () => "1");
    expect(filled).to.have.nested.property("tiles[0].config.sourceId", "1");
    expect(filled).to.have.nested.property("tiles[1].config.sourceId", "known");
  });

  it("the id of a reference stays unknown if several known objects can be its target", () => {
    const resource = { inputs: { tiles }, dependencies: dependencies("a", "b") };
    expect(withKnownIds(resource, () => "1")).to.deep.equal({ tiles });
    expect(withKnownIds(resource, (urn) => (urn.endsWith("a") ? "1" : undefined))).to.equal(undefined);
  });

  it("the id of a reference that comes from no resource of the program is not guessed", () => {
    expect(withKnownIds({ inputs: { tiles }, dependencies: {} }, () => "1")).to.equal(undefined);
  });
});

describe("The order of recovered orphans", () => {
  const product = useProduct();

  it("pipestack orphans --recover recovers an object after the object of the same type to which it refers", async () => {
    const [logs, traces] = [...product.sandbox.store.sources.values()];
    const declared = (name: string, inputs: PropertyMap, further: object = {}): DeclaredResource => ({
      ...{ type: "Source" as TypeName, urn: urnOf("Source", name), host: "dynamic" as const },
      ...{ inputs: { name, ...inputs }, dependencies: {}, ...further },
    });
    const names = [logs?.name ?? "", traces?.name ?? ""] as const;
    const dependencies = { logSourceId: [urnOf("Source", names[0])] };
    const missing = [
      declared(names[1], { logSourceId: unknownText }, { dependencies }),
      declared(names[0], {}),
    ];
    const found = [logs, traces].map((source) => ({
      ...{ type: "Source" as TypeName, id: source?.id ?? "", answer: { name: source?.name } },
    }));
    const orphans = found.map(({ type, id, answer: { name = null } }) => ({
      ...{ type, id, name, createdAt: null, usedAt: null, kept: null },
    }));
    const recovered = await recoverable(
      {
        declared: { missing, elsewhere: [], adopted: new Set(), byUrn: new Map() },
        ...{ orphans, inState: [] },
      },
      product.session,
    );
    expect(recovered.map(({ resource, orphan }) => [resource.urn, orphan.id])).to.deep.equal([
      [urnOf("Source", names[0]), logs?.id],
      [urnOf("Source", names[1]), traces?.id],
    ]);
  });
});

describe("A recovered dashboard whose state has a placeholder for its secret tiles", () => {
  const product = useProduct();

  it("a refresh puts the tiles into the state, and an update completes the dashboard", async () => {
    const later = () => sessionOfProduct(product.sandbox).session;
    const tile = { name: "Read me", x: 0, y: 0, w: 4, h: 4 };
    const tiles = [{ ...tile, config: { displayType: "markdown", markdown: "hello" } }];
    const board = new Declared("Dashboard", { name: "Secret", tiles });
    await board.up(later());
    const { id } = board;
    Object.assign(board, { inputs: { ...board.inputs, tiles: "" }, state: { ...board.state, tiles: "" } });
    await board.refresh(later());
    expect(board.state).to.have.nested.property("tiles[0].name", "Read me");
    await board.up(later());
    expect(board.id).to.equal(id);
    expect(await board.refresh(later())).to.deep.equal([]);
  });
});
