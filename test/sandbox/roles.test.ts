import { expect } from "chai";
import { acceptInvitation } from "../../sandbox/core/resources/invitations";
import { seededCredentials } from "../../sandbox/index";
import { judge } from "../productJudge";
import { basic, unknownUuid, useSandbox } from "./requests";

const { organizationId, serviceId } = seededCredentials;
const organization = `organization/${organizationId}`;
const view = {
  ...{ allowDeny: "ALLOW", resources: ["instance/*"] },
  permissions: ["control-plane:service:view"],
};
const adminRole = "0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a01";
const adminKey = "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204";

describe("Roles, members and invitations of the sandbox", () => {
  const client = useSandbox({ dialect: "clickhouse" });
  const ask = client.organization.bind(client);
  const post = (change: object = {}) =>
    ask("POST", "/roles", { name: "Readers", actors: [], policies: [view], ...change });
  const patch = (id: string, change: object) => ask("PATCH", `/roles/${id}`, change);
  const get = async (id: string) => (await ask("GET", `/roles/${id}`)).payload;
  const invite = (email: string, further: object = {}) => ask("POST", "/invitations", { email, ...further });
  const accept = (email: string) =>
    acceptInvitation(client.sandbox.store, email, client.sandbox.model.ids, Date.now());

  it("answers about a role match the product's document, and each change gives its policies new ids", async () => {
    const { payload: role } = await post();
    expect(judge.answerFailure("management", "createRole", role)).to.equal(undefined);
    expect(role).to.deep.include({ name: "Readers", type: "custom", tenantId: organizationId, actors: [] });
    const { payload: renamed } = await patch(role.id, { name: "Viewers" });
    expect(judge.answerFailure("management", "updateRole", renamed)).to.equal(undefined);
    expect(renamed.policies[0]).to.deep.include(view);
    expect(renamed.policies[0].id).to.not.equal(role.policies[0].id);
    expect((await ask("GET", "/roles")).payload).to.deep.include(renamed);
    expect(await get(role.id)).to.deep.equal(renamed);
  });

  it("PATCH of a role replaces whole lists, and adds the permissions that manage implies", async () => {
    const { payload: role } = await post();
    const manage = { ...view, permissions: ["control-plane:service:manage"] };
    const { payload: changed } = await patch(role.id, { policies: [manage] });
    expect(changed.policies).to.have.length(1);
    expect(changed.policies[0].permissions).to.deep.equal([
      "control-plane:service:manage",
      "control-plane:service:delete",
    ]);
  });

  const refused: readonly (readonly [title: string, change: object, words: RegExp])[] = [
    [
      "a policy with permissions of two scopes",
      { permissions: ["control-plane:service:view", "control-plane:organization:view"] },
      /All permissions in a policy must target the same resource scope/,
    ],
    ["a service permission on an organization", { resources: [organization] }, /Invalid resource/],
    [
      "a permission on every organization",
      { permissions: ["control-plane:organization:view"], resources: ["organization/*"] },
      /Invalid resource organization\/\*/,
    ],
    ["an unknown value of allowDeny", { allowDeny: "PERHAPS" }, /allowDeny/],
  ];
  for (const [title, change, words] of refused)
    it(`POST refuses ${title}, and creates no role`, async () => {
      const before = client.sandbox.store.roles.size;
      const { status, reason } = await post({ policies: [{ ...view, ...change }] });
      expect([status, reason]).to.satisfy(
        ([code, text]: [number, string]) => code === 400 && words.test(text),
      );
      expect(client.sandbox.store.roles.size).to.equal(before);
    });

  it("PATCH changes only the actors of a system role", async () => {
    expect((await patch(adminRole, { name: "boss" })).status).to.equal(400);
    expect((await patch(adminRole, { policies: [view] })).status).to.equal(400);
    expect((await ask("DELETE", `/roles/${adminRole}`)).status).to.equal(400);
    await invite("ann@example.com");
    const { id } = accept("ann@example.com");
    const { payload } = await patch(adminRole, { actors: [`user/${id}`, `apiKey/${adminKey}`] });
    expect(payload.actors).to.have.members([`user/${id}`, `apiKey/${adminKey}`]);
  });

  it("a role assigned to an API key appears in the roles of the key and in the actors of the role", async () => {
    const { payload: role } = await post();
    const { payload: made } = await ask("POST", "/keys", { name: "ci", assignedRoleIds: [role.id] });
    const actor = `apiKey/${made.key.id}`;
    expect((await get(role.id)).actors).to.deep.equal([actor]);
    expect((await patch(role.id, { actors: [] })).payload.actors).to.deep.equal([]);
    const key = async () => (await ask("GET", `/keys/${made.key.id}`)).payload;
    expect((await key()).assignedRoles).to.deep.equal([]);
    await patch(role.id, { actors: [actor] });
    expect((await key()).assignedRoles).to.deep.equal([
      { roleId: role.id, roleName: "Readers", roleType: "custom" },
    ]);
    await ask("DELETE", `/roles/${role.id}`);
    expect((await key()).assignedRoles).to.deep.equal([]);
  });

  it("POST of a role refuses actors that the organization does not have", async () => {
    for (const actor of [`user/${unknownUuid}`, `apiKey/${unknownUuid}`, "team/7"])
      expect((await post({ actors: [actor] })).status, actor).to.equal(400);
  });

  for (const kind of ["roles", "members", "invitations"])
    it(`GET of one of the ${kind} answers 400 for an id that never existed`, async () => {
      expect((await ask("GET", `/${kind}/${unknownUuid}`)).status).to.equal(400);
    });

  it("GET of a deleted role answers 404", async () => {
    const { payload } = await post();
    await ask("DELETE", `/roles/${payload.id}`);
    const { status, reason } = await ask("GET", `/roles/${payload.id}`);
    expect([status, reason]).to.deep.equal([404, "NOT_FOUND: Role not found"]);
  });

  it("an invitation shows its address in lower case, with the time when it expires", async () => {
    const { payload: role } = await post();
    const { payload: invitation } = await invite("Ann@Example.com", { assignedRoleIds: [role.id] });
    expect(judge.answerFailure("management", "createInvitation", invitation)).to.equal(undefined);
    expect(invitation.email).to.equal("ann@example.com");
    expect(Date.parse(invitation.expireAt)).to.be.greaterThan(Date.now());
  });

  it("POST refuses a second invitation of a person", async () => {
    await invite("Ann@Example.com");
    expect((await invite("ann@example.com")).status).to.equal(400);
  });

  it("a person cannot be made a member by a POST", async () => {
    await invite("ann@example.com");
    expect((await ask("POST", "/members", { email: "ann@example.com" })).status).to.equal(404);
  });

  it("an invitation that a person accepts becomes a member with its address and roles", async () => {
    const { payload: role } = await post();
    const { payload: invitation } = await invite("Ann@Example.com", { assignedRoleIds: [role.id] });
    accept("ann@example.com");
    expect((await ask("GET", "/invitations")).payload).to.deep.equal([]);
    expect((await ask("GET", `/invitations/${invitation.id}`)).status).to.equal(404);
    const { payload: all } = await ask("GET", "/members");
    expect(judge.answerFailure("management", "listMembers", all)).to.equal(undefined);
    expect(all[0]).to.deep.include({ email: "ann@example.com", role: "developer" });
    expect(all[0].assignedRoles).to.deep.equal(invitation.assignedRoles);
    expect((await get(role.id)).actors).to.deep.equal([`user/${all[0].userId}`]);
  });

  it("PATCH changes the roles of a member", async () => {
    await invite("ann@example.com");
    const { id } = accept("ann@example.com");
    const changed = await ask("PATCH", `/members/${id}`, { assignedRoleIds: [adminRole] });
    expect(changed.payload).to.deep.include({ role: "admin" });
  });

  it("DELETE removes a member", async () => {
    await invite("ann@example.com");
    const { id } = accept("ann@example.com");
    expect((await ask("DELETE", `/members/${id}`)).status).to.equal(200);
    expect((await ask("GET", `/members/${id}`)).status).to.equal(404);
  });

  it("an API key can do only what its roles permit", async () => {
    const role = async (policies: object[]) => (await post({ policies })).payload.id;
    const onOne = { ...view, resources: [`instance/${serviceId}`] };
    const { payload } = await ask("POST", "/keys", { name: "ci", assignedRoleIds: [await role([onOne])] });
    const signature = basic(payload.keyId, payload.keySecret);
    const status = async (path: string, method = "GET") =>
      (await ask(method, path, undefined, signature)).status;
    expect(await status(`/services/${serviceId}`)).to.equal(200);
    expect(await status(`/services/${seededCredentials.secondServiceId}`)).to.equal(403);
    expect(await status("/keys")).to.equal(403);
    expect(await status(`/services/${serviceId}`, "DELETE")).to.equal(403);
    const denied = await role([{ ...view, allowDeny: "DENY" }]);
    const actors = [`apiKey/${payload.key.id}`];
    await patch(denied, { actors });
    expect(await status(`/services/${serviceId}`)).to.equal(403);
  });
});
