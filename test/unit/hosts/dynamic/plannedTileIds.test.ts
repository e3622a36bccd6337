import { expect } from "chai";
import { dashboardResource } from "../../../../provider/resources/dashboard/dashboard";
import { createSandbox, type Sandbox } from "../../../../sandbox/index";
import { settingsOf } from "../../../serviceContents";
import { type Host, hostWith, withoutEnvironment } from "./hostProcess";

describe("The ids of tiles, of which the preview of an update knows what is among the inputs", () => {
  const tiles = [{ name: "Errors", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number", aggFn: "count" }] }];
  let sandbox: Sandbox;
  let host: Host;
  let restore: () => void;

  before(async () => {
    restore = withoutEnvironment();
    sandbox = await createSandbox();
    host = hostWith(settingsOf(sandbox));
  });
  after(async () => {
    await sandbox.close();
    restore();
  });

  it("are there once the dashboard was refreshed, although nothing has drifted", async () => {
    const { inputs } = await host.Dashboard.check({}, { name: "Board", tiles });
    const { id, outs } = await host.Dashboard.create(inputs);
    const read = await host.Dashboard.read(id, outs as object);
    const { tileIds } = outs as { tileIds: object };
    expect(Object.keys(tileIds)).to.deep.equal(["Errors"]);
    expect(read.inputs).to.deep.equal({ ...(inputs as object), tileIds });
    const renamed = await host.Dashboard.check(read.inputs as object, { name: "Renamed", tiles });
    expect((renamed.inputs as { tileIds?: object }).tileIds).to.deep.equal(tileIds);
    expect(await host.Dashboard.diff(id, read.props as object, read.inputs as object)).to.deep.equal({
      changes: false,
      replaces: [],
    });
  });

  it("cost as many looks at known ids for each tile of a large dashboard as for one of a small one", () => {
    const looksFor = (count: number) => {
      let looks = 0;
      const names = Array.from({ length: count }, (_, index) => `Tile ${index}`);
      const tileIds = new Proxy(Object.fromEntries(names.map((name) => [name, `id of ${name}`])), {
        get(target, name: string) {
          looks += 1;
          return target[name];
        },
      });
      const planned = dashboardResource.plan({ tileIds }, { tiles: names.map((name) => ({ name })) });
      expect(planned.tileIds).to.deep.equal({ ...tileIds });
      return looks;
    };
    expect(looksFor(400)).to.be.at.most(4 * looksFor(100));
  });
});
