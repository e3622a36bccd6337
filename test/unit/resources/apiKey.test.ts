import { expect } from "chai";
import { apiKeyResource } from "../../../provider/resources/apiKey/apiKey";
import { resources } from "../../../provider/resources/registry";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { Declared, sessionOf } from "../drift/fixture";
import { hashData } from "./apiKey.example";
import { sentBy, sessionOfProduct, useProduct } from "./product";
import { failuresOf, itKeeps, type Rule, required, text, uuid, warningsOf } from "./rules";
import { absent, validInputs, withChange } from "./validInputs";

const roles = "must be one of admin, developer, query_endpoints";
const expiry = "must be a date and time with a zone, such as 2027-01-31T00:00:00Z, or null for never";
const address = "must be an IP address or a CIDR range, such as 203.0.113.0/24";

const rules: readonly Rule[] = [
  ["organizationId", "", uuid],
  ["adoptId", "", text],
  ["adoptId", 12, text],
  ["name", "", text],
  ["name", ["reporting"], text],
  ["roles", absent, required],
  ["roles", [], "must be a list with at least one entry"],
  ["roles", "admin", "must be a list with at least one entry"],
  ["roles", ["admin", "developer", "admin"], "contains a duplicate: entries 0 and 2 are equal"],
  ["roles[1]", "owner", roles],
  ["roles[0]", null, roles],
  ["assignedRoleIds", [], "needs the setting dialect to be clickhouse"],
  ["state", "paused", "must be one of enabled, disabled"],
  ["state", true, "must be one of enabled, disabled"],
  ["expireAt", "tomorrow", expiry],
  ["expireAt", "2999-12-31", expiry],
  ["expireAt", "2999-12-31T00:00:00", expiry],
  ["expireAt", "2999-13-01T00:00:00Z", expiry],
  ["expireAt", "2999-02-30T00:00:00Z", expiry],
  ["expireAt", 1798761600000, expiry],
  ["expireAt", {}, expiry],
  ["ipAccessList", "203.0.113.0/24", "must be a list"],
  ["ipAccessList[0]", "203.0.113.0/24", "must be an object with source"],
  ["ipAccessList[0].source", absent, required],
  ["ipAccessList[0].source", "office", address],
  ["ipAccessList[0].source", "203.0.113.256", address],
  ["ipAccessList[0].source", "203.0.113.0/33", address],
  ["ipAccessList[1].source", "2001:db8::/129", address],
  ["ipAccessList[1].source", "", address],
  ["ipAccessList[1].source", 10, address],
  ["ipAccessList[1].description", 5, "must be a string"],
  ["ipAccessList[1].cidr", "203.0.113.0/24", "is not a valid property; expected one of source, description"],
  ["hashData", "hash", "must be an object with keyIdHash, keyIdSuffix, keySecretHash"],
  ["hashData.keyIdHash", absent, required],
  ["hashData.keyIdHash", "", text],
  ["hashData.keyIdSuffix", 1234, text],
  ["hashData.keySecretHash", null, text],
  ["hashData.salt", "s", "is not a valid property; expected one of keyIdHash, keyIdSuffix, keySecretHash"],
  ["keepers", "2027-01", "must be an object"],
  ["keepers.rotation", 1, "must be a string"],
  [
    "secret",
    "s",
    "is not a valid property; expected one of organizationId, adoptId, name, roles, assignedRoleIds, state, expireAt, ipAccessList, hashData, keepers",
  ],
];

describe("ApiKey", () => {
  itKeeps("ApiKey", rules);

  describe("with an expireAt in the past", () => {
    const { adoptId, ...inputs } = withChange(validInputs.ApiKey, "expireAt", "2001-01-01T00:00:00Z");

    it("is refused if it is new", () => {
      expect(failuresOf("ApiKey", inputs)).to.deep.equal(["expireAt must be in the future"]);
    });

    it("is accepted if it exists", () => {
      expect(failuresOf("ApiKey", inputs, {}, inputs)).to.deep.equal([]);
      expect(failuresOf("ApiKey", { ...inputs, adoptId })).to.deep.equal([]);
    });
  });

  for (const expireAt of [null, ""]) {
    it(`accepts expireAt: ${JSON.stringify(expireAt)}, which is never`, () => {
      expect(failuresOf("ApiKey", { ...validInputs.ApiKey, expireAt })).to.deep.equal([]);
    });
  }

  it("sends the hashes that it is made from at creation alone: the service refuses them later", async () => {
    const sandbox = await createSandbox();
    try {
      const { session } = sessionOf(sandbox);
      const declared = new Declared("ApiKey", { name: "before", roles: ["developer"], hashData });
      await declared.up(session);
      Object.assign(declared, { program: { ...declared.program, name: "after" } });
      await declared.up(session);
      expect(declared.state.hashData).to.deep.equal(hashData);
      await new Declared("ApiKey", { ...declared.program, name: "adopted", adoptId: declared.id }).up(
        session,
      );
      expect(sandbox.store.keys.get(declared.id)?.name).to.equal("adopted");
      const sent = sandbox.requests.filter(({ requestBody }) => requestBody !== undefined);
      expect(
        sent.map(({ method, requestBody }) => [method, "hashData" in (requestBody as object)]),
      ).to.deep.equal([
        ["POST", true],
        ["PATCH", false],
        ["PATCH", false],
      ]);
    } finally {
      await sandbox.close();
    }
  });
});

