import { expect } from "chai";
import { apiKeyResource } from "../../../provider/resources/apiKey/apiKey";
import type { PropertyMap } from "../../../provider/values/data";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { Declared, sessionOf } from "../drift/fixture";
import { sessionFor } from "../lifecycle/note";
import { hashData } from "./apiKey.example";
import { sentBy, sessionOfProduct, useProduct } from "./product";
import { clickhouse, failuresOf, itKeeps, type Rule, warningsOf } from "./rules";
import { absent, validInputs } from "./validInputs";

const expiry =
  "expireAt must be a date and time with a zone, such as 2027-01-31T00:00:00Z, or null for never";
const address = "must be an IP address or a CIDR range, such as 203.0.113.0/24";
const past = { expireAt: "2001-01-01T00:00:00Z" };
const [custom, unknownRole] = ["04", "ff"].map((end) => `0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a${end}`);

const rules: readonly Rule[] = [
  ...["tomorrow", "2999-12-31", "2999-12-31T00:00:00", "2999-02-30T00:00:00Z", 1798761600000].map(
    (expireAt): Rule => [{ expireAt }, expiry],
  ),
  ...[null, ""].map((expireAt): Rule => [{ expireAt }, []]),
  [past, []],
  [{ adoptId: absent, ...past }, "expireAt must be in the future"],
  ...["office", "203.0.113.256", "203.0.113.0/33", "2001:db8::/129", "203.0.113.0/24/1"].map(
    (source): Rule => [{ "ipAccessList[1].source": source }, `ipAccessList[1].source ${address}`],
  ),
];

const roles: readonly Rule[] = [
  [{}, []],
  [{ assignedRoleIds: [] }, []],
  [
    { roles: ["admin"], assignedRoleIds: [custom] },
    "roles conflicts with assignedRoleIds; use only the latter",
  ],
];

describe("The check of an API key", () => {
  const { adoptId, ...created }: PropertyMap = { ...validInputs.ApiKey, ...past };
  itKeeps({ type: "ApiKey" }, rules);
  itKeeps({ type: "ApiKey", valid: created, before: created }, [[{}, []]]);
  itKeeps({ type: "ApiKey", valid: { name: "a" }, settings: clickhouse }, roles);

  it("an empty map of keepers replaces no API key", async () => {
    const { session } = sessionFor();
    const key = { name: "a", roles: ["admin"] };
    const differing = await apiKeyResource.diff("id", key, { ...key, keepers: {} }, session);
    expect(differing.map(({ replaces }) => replaces)).to.deep.equal([false]);
  });

  it("the check of an API key warns of an empty list of IP addresses", () => {
    const closed = { name: "closed", roles: ["admin"], ipAccessList: [] };
    expect(failuresOf("ApiKey", closed)).to.deep.equal([]);
    expect(warningsOf("ApiKey", closed)).to.deep.equal([
      "ApiKey: ipAccessList: [] may lock the key out of every address; to allow all, leave it out",
    ]);
  });

  it("the check of an API key gives no warning for roles declared by name, as in the examples", () => {
    const declared = { name: "a", roles: ["admin"] };
    expect(warningsOf("ApiKey", declared, clickhouse)).to.deep.equal([]);
    expect(warningsOf("ApiKey", declared)).to.deep.equal([]);
  });
});

describe("API keys in the dialect clickhouse", () => {
  const product = useProduct();
  const later = () => sessionOfProduct(product.sandbox);
  const applied = async (program: object) => {
    const declared = new Declared("ApiKey", { ...program });
    await declared.up(product.session);
    return declared;
  };

  it("an update that changes an API key from roles to role ids warns that the former roles stay assigned", async () => {
    const { session, warnings } = later();
    const declared = await applied({ name: "migrated", roles: ["developer"] });
    Object.assign(declared, { program: { name: "migrated", assignedRoleIds: [custom] } });
    await declared.up(session);
    expect(sentBy(product, "PATCH")).to.deep.equal([[declared.id, declared.program]]);
    expect(warnings).to.deep.equal([
      `API key ${declared.id} keeps its roles, which the API cannot remove; assignedRoleIds says which roles it has in their place`,
    ]);
    expect(await declared.refresh(later().session)).to.deep.equal([]);
  });

  it("the adoption of an API key warns that its secret is not known", async () => {
    const { id } = await applied({ name: "theirs", assignedRoleIds: [custom] });
    await applied({ name: "ours", adoptId: id });
    expect(product.warnings).to.deep.equal([
      `API key ${id} is there already, and taking it over replaces name`,
      `API key ${id} is adopted without its secret, which the service shows only at creation`,
    ]);
  });

  it("an API key counts as equal to a key whose addresses the service writes in another form", () => {
    const ipAccessList = [{ source: "203.0.113.0/24", description: "" }, { source: "10.0.0.1/32" }];
    const found = { name: "a", state: "enabled", roles: ["admin"], ipAccessList };
    const sent = [{ source: "10.0.0.1", description: "" }, { source: "203.0.113.7/24" }];
    const isLike = (list: object) =>
      apiKeyResource.isLike?.(found, { name: "a", roles: ["admin"], ipAccessList: list });
    expect([isLike(sent), isLike(sent.slice(1))]).to.deep.equal([true, false]);
  });

  it("an API key does not count as equal to a key with other roles", () => {
    const found = { name: "a", state: "enabled", assignedRoles: [{ roleId: custom }] };
    const isLike = (id?: string) => apiKeyResource.isLike?.(found, { name: "a", assignedRoleIds: [id] });
    expect([isLike(custom), isLike(unknownRole)]).to.deep.equal([true, false]);
  });
});

describe("The deletion of an API key", () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await createSandbox();
  });
  afterEach(() => sandbox.close());

  /** Deletes an API key. Returns the result or error message, and the operations that the provider called, without lists. */
  async function deletionOf(declared: Declared) {
    sandbox.requests.length = 0;
    const outcome = await declared.delete(sessionOf(sandbox).session).catch((error: Error) => error.message);
    const operations = sandbox.requests.map(({ operation = "" }) => operation);
    return { outcome, operations: operations.filter((operation) => !operation.startsWith("list")) };
  }

  async function applied(program: object): Promise<Declared> {
    const declared = new Declared("ApiKey", { name: "reporting", roles: ["admin"], ...program });
    await declared.up(sessionOf(sandbox).session);
    return declared;
  }

  it("the deletion of an adopted API key is refused if it has the suffix of the key that signs requests", async () => {
    const [adoptId] = sandbox.store.keys.keys();
    const { outcome, operations } = await deletionOf(await applied({ adoptId }));
    expect(outcome).to.equal(
      `API key ${adoptId} is not deleted: it may be the key this provider signs with (same suffix); set other credentials in keyId and keySecret first`,
    );
    expect(operations).to.deep.equal([]);
  });

  it("the deletion of a key from hashes is refused if it has the suffix of the key that signs requests", async () => {
    const keyIdSuffix = sandbox.credentials.keyId.slice(-4);
    const { outcome, operations } = await deletionOf(
      await applied({ hashData: { ...hashData, keyIdSuffix } }),
    );
    expect(outcome).to.include("is not deleted");
    expect(operations).to.deep.equal([]);
  });

  it("the deletion of a created API key succeeds even if it has the suffix of the key that signs requests", async () => {
    const declared = await applied({});
    const { keyId } = sandbox.credentials;
    declared.state = { ...declared.state, keySuffix: keyId.slice(-4) };
    expect(await deletionOf(declared)).to.deep.equal({ outcome: undefined, operations: ["deleteKey"] });
  });
});
