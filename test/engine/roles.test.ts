import { join } from "node:path";
import { expect } from "chai";
import { Identifiers } from "../../sandbox/core/identifiers";
import { actorsOf, setActors } from "../../sandbox/core/resources/assignments";
import { acceptInvitation } from "../../sandbox/core/resources/invitations";
import type { Role, Sandbox } from "../../sandbox/index";
import { settingVariables } from "../pipestackCommand";
import { selected } from "../seed";
import { addKey } from "../unit/resources/apiKey.example";
import { projectIn, useFixture } from "./fixture";

const sandbox = { dialect: "clickhouse" } as const;
const isUnchanged = { args: ["--refresh", "--expect-no-changes"] };
const adminActor = "apiKey/c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204";

const readers = (name: string) =>
  `const readers = new Role("readers", { name: "Readers", policies: [{ allowDeny: "ALLOW", permissions: ["control-plane:service:manage"], resources: ["instance/*"] }] });
const key = new ApiKey("reporting", { name: "Reporting" });
new RoleAssignment("${name}", { roleId: readers.id, apiKeyId: key.id });
const ann = new Member("ann", { email: "Ann@Example.com", assignedRoleIds: [readers.id] });
`;

function roleIn({ store }: Sandbox): Role {
  return [...store.roles.values()].find(({ name }) => name === "Readers") as Role;
}

for (const host of selected(["dynamic", "plugin"] as const, 2))
  describe(`Roles and members in the ${host} host`, () => {
    const fixture = useFixture({ host, sandbox });
    const actors = () => actorsOf(fixture.sandbox.store, roleIn(fixture.sandbox));
    const own = () => `apiKey/${[...fixture.sandbox.store.keys.keys()].at(-1)}`;

    before(async () => {
      Object.assign(
        fixture.environment,
        settingVariables({ dialect: "clickhouse", requestsPerSecond: "1000" }),
      );
    });

    it("one update creates a role, an assignment and a member, after which there is no drift", async () => {
      const { summary } = await fixture.apply(readers("reads"));
      expect(summary).to.deep.equal({ create: 4 });
      expect(actors()).to.deep.equal([own()]);
      await fixture.preview(isUnchanged);
    });

    it("an invitation that was accepted, and actors that others added to a role, show no drift and survive a refresh", async () => {
      const { store } = fixture.sandbox;
      const { id } = acceptInvitation(store, "ann@example.com", new Identifiers(), Date.now());
      setActors(store, roleIn(fixture.sandbox), [...actors(), adminActor]);
      await fixture.preview(isUnchanged);
      await fixture.refresh();
      expect(await fixture.outputsOf("ann")).to.include({ status: "member", userId: id });
      expect(actors()).to.have.members([own(), adminActor, `user/${id}`]);
      setActors(store, roleIn(fixture.sandbox), [own(), `user/${id}`]);
    });

    it("an assignment of a role survives when its resource is renamed", async () => {
      const { output } = await fixture.apply(readers("reports"));
      expect(output).to.match(/is not deleted, since the program still declares it/);
      expect(actors()).to.include(own());
    });

    it("destroying a member leaves the person in the organization", async () => {
      const { output } = await fixture.destroy();
      expect(output).to.match(/ann@example\.com stays a member/);
      const { store } = fixture.sandbox;
      expect([store.members.size, roleIn(fixture.sandbox), store.keys.size]).to.deep.equal([1, undefined, 1]);
    });
  });

describe("Imports of an existing role, assignment and member", () => {
  const fixture = useFixture({ host: "plugin", sandbox });
  const [role, key, user] = ["1", "2", "3"].map((digit) => `eeeeeeee-eeee-4eee-8eee-eeeeeeeeeee${digit}`);

  before(() => {
    Object.assign(
      fixture.environment,
      settingVariables({ dialect: "clickhouse", requestsPerSecond: "1000" }),
    );
    const { store } = fixture.sandbox;
    const policy = {
      allowDeny: "ALLOW",
      permissions: ["control-plane:service:view"],
      resources: ["instance/*"],
    };
    const dates = { createdAt: "2026-01-01T00:00:00Z", joinedAt: "2026-01-01T00:00:00Z" };
    store.roles.set(String(role), {
      ...{ id: String(role), name: "Readers", type: "custom", createdAt: dates.createdAt },
      policies: [{ ...policy, allowDeny: "ALLOW", id: "any" }],
    });
    addKey(fixture.sandbox, { id: String(key), roles: [], assignedRoles: [] });
    store.members.set(String(user), {
      ...{ id: String(user), email: "ann@example.com", name: "Ann", roleIds: [], joinedAt: dates.joinedAt },
    });
    setActors(store, roleIn(fixture.sandbox), [`apiKey/${key}`]);
  });

  it("the option import imports an existing role, assignment and member, after which there is no drift", async () => {
    const { summary } = await fixture.apply(`
const policies = [{ allowDeny: "ALLOW", permissions: ["control-plane:service:view"], resources: ["instance/*"] }];
new Role("readers", { name: "Readers", policies }, { import: "${role}" });
new RoleAssignment("reads", { roleId: "${role}", apiKeyId: "${key}" }, { import: "${role}:apiKey:${key}" });
new Member("ann", { email: "ann@example.com", assignedRoleIds: [] }, { import: "ann@example.com" });
`);
    expect(summary).to.deep.equal({ import: 3 });
    await fixture.preview(isUnchanged);
    expect(fixture.sandbox.requests.filter(({ method }) => method !== "GET")).to.deep.equal([]);
  });
});

describe("The example program roles", () => {
  const example = join(__dirname, "..", "..", "examples", "roles");
  const fixture = useFixture({ host: "dynamic", projectFile: projectIn(example), sandbox, settings: {} });

  before(() => {
    const { baseUrl, credentials } = fixture.sandbox;
    const { organizationId, keyId, keySecret } = credentials;
    const settings = { baseUrl, organizationId, keyId, keySecret, requestsPerSecond: "1000" };
    Object.assign(fixture.environment, settingVariables(settings));
  });

  it("the example program roles creates a role and an API key with the role, and invites a person", async () => {
    const { summary, output } = await fixture.up();
    expect(summary).to.deep.equal({ create: 4 });
    expect(output).to.not.include("warning");
    const { store } = fixture.sandbox;
    const [invitation] = store.invitations.values();
    expect(invitation?.email).to.equal("ann@example.com");
    expect(actorsOf(store, store.roles.get(invitation?.roleIds[0] ?? "") as Role)).to.have.length(1);
    await fixture.preview(isUnchanged);
    await fixture.destroy();
  });
});
