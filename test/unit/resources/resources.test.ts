import { expect } from "chai";
import { freshHost, type ResourceType } from "../hosts/dynamic/freshProvider";
import { cases } from "./resourceCases";
import { useUnaskedHost } from "./unaskedHost";
import { secrets } from "./unaskedService";
import { absent, hashData, type JsonObject, validInputs, withChange } from "./validInputs";

const hidden = [...Object.values(secrets), ...Object.values(hashData)];

describe("The check of a resource", () => {
  const unasked = useUnaskedHost();

  async function failuresOf(type: ResourceType, inputs: JsonObject, before: JsonObject = {}) {
    const declared = { ...inputs, __provider: `exports.handler=()=>require("pipestack/host").${type}` };
    const { failures = [] } = (await unasked.host[type].check?.(before, declared)) ?? {};
    expect(unasked.service.requests, "requests").to.equal(0);
    const shown = JSON.stringify(failures);
    for (const secret of hidden) expect(shown).not.to.include(secret);
    return failures;
  }

  for (const type of Object.keys(cases) as ResourceType[]) {
    describe(`of type ${type}`, () => {
      it("takes an object with every property", async () => {
        expect(await failuresOf(type, validInputs[type])).to.deep.equal([]);
      });

      for (const [path, value, reason, about = path] of cases[type]) {
        const what = value === absent ? `an object without ${path}` : `${path}: ${JSON.stringify(value)}`;
        it(`refuses ${what} with "${about} ${reason}"`, async () => {
          const failures = await failuresOf(type, withChange(validInputs[type], path, value));
          expect(failures).to.deep.equal([{ property: "", reason: `${about} ${reason}` }]);
        });
      }
    });
  }

  it("refuses a ServiceScaling that declares nothing to scale", async () => {
    expect(await failuresOf("ServiceScaling", { onDestroy: "keep" })).to.deep.equal([
      {
        property: "",
        reason:
          "numReplicas is missing: declare at least one of numReplicas, idleScaling, idleTimeoutMinutes, minTotalMemoryGb, maxTotalMemoryGb",
      },
    ]);
  });

  it('refuses onDestroy: "restore" where only documented operations may be used', async () => {
    const restricted = freshHost({ ...unasked.service.settings, operations: "documented" });
    const declared = { ...validInputs.ServiceScaling, onDestroy: "restore" };
    const { failures = [] } = (await restricted.ServiceScaling.check?.({}, declared)) ?? {};
    expect(failures).to.have.length(1);
    expect(failures[0]?.reason).to.match(
      /^onDestroy cannot be "restore": .*"operations: documented" forbids$/,
    );
  });

  it("says of an object with several mistakes one thing for each", async () => {
    const tiles = [{ name: "", x: -1, y: 0, w: 0, h: 1, series: [] }];
    const failures = await failuresOf("Dashboard", { tiles });
    const properties = failures.map(({ reason }) => reason.split(" ")[0]).sort();
    expect(properties).to.deep.equal([
      "name",
      "tiles[0].name",
      "tiles[0].series",
      "tiles[0].w",
      "tiles[0].x",
    ]);
  });

  describe("of an ApiKey with an expireAt in the past", () => {
    const { adoptId, ...inputs } = withChange(validInputs.ApiKey, "expireAt", "2001-01-01T00:00:00Z");

    it("refuses it for a new key", async () => {
      expect(await failuresOf("ApiKey", inputs)).to.deep.equal([
        { property: "", reason: "expireAt must be in the future" },
      ]);
    });

    it("takes it for a key that exists", async () => {
      expect(await failuresOf("ApiKey", inputs, inputs)).to.deep.equal([]);
      expect(await failuresOf("ApiKey", { ...inputs, adoptId: adoptId ?? "" })).to.deep.equal([]);
    });
  });

  it("takes null and the empty string as an expireAt that never comes", async () => {
    for (const expireAt of [null, ""]) {
      expect(await failuresOf("ApiKey", { ...validInputs.ApiKey, expireAt })).to.deep.equal([]);
    }
  });

  it("takes allowedOrigins as a string, with and without spaces after the commas", async () => {
    for (const allowedOrigins of [
      "",
      "*",
      "https://a.example.com",
      "https://a.example.com, https://b.example.com",
    ]) {
      expect(
        await failuresOf("QueryEndpoint", { ...validInputs.QueryEndpoint, allowedOrigins }),
      ).to.deep.equal([]);
    }
  });

  it("takes an alert on a search without dashboard and tile, and a dashboard without tiles", async () => {
    const { dashboardId, tileId, ...onSearch } = validInputs.Alert;
    expect(await failuresOf("Alert", { ...onSearch, source: "search" })).to.deep.equal([]);
    expect(await failuresOf("Dashboard", { name: "Empty", tiles: [] })).to.deep.equal([]);
  });

  it("fills in organizationId and serviceId from the settings", async () => {
    const { organizationId, serviceId, ...inputs } = validInputs.Alert;
    const { inputs: filledIn } = (await unasked.host.Alert.check?.({}, inputs)) ?? {};
    expect(filledIn).to.deep.equal({
      ...inputs,
      organizationId: unasked.service.settings.organizationId,
      serviceId: unasked.service.settings.serviceId,
    });
  });
});
