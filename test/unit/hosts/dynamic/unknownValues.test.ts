import { expect } from "chai";
import { type TypeName, typeNames } from "../../../../provider/resources/registry";
import { useVirtualTime } from "../../api/virtualTime";
import type { Json, JsonObject } from "../../resources/example";
import { type absent, pathsIn, validInputs, withChange } from "../../resources/validInputs";
import { useHost } from "./hostProcess";

/** What the engine sends in a preview for a value that is not known yet. */
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

describe("Checks with unknown values", () => {
  const host = useHost();
  // What is not known is asked for where nobody listens.
  useVirtualTime();

  async function checked(type: TypeName, inputs: JsonObject) {
    const { failures, inputs: answered } = await host.current[type].check({}, inputs);
    return { failures, inputs: answered };
  }

  for (const type of typeNames) {
    const paths = pathsIn(validInputs[type]);

    describe(`type ${type}`, () => {
      for (const path of paths) {
        it(`takes an unknown ${path} of ${type}, and passes it on`, async () => {
          const inputs = withChange(validInputs[type], path, unknown);
          expect(await checked(type, inputs)).to.deep.equal({ failures: [], inputs });
        });
      }

      it(`refuses a wrong property of ${type} beside unknown values`, async () => {
        const others = Object.keys(validInputs[type]);
        const allUnknown = Object.fromEntries(others.map((name) => [name, unknown]));
        const { failures } = await checked(type, { ...allUnknown, serviceID: "x" });
        expect(failures?.map(({ reason }) => reason.split(" ")[0])).to.deep.equal(["serviceID"]);
      });
    });
  }

  const mixed: readonly [TypeName, path: string, value: Json | typeof absent, about: string][] = [
    ["QueryEndpoint", "openApiKeys", [unknown, ""], "openApiKeys[1]"],
    ["QueryEndpoint", "openApiKeys", [unknown, "a", unknown, "a"], "openApiKeys"],
    ["ApiKey", "ipAccessList", [unknown, { source: "office" }], "ipAccessList[1].source"],
    ["Dashboard", "tiles[0]", unknown, 'tiles["Rows"].series[0].groupBy'],
    ["Dashboard", "tiles[1].name", unknown, "tiles[1].series[0].groupBy"],
  ];

  for (const [type, path, value, about] of mixed) {
    it(`names ${about} of a ${type} whose ${path} is ${JSON.stringify(value)}`, async () => {
      const wrongTile = withChange(validInputs.Dashboard, "tiles[1].series[0].type", "table");
      const inputs = withChange(type === "Dashboard" ? wrongTile : validInputs[type], path, value);
      const { failures } = await checked(type, inputs);
      expect(failures?.map(({ reason }) => reason.split(" ")[0])).to.deep.equal([about]);
    });
  }
});
