import { expect } from "chai";
import { declarable } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { reset } from "../api/server";
import { useService } from "../lifecycle/scriptedService";

const { Role: resource } = declarable;
const { organizationId, serviceId } = seededCredentials;
const view = {
  allowDeny: "ALLOW",
  permissions: ["control-plane:service:view", "control-plane:service:view-backups"],
  resources: [`instance/${serviceId}`],
};
const manage = { ...view, permissions: ["control-plane:service:manage"] };
const ofOrganization = {
  allowDeny: "DENY",
  permissions: ["control-plane:organization:view"],
  resources: [`organization/${organizationId}`],
};
const readers = { organizationId, name: "Readers", policies: [view] };
const adminRole = "0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a01";

describe("Roles of an organization", () => {
  const service = useService({ dialect: "clickhouse" });
  const { store } = service.model;
  const open = () => service.open({ dialect: "clickhouse" });
  const stored = (id: string) => store.roles.get(id) as NonNullable<ReturnType<typeof store.roles.get>>;
  const custom = () => [...store.roles.values()].filter(({ name }) => name === "Readers");
  const create = (changed: PropertyMap = {}, by = open()) =>
    resource.create({ ...readers, ...changed }, by.session).then((made) => ({ ...made, ...by }));
  const update = (id: string, state: PropertyMap, changed: PropertyMap, by = open()) =>
    resource.update(id, state, { ...readers, ...changed }, by.session).then((state) => ({ state, ...by }));
  const inputsAfterRefresh = async (id: string, state: PropertyMap) => {
    const live = await resource.read(id, state, open().session);
    return typeof live === "string" ? live : live.inputs;
  };

  it("a role shows no drift when its policies get new ids and another order", async () => {
    const { id, state } = await create({ policies: [view, ofOrganization] });
    const record = stored(id);
    for (const policy of record.policies ?? []) policy.id = service.model.ids.uuid();
    record.policies?.reverse();
    record.policies?.[1]?.permissions.reverse();
    expect(await inputsAfterRefresh(id, state)).to.deep.equal({
      ...readers,
      policies: [view, ofOrganization],
    });
  });

  it("permissions that the service adds to a role are no drift", async () => {
    const { id, state, warnings } = await create({ policies: [manage] });
    expect(stored(id).policies?.[0]?.permissions).to.have.length(2);
    expect(warnings).to.deep.equal([]);
    expect(await inputsAfterRefresh(id, state)).to.deep.equal({ ...readers, policies: [manage] });
  });

  it("permissions that somebody adds to a role are drift", async () => {
    const { id, state } = await create({ policies: [manage] });
    stored(id).policies?.[0]?.permissions.push("control-plane:service:manage-backups");
    expect(await inputsAfterRefresh(id, state)).to.deep.equal({
      ...readers,
      policies: [
        {
          ...manage,
          permissions: [
            "control-plane:service:manage",
            "control-plane:service:delete",
            "control-plane:service:manage-backups",
          ],
        },
      ],
    });
  });

  it("a permission that the service adds again when it leaves the program is no drift", async () => {
    const permissions = [...manage.permissions, "control-plane:service:delete"];
    const { id, state } = await create({ policies: [{ ...manage, permissions }] });
    const { session, warnings } = open();
    const updated = await resource.update(id, state, { ...readers, policies: [manage] }, session);
    expect(warnings).to.deep.equal([]);
    expect(await inputsAfterRefresh(id, updated)).to.deep.equal({ ...readers, policies: [manage] });
  });

  it("database grants that somebody adds to a role are drift", async () => {
    const { id, state } = await create();
    const [policy] = stored(id).policies ?? [];
    Object.assign(policy ?? {}, { tags: { grants: ["GRANT SELECT ON default.*"] } });
    expect(await inputsAfterRefresh(id, state)).to.deep.equal({
      ...readers,
      policies: [{ ...view, tags: { grants: ["GRANT SELECT ON default.*"] } }],
    });
  });

  it("an update of a role keeps its actors", async () => {
    const { id, state } = await create();
    const key = await service.create(open().session, "ApiKey", { roles: undefined, assignedRoleIds: [id] });
    await update(id, state, { policies: [ofOrganization] });
    expect(service.bodiesOf("updateRole")).to.deep.equal([{ name: "Readers", policies: [ofOrganization] }]);
    expect(store.keys.get(key.id)?.assignedRoles?.map(({ roleId }) => roleId)).to.deep.equal([id]);
  });

  it("a role whose create loses its answer is adopted with the permissions that the service has added", async () => {
    service.courses.push({ answer: reset });
    const { id, notices } = await create({ policies: [manage] });
    expect(custom().map((role) => role.id)).to.deep.equal([id]);
    expect(notices.join()).to.match(/was created although the answer was lost/);
  });

  it("a create of a role whose answer is lost does not adopt a role with the same name and other policies", async () => {
    service.courses.push({
      carriedOut: false,
      meanwhile: async () => {
        await create({ policies: [ofOrganization] });
      },
    });
    const failure = await failureOf(create());
    expect(failure.message).to.match(/The service may have turned it into one of these/);
    expect(custom()).to.have.length(1);
  });

  it("a role is deleted, unless the key that signs the requests has it", async () => {
    const { id, state } = await create();
    const [key] = store.keys.values();
    Object.assign(key ?? {}, {
      assignedRoles: [adminRole, id].map((roleId) => ({ roleId, roleName: "", roleType: "" })),
    });
    expect((await failureOf(resource.delete(id, state, open().session))).message).to.match(
      /is not deleted: key \S+ is the one that signs the requests/,
    );
    expect(custom()).to.have.length(1);
    delete key?.assignedRoles;
    await resource.delete(id, state, open().session);
    expect(custom()).to.deep.equal([]);
  });

  /** Replaces properties of roles in the answers of some operations; undefined removes a property. */
  const hide = (operations: RegExp, members: PropertyMap) => {
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      if (!operations.test(operation) || typeof answer === "function") return answer;
      const body = JSON.parse(String(answer.body)) as { result: PropertyMap | PropertyMap[] };
      for (const each of [body.result].flat()) Object.assign(each, members);
      return { ...answer, body };
    };
  };

  it("the deletion of a role fails if a read does not show the role's actors", async () => {
    const { id, state } = await create();
    const [key] = store.keys.values();
    const assignedRoles = [adminRole, id].map((roleId) => ({ roleId, roleName: "", roleType: "" }));
    Object.assign(key ?? {}, { assignedRoles });
    hide(/^listRoles$/, { actors: [] });
    expect((await failureOf(resource.delete(id, state, open().session))).message).to.match(
      /is the one that signs the requests/,
    );
    hide(/Role/, { actors: undefined });
    expect((await failureOf(resource.delete(id, state, open().session))).message).to.match(
      /does not show the actors of role/,
    );
    expect(custom()).to.have.length(1);
  });

  it("the create of a role warns only of what a read after its answer lacks, too", async () => {
    hide(/^createRole$/, { policies: [] });
    const first = await create();
    expect(first.warnings).to.deep.equal([]);
    const tags = { grants: ["GRANT SELECT ON default.*"] };
    service.rewrite(/Role/, /"GRANT SELECT ON default\.\*"/, "");
    const { id, warnings } = await create({ name: "Others", policies: [{ ...view, tags }] });
    expect(warnings).to.deep.equal([
      `role ${id}: after this update, the list policies of the service lacks GRANT SELECT ON default.*; the next update after a refresh mends it`,
    ]);
  });

  it("pulumi import refuses a system role", async () => {
    const failure = await failureOf(resource.read(adminRole, { organizationId }, open().session));
    expect(failure.message).to.match(/is a system role, which nobody can change; refer to it by getRole/);
  });

  const failures = async (changed: PropertyMap) => {
    const checked = await resource.check({}, { ...readers, ...changed }, open().session);
    return checked.failures.map(({ path, message }) => `${path} ${message}`.trim());
  };

  describe("and the scopes of their policies", () => {
    const other = { organizationId: serviceId, policies: [ofOrganization] };

    it("the check of a role refuses permissions of two scopes in one policy", async () => {
      const mixed = { ...view, permissions: [...view.permissions, ...ofOrganization.permissions] };
      expect(await failures({ policies: [mixed] })).to.deep.equal([
        "policies[0].permissions[2] does not have the scope of the first permission: a policy is either about the organization or about services; declare two policies",
      ]);
      expect(service.requests).to.deep.equal([]);
    });

    it("the check of a role refuses resources that the scope of a policy does not have", async () => {
      expect(
        (await failures({ policies: [{ ...view, resources: ofOrganization.resources }] })).join(),
      ).to.match(/^policies\[0\]\.resources\[0\] must be instance\/<id>/);
      for (const resource of ["organization/*", "instance/*", `organization/${serviceId}`])
        expect(
          (await failures({ policies: [{ ...ofOrganization, resources: [resource] }] })).join(),
          resource,
        ).to.match(
          /^policies\[0\]\.resources\[0\] must be organization\/<id> with the id of the organization/,
        );
      expect((await failures(other)).join()).to.match(/must be organization\/<id>/);
      expect(service.requests).to.deep.equal([]);
    });

    it("the check of a role accepts all resources that the scope of a policy may have", async () => {
      const open = [
        { ...view, resources: ["instance/*"] },
        { ...view, resources: [unknown, unknown] },
        ofOrganization,
      ];
      expect(await failures({ policies: open })).to.deep.equal([]);
      const own = { ...ofOrganization, resources: [`organization/${serviceId}`] };
      expect(await failures({ ...other, policies: [own] })).to.deep.equal([]);
      expect(await failures({ organizationId: unknown, policies: [own] })).to.deep.equal([]);
      expect(service.requests).to.deep.equal([]);
    });
  });

  it("the preview of a role refuses system roles", async () => {
    expect(await failures({ adoptId: adminRole })).to.deep.equal([
      `role ${adminRole} is a system role, which nobody can change; refer to it by getRole, and give it to keys and members with RoleAssignment`,
    ]);
  });
});
