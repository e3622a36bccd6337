import { expect } from "chai";
import type { Session } from "../../../provider/lifecycle/session";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { type ApiKey, seededCredentials } from "../../../sandbox/index";
import { useService } from "../lifecycle/scriptedService";

const { organizationId } = seededCredentials;
const lake = { organizationId, name: "lake", provider: "aws", region: "eu-west-1", ipAccessList: [] };
const key = { organizationId, name: "reporting" };

describe("Quotas of the organization in a preview", () => {
  const service = useService({ dialect: "clickhouse" });
  const { store } = service.model;
  const open = () => service.open({ dialect: "clickhouse" });
  const preview = (
    type: "Service" | "PostgresService" | "ApiKey",
    inputs: PropertyMap,
    session: Session,
    olds: PropertyMap = {},
  ) => resources[type].check(olds, inputs, session);
  const tooMany =
    /^ApiKey: this update creates more API keys than the organization may still have: 99 of 100 are in use \(quota api-keys-per-organization\); delete some first, or ask ClickHouse's support for more$/;

  beforeEach(() => {
    const [made] = store.keys.values();
    while (store.keys.size < 99) {
      const id = service.model.ids.uuid();
      store.keys.set(id, { ...(made as ApiKey), id });
    }
  });

  it("a preview warns only once of the keys that the organization may not have", async () => {
    const { session, warnings } = open();
    await preview("ApiKey", key, session);
    expect(warnings).to.deep.equal([]);
    for (const name of ["a", "b", "c"]) await preview("ApiKey", { ...key, name }, session);
    await preview("Service", lake, session);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(tooMany);
    expect(service.count("getQuotas")).to.equal(1);
  });

  const others = { provider: "aws", region: "eu-west-1", size: "r8gd.large" };
  for (const [type, inputs, said] of [
    ["Service", lake, /^Service: this update creates more services than .* 2 of 20 are in use/],
    ["PostgresService", { organizationId, ...others }, /more Postgres services than .* 0 of 20 are in use/],
  ] as const)
    it(`a ${type} counts for a quota of its own type`, async () => {
      const { session, warnings } = open();
      const free = 20 - (type === "Service" ? store.services.size : 0);
      for (let index = 0; index < free; index++)
        await preview(type, { ...inputs, name: `${index}` }, session);
      expect(warnings).to.deep.equal([]);
      await preview(type, { ...inputs, name: "orders" }, session);
      expect(warnings.join()).to.match(said);
    });

  it("what the state has, what is adopted and what the check refuses counts for nothing", async () => {
    const { session, warnings } = open();
    for (let round = 0; round < 2; round++) {
      await preview("ApiKey", key, session, key);
      await preview("ApiKey", { ...key, adoptId: [...store.keys.keys()][0] }, session);
      await preview("ApiKey", { ...key, roles: ["nobody"] }, session);
    }
    expect([warnings.join(), service.count("getQuotas")]).to.deep.equal([
      "API key c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204 is there already, and taking it over replaces name",
      0,
    ]);
  });

  it("a preview says nothing about quotas that it cannot read", async () => {
    for (const answer of [
      { status: 403, error: "FORBIDDEN: no" },
      { status: 200, result: [{ quotaCode: "api-keys-per-organization" }] },
    ]) {
      service.gateway = (operation, carryOut) =>
        operation === "getQuotas"
          ? {
              ...{ status: answer.status, headers: { "content-type": "application/json" } },
              body: JSON.stringify({ ...answer, requestId: "2c2f8d5e-7a51-4b41-9d55-0d5a7c1f9a10" }),
            }
          : carryOut();
      const { session, warnings } = open();
      for (const name of ["a", "b"]) await preview("ApiKey", { ...key, name }, session);
      expect(warnings, JSON.stringify(answer)).to.deep.equal([]);
    }
    service.gateway = undefined;
  });

  it("an update that has begun to write reads no quotas", async () => {
    const { session } = open();
    await resources.ApiKey.create(key, session);
    await preview("ApiKey", { ...key, name: "other" }, session);
    expect(service.count("getQuotas")).to.equal(0);
  });
});
