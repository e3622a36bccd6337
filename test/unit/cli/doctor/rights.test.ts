import { expect } from "chai";
import { examineRights, permissionsFor } from "../../../../cli/doctor/rights";
import { tableOf } from "../../../../product/read";
import { deleteUnlessDeclared } from "../../../../provider/lifecycle/delete";
import type { Session } from "../../../../provider/lifecycle/session";
import { type DeclarableName, declarable } from "../../../../provider/resources/registry";
import { permits } from "../../../../provider/resources/role/policies";
import type { PropertyMap } from "../../../../provider/values/data";
import { sha256 } from "../../../../sandbox/core/identifiers";
import type { Policy } from "../../../../sandbox/index";
import { seededCredentials } from "../../../../sandbox/index";
import { useService } from "../../lifecycle/scriptedService";
import { addKey } from "../../resources/apiKey.example";

const { organizationId, serviceId } = seededCredentials;
const place = { organizationId, serviceId };
const own = { keyId: "TheKeyOfTheStack0own", keySecret: "the secret of the key of the stack" };
const ownKey = "eeeeeeee-eeee-4eee-8eee-eeeeeeeeeee1";
const ownRole = "eeeeeeee-eeee-4eee-8eee-eeeeeeeeeee2";
const view = { allowDeny: "ALLOW", permissions: ["control-plane:service:view"], resources: ["instance/*"] };
const admin = "0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a01";

// The programs of a stack and their later changes. Later resources refer to the ids of earlier ones.
const stack: readonly (readonly [
  type: DeclarableName,
  program: (ids: PropertyMap) => PropertyMap,
  changed?: PropertyMap,
])[] = [
  ["Role", () => ({ organizationId, name: "Readers", policies: [view] }), { name: "Viewers" }],
  ["ApiKey", () => ({ organizationId, name: "reporting" }), { name: "reports" }],
  ["RoleAssignment", ({ Role, ApiKey }) => ({ organizationId, roleId: Role, apiKeyId: ApiKey })],
  [
    "Member",
    () => ({ organizationId, email: "ann@example.com", removeOnDelete: true }),
    { assignedRoleIds: [] },
  ],
  [
    "ServiceScaling",
    () => ({ ...place, idleTimeoutMinutes: 15, onDestroy: "restore" }),
    { idleTimeoutMinutes: 20 },
  ],
  ["BackupConfiguration", () => ({ ...place, backupPeriodInHours: 12 }), { backupPeriodInHours: 8 }],
  [
    "SavedQuery",
    () => ({ ...place, name: "One", sql: "SELECT 1", database: "default" }),
    { sql: "SELECT 2" },
  ],
  ["Dashboard", () => ({ ...place, name: "Start", tags: [], tiles: [] }), { name: "Begin" }],
];
const types = stack.map(([type]) => type);

// Returns the permissions that the API document of ClickHouse Cloud names for a request.
function permissionsOf(method: string, path: string): readonly string[] {
  const { operations } = tableOf("cloud");
  const fits = (request: string) =>
    new RegExp(`^${request.replace(/\{\w+\}/g, "[^/]+")}$`).test(`${method} ${path}`);
  return Object.entries(operations).find(([request]) => fits(request))?.[1].permissions ?? [];
}

