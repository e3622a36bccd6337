import { expect } from "chai";
import { acceptInvitation } from "../../sandbox/core/resources/invitations";
import { seededCredentials } from "../../sandbox/index";
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
  const invite = (email: string, further: object = {}) => ask("POST", "/invitations", { email, ...further });
  const accept = (email: string) =>
    acceptInvitation(client.sandbox.store, email, client.sandbox.model.ids, Date.now());

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

  for (const kind of ["roles", "members", "invitations"])
    it(`GET of one of the ${kind} answers 400 for an id that never existed`, async () => {
      expect((await ask("GET", `/${kind}/${unknownUuid}`)).status).to.equal(400);
    });

  it("POST refuses a second invitation of a person", async () => {
    await invite("Ann@Example.com");
    expect((await invite("ann@example.com")).status).to.equal(400);
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