describe("The addresses of an API key", () => {
  it("may be an empty list, with a warning", () => {
    const declared = { name: "closed", roles: ["admin"], ipAccessList: [] };
    expect(failuresOf("ApiKey", declared)).to.deep.equal([]);
    expect(warningsOf("ApiKey", declared)).to.deep.equal([
      "ApiKey: ipAccessList: [] may lock the key out of every address; to allow all, leave it out",
    ]);
  });

  it("are sent where they are declared, the empty list too, and never where they are not", async () => {
    const sandbox = await createSandbox();
    try {
      const { session } = sessionOf(sandbox);
      const closed = new Declared("ApiKey", { name: "closed", roles: ["admin"], ipAccessList: [] });
      await closed.up(session);
      expect(await closed.refresh(session)).to.deep.equal([]);
      await new Declared("ApiKey", { name: "open", roles: ["admin"] }).up(session);
      const sent = sandbox.requests.filter(({ method }) => method === "POST");
      expect(sent.map(({ requestBody }) => requestBody)).to.deep.equal([
        { name: "closed", roles: ["admin"], ipAccessList: [] },
        { name: "open", roles: ["admin"] },
      ]);
    } finally {
      await sandbox.close();
    }
  });
});

describe("The roles of an API key in the clickhouse dialect", () => {
  const product = useProduct();
  const clickhouse = { dialect: "clickhouse" } as const;
  const [custom, other, unknownRole] = ["04", "03", "ff"].map(
    (end) => `0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a${end}`,
  );
  const stored = (id: string) => product.sandbox.store.keys.get(id);
  const later = () => sessionOfProduct(product.sandbox);
  const refusals: [string, object, string][] = [
    [
      "both kinds of roles",
      { roles: ["admin"], assignedRoleIds: [custom] },
      "roles cannot be declared together with assignedRoleIds; use only the latter",
    ],
    ["a role by its name", { assignedRoleIds: ["Reports"] }, `assignedRoleIds[0] ${uuid}`],
    [
      "a role twice",
      { assignedRoleIds: [custom, custom] },
      "assignedRoleIds contains a duplicate: entries 0 and 1 are equal",
    ],
    ["no role of the older kind", { roles: [] }, "roles must be a list with at least one entry"],
  ];
  for (const [what, declared, failure] of refusals) {
    it(`are refused: ${what}`, () => {
      expect(failuresOf("ApiKey", { name: "a", ...declared }, clickhouse)).to.deep.equal([failure]);
    });
  }

  it("need not be declared, and may be none", () => {
    for (const declared of [{}, { assignedRoleIds: [] }])
      expect(failuresOf("ApiKey", { name: "a", ...declared }, clickhouse)).to.deep.equal([]);
  });

  it("are better declared as ids, as a warning says", () => {
    const declared = { name: "a", roles: ["admin"] };
    const [warning, ...others] = warningsOf("ApiKey", declared, clickhouse);
    expect(warning).to.match(/^ApiKey: roles is deprecated: .*use assignedRoleIds instead$/);
    expect(others).to.deep.equal([]);
    expect(warningsOf("ApiKey", declared)).to.deep.equal([]);
  });

  it("are sent as ids, answered as roles, and drift where somebody assigns others", async () => {
    const declared = new Declared("ApiKey", { name: "custom", assignedRoleIds: [custom, other] });
    await declared.up(product.session);
    expect(sentBy(product, "POST")).to.deep.equal([["keys", declared.program]]);
    expect(declared.state.assignedRoles).to.deep.equal([
      { roleId: custom, roleName: "Dashboards", roleType: "custom" },
      { roleId: other, roleName: "query_endpoints", roleType: "system" },
    ]);
    const assigned = stored(declared.id)?.assignedRoles?.reverse() ?? [];
    expect(await declared.refresh(later().session)).to.deep.equal([]);
    assigned.pop();
    expect(await declared.refresh(later().session)).to.deep.equal(["assignedRoleIds"]);
    await declared.up(product.session);
    expect(sentBy(product, "PATCH")).to.deep.equal([[declared.id, declared.program]]);
    expect(stored(declared.id)?.assignedRoles).to.have.length(2);
  });

  it("replace those of the older kind in place, with a word about what these show from then on", async () => {
    const { session, warnings } = later();
    const declared = new Declared("ApiKey", { name: "migrated", roles: ["developer"] });
    await declared.up(session);
    Object.assign(declared, { program: { name: "migrated", assignedRoleIds: [custom] } });
    await declared.up(session);
    expect(sentBy(product, "PATCH")).to.deep.equal([[declared.id, declared.program]]);
    expect(warnings).to.deep.equal([
      `API key ${declared.id} keeps its roles, which the API cannot remove; assignedRoleIds says which roles it has in their place`,
    ]);
    expect(await declared.refresh(later().session)).to.deep.equal([]);
  });

  it("are left as they are by an adoption that declares none", async () => {
    const declared = new Declared("ApiKey", { name: "theirs", assignedRoleIds: [custom] });
    await declared.up(product.session);
    const adopted = new Declared("ApiKey", { name: "theirs", adoptId: declared.id });
    await adopted.up(product.session);
    expect(sentBy(product, "PATCH")).to.deep.equal([[declared.id, { name: "theirs" }]]);
    expect(stored(declared.id)?.assignedRoles?.map(({ roleId }) => roleId)).to.deep.equal([custom]);
    expect(await adopted.refresh(product.session)).to.deep.equal([]);
  });

  it("are imported as ids, unless the service answers none of those", () => {
    const { declaration } = resources.ApiKey;
    const found = { name: "a", roles: ["admin"] };
    expect(declaration?.({ ...found, assignedRoleIds: [custom] })).to.deep.equal({
      name: "a",
      assignedRoleIds: [custom],
    });
    expect(declaration?.({ ...found, assignedRoleIds: [] })).to.deep.equal(found);
    expect(declaration?.({ ...found, roles: [], assignedRoleIds: [] })).to.deep.equal({ name: "a" });
  });

  it("tell a key that was created from one of somebody else with other roles", () => {
    const found = { name: "a", state: "enabled", assignedRoles: [{ roleId: custom }] };
    const { isLike } = apiKeyResource;
    expect(isLike?.(found, { name: "a", assignedRoleIds: [custom] })).to.equal(true);
    expect(isLike?.(found, { name: "a", assignedRoleIds: [unknownRole] })).to.equal(false);
  });
});