describe("The permissions that the key of a stack needs", () => {
  const service = useService({ dialect: "clickhouse" });
  const { store } = service.model;
  const open = () => service.open({ dialect: "clickhouse", observabilityVia: "management", ...own });
  const needed = (session: Session) => [...permissionsFor(types, session).keys()];

  function permit(permissions: readonly string[]): void {
    const isOfOrganization = (permission: string) => permission.startsWith("control-plane:organization:");
    const policy = (isMeant: (permission: string) => boolean, resource: string): Policy => ({
      ...{ id: resource, allowDeny: "ALLOW", permissions: permissions.filter(isMeant) },
      resources: [resource],
    });
    store.roles.set(ownRole, {
      ...{ id: ownRole, name: "Deployment", type: "custom" },
      policies: [
        policy(isOfOrganization, `organization/${organizationId}`),
        policy((permission) => !isOfOrganization(permission), "instance/*"),
      ],
    });
    addKey({ store } as never, {
      ...{ id: ownKey, name: "deployment", roles: [], keySuffix: "0own" },
      ...{ keyIdHash: sha256(own.keyId), keySecretHash: sha256(own.keySecret) },
      assignedRoles: [{ roleId: ownRole, roleName: "Deployment", roleType: "custom" }],
    });
  }

  // Creates, updates and destroys the stack, with a new session for each command. Returns the warnings of the destroy.
  async function live(): Promise<readonly string[]> {
    const ids: PropertyMap = {};
    const states: [DeclarableName, string, PropertyMap, PropertyMap][] = [];
    const creating = open().session;
    for (const [type, program] of stack) {
      const inputs = program(ids);
      const { id, state, failure } = await declarable[type].create(inputs, creating);
      if (failure) throw failure;
      Object.assign(ids, { [type]: id });
      states.push([type, id, state, inputs]);
    }
    const updating = open().session;
    for (const [index, [type, id, state, inputs]] of states.entries()) {
      await declarable[type].read(id, state, updating);
      const changed = stack[index]?.[2];
      if (changed)
        states[index] = [
          type,
          id,
          await declarable[type].update(id, state, { ...inputs, ...changed }, updating),
          inputs,
        ];
    }
    const { session: destroying, warnings } = open();
    for (const [type, id, state] of states.reverse())
      await deleteUnlessDeclared(declarable[type], id, state, destroying, false);
    return warnings;
  }

  it("the permissions that doctor names are exactly those of all requests that a stack's resources send", async () => {
    const names = needed(open().session);
    permit(names);
    await live();
    const asked = service.model.journal.entries.filter(({ status }) => status < 300);
    const used = new Set(asked.flatMap(({ method, path }) => permissionsOf(method, path)));
    expect([...used].sort()).to.deep.equal(names);
    expect(names).to.have.length.above(7);
  });

  // Without the permission for query API endpoints the deletion of an API key succeeds, with a warning that the endpoints which
  // use the key are unknown.
  it("the message of a step names the permission that the key lacks", async () => {
    const names = needed(open().session);
    for (const lacking of names) {
      await service.model.reset();
      permit(names.filter((name) => name !== lacking));
      const told = await live().catch((error: Error) => [error.message]);
      expect(told.join("\n"), lacking).to.include(`the permission ${lacking}`);
    }
  });

  it("pipestack doctor says for which types the key needs each permission that its role grants", async () => {
    const { session } = open();
    const names = needed(session);
    permit(names);
    const whole = await examineRights(types, session);
    expect(whole.roles).to.deep.equal(["Deployment"]);
    expect(whole.permissions.map(({ permission }) => permission)).to.deep.equal(names);
    expect(new Set(whole.permissions.map(({ isGiven }) => isGiven))).to.deep.equal(new Set(["yes"]));
    expect(
      whole.permissions.find(({ permission }) => permission.endsWith(":view-api-keys"))?.neededFor,
    ).to.include("ApiKey");
  });

  it("pipestack doctor names a needed permission that no role of the key grants", async () => {
    const names = needed(open().session);
    const [lacking] = names.filter((name) => name.endsWith(":manage-backups"));
    permit(names.filter((name) => name !== lacking));
    const less = await examineRights(types, open().session);
    expect(less.permissions.filter(({ isGiven }) => isGiven === "no")).to.deep.equal([
      { permission: lacking, neededFor: ["BackupConfiguration"], isGiven: "no" },
    ]);
  });

  it("pipestack doctor names the permission without which it cannot tell the key's permissions", async () => {
    permit(needed(open().session).filter((name) => !name.endsWith("organization:manage")));
    const blind = await examineRights(types, open().session);
    expect([blind.roles, blind.problem]).to.deep.equal([
      null,
      "to tell, the key needs the permission control-plane:organization:manage",
    ]);
  });

  it("pipestack doctor knows without a further permission that the role admin grants all of them", async () => {
    permit(needed(open().session).filter((name) => !name.endsWith("organization:manage")));
    Object.assign(store.keys.get(ownKey) ?? {}, {
      assignedRoles: [{ roleId: admin, roleName: "admin", roleType: "system" }],
    });
    const all = await examineRights(types, open().session);
    expect([all.roles, all.permissions.every(({ isGiven }) => isGiven === "yes")]).to.deep.equal([
      ["admin"],
      true,
    ]);
  });

  it("pipestack doctor does not judge the permissions of a key that it cannot fully see", async () => {
    const examine = () => examineRights(types, open().session);
    permit(needed(open().session));
    service.rewrite(/^listRoles$/, new RegExp(`"id":"${ownRole}"`), `"id":"${organizationId}"`);
    const unseen = await examine();
    expect(unseen.roles).to.deep.equal(["Deployment"]);
    expect(new Set(unseen.permissions.map(({ isGiven }) => isGiven))).to.deep.equal(new Set(["unknown"]));
    service.rewrite(/^listKeys$/, /"assignedRoles"/g, '"others"');
    expect((await examine()).problem).to.equal(`the list of keys does not show the roles of key ${ownKey}`);
    service.rewrite(/^listKeys$/, /0own/g, "xxxx");
    expect((await examine()).problem).to.match(/does not show the key that signs the requests: none has/);
    service.rewrite(/^listKeys$/, /"keySuffix":"\w+"/g, '"keySuffix":"0own"');
    expect((await examine()).problem).to.match(/does not show which key signs the requests: several have/);
  });

  it("pipestack doctor counts a permission as unknown if it is granted only for another service", () => {
    const elsewhere = { ...view, resources: [`instance/${organizationId}`] };
    const roles = [{ type: "custom", policies: [elsewhere] }];
    expect(permits(roles, "control-plane:service:view", place)).to.equal("unknown");
    expect(permits(roles, "control-plane:service:manage", place)).to.equal("no");
  });

  it("pipestack doctor counts a permission as denied if one role denies it, even beside the role of admins", () => {
    const denied = { allowDeny: "DENY", permissions: view.permissions, resources: view.resources };
    const roles = [
      { type: "system", name: "admin" },
      { type: "custom", policies: [denied] },
    ];
    expect(permits(roles, "control-plane:service:view", place)).to.equal("no");
    expect(permits(roles, "control-plane:service:manage", place)).to.equal("yes");
  });
});