describe("An API key that signs the requests", () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await createSandbox();
  });
  afterEach(() => sandbox.close());

  /** What deleting a key comes to, and which requests for it were sent. */
  async function deletionOf(declared: Declared) {
    sandbox.requests.length = 0;
    const outcome = await declared.delete(sessionOf(sandbox).session).catch((error: Error) => error.message);
    return { outcome, operations: sandbox.requests.map(({ operation }) => operation) };
  }

  async function applied(program: object): Promise<Declared> {
    const declared = new Declared("ApiKey", { name: "reporting", roles: ["admin"], ...program });
    await declared.up(sessionOf(sandbox).session);
    return declared;
  }

  it("is not deleted after it was adopted, when no state has its keyId", async () => {
    const [adoptId] = sandbox.store.keys.keys();
    const { outcome, operations } = await deletionOf(await applied({ adoptId }));
    expect(outcome).to.equal(
      `API key ${adoptId} is not deleted: it may be the key this provider signs with (same suffix); set other credentials in keyId and keySecret first`,
    );
    expect(operations).to.deep.equal([]);
  });

  it("is not deleted where it was made from hashes of what signs now", async () => {
    const keyIdSuffix = sandbox.credentials.keyId.slice(-4);
    const { outcome, operations } = await deletionOf(
      await applied({ hashData: { ...hashData, keyIdSuffix } }),
    );
    expect(outcome).to.include("is not deleted");
    expect(operations).to.deep.equal([]);
  });

  it("is told by its whole keyId where the state has that", async () => {
    const declared = await applied({});
    const { keyId } = sandbox.credentials;
    declared.state = { ...declared.state, keySuffix: keyId.slice(-4) };
    expect(await deletionOf(declared)).to.deep.equal({ outcome: undefined, operations: ["deleteKey"] });
  });

  it("does not keep other adopted keys from being deleted", async () => {
    const { id } = await applied({});
    const adopted = await applied({ adoptId: id });
    expect(await deletionOf(adopted)).to.deep.equal({ outcome: undefined, operations: ["deleteKey"] });
  });
});
