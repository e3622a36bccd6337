import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { Declared } from "../drift/fixture";
import { addClickStackRole } from "./clickStackRole.example";
import { setups, useLife } from "./life";
import { clickhouse, itKeeps } from "./rules";

const { organizationId, serviceId } = seededCredentials;
const place = { organizationId, serviceId };
const placed = (program: PropertyMap) => ({ ...place, ...program });
const content = { integration: "mongodb", action: "read", subject: "Dashboard" };
const rows = {
  ...{ connectionId: "65f1c0a2b3d4e5f607182900", databaseName: "default", tableName: "otel_logs" },
  ...{ where: "ServiceName = 'payments'", whereLanguage: "sql" },
};

describe("The check of a ClickStack role", () => {
  itKeeps({ type: "ClickStackRole", settings: clickhouse }, [
    [
      { permissions: [{ ...content, rows }] },
      "permissions[0].rows is for permissions with integration clickhouse; leave it out",
    ],
    [
      { permissions: [{ ...content, integration: "clickhouse", conditions: { tags: "payments" } }] },
      "permissions[0].conditions is for permissions with integration mongodb; leave it out",
    ],
    [
      { permissions: [{ ...content, conditions: { name: "a" }, patterns: { name: { pattern: "b" } } }] },
      "permissions[0].patterns.name stands in conditions, too; declare the property in one of the two",
    ],
  ]);
});

describe("ClickStack roles of a service", () => {
  const life = useLife(setups["the product's management API alone"]);
  const program = { name: "Payments", permissions: [{ ...content, conditions: { tags: "payments" } }] };

  it("the permission to read connections that the service adds stays without drift", async () => {
    const { session, warnings } = life.opened();
    const role = new Declared("ClickStackRole", program);
    await role.up(session);
    expect(await role.refresh(session)).to.deep.equal([]);
    await new Declared("ClickStackRole", { ...program, description: "What they see" }).up(session);
    expect(warnings).to.deep.equal([]);
  });

  it("the permission that the service adds stays without drift if the service shows empty limits of it", async () => {
    const reading = { ...content, subject: "Connection" };
    for (const permissions of [program.permissions, [...program.permissions, reading]]) {
      const role = await life.applied("ClickStackRole", { ...program, permissions });
      const stored = life.sandbox.store.clickStackRoles.get(role.id)?.permissions.at(-1);
      expect(stored).to.include(reading);
      Object.assign(stored ?? {}, { fields: [], conditions: {} });
      expect(await role.refresh(life.opened().session)).to.deep.equal([]);
    }
  });

  describe("with permissions that somebody has changed", () => {
    const denied = { ...content, action: "delete", inverted: true };
    const permissions = [content, denied, { ...content, conditions: { tags: "payments" } }];
    const stored = (id: string) => life.sandbox.store.clickStackRoles.get(id)?.permissions ?? [];
    const changed = async () => {
      const role = await life.applied("ClickStackRole", { ...program, permissions });
      const [first = {}, second = {}, third = {}] = stored(role.id);
      Object.assign(first, { inverted: true });
      Object.assign(second, { fields: ["name"], conditions: { name: "drafts" } });
      Object.assign(third, { fields: [], conditions: { tags: "payments", name: "drafts" } });
      return role;
    };

    it("show what was added to a permission as drift", async () => {
      const role = await changed();
      expect(await role.refresh(life.opened().session)).to.have.members([
        ...["permissions[0].inverted", "permissions[1].fields", "permissions[1].conditions"],
        "permissions[2].conditions",
      ]);
    });

    it("lose what was added in an update, which names it", async () => {
      const role = await changed();
      const { session, warnings } = life.opened();
      await role.changedTo({ ...program, permissions, description: "What they see" }).up(session);
      expect(stored(role.id).slice(0, 3)).to.deep.equal(permissions);
      expect(warnings.join()).to.match(/somebody else changed permissions\[0\]\.inverted \(now true\)/);
    });
  });

  it("values and regular expressions of a permission are one object in requests", async () => {
    const named = { ...content, conditions: { tags: "payments" }, patterns: { name: { pattern: "^p" } } };
    const data = { ...content, integration: "clickhouse", subject: "Source", rows };
    const { id } = await life.applied("ClickStackRole", { ...program, permissions: [named, data] });
    const { connectionId: connection, databaseName, tableName, ...filter } = rows;
    expect(
      life.sandbox.store.clickStackRoles.get(id)?.permissions.map(({ conditions }) => conditions),
    ).to.deep.equal([
      { tags: "payments", name: { $regex: "^p" } },
      { connection, from: { databaseName, tableName }, ...filter },
      undefined,
    ]);
  });

  it("a predefined role can neither be adopted nor imported", async () => {
    const id = "66f0c2d8a1b2c3d4e5f60779";
    addClickStackRole(life.sandbox, { id, isPredefined: true });
    const { ClickStackRole } = resources;
    const inputs = { ...placed(program), adoptId: id };
    const why = `ClickStack role ${id} is predefined, and nobody can change it; declare a role with another name`;
    const { failures } = await ClickStackRole.check({}, inputs, life.opened().session);
    expect(failures.map(({ message }) => message)).to.deep.equal([why]);
    expect((await failureOf(ClickStackRole.create(inputs, life.opened().session))).message).to.equal(why);
    expect((await failureOf(ClickStackRole.read(id, place, life.opened().session))).message).to.equal(why);
    expect(life.bodiesOf("PUT")).to.deep.equal([]);
  });

  it("a create whose answer is lost finds its role wherever the service puts the permission that it adds", async () => {
    const { sandbox } = life;
    await sandbox.faults.set([{ kind: "reset", when: "after", operation: "createClickStackRole", nth: 1 }]);
    const end = sandbox.watch(({ method, stage }) => {
      if (method !== "POST" || stage !== "carriedOut") return;
      for (const role of sandbox.store.clickStackRoles.values()) role.permissions.reverse();
    });
    const { id } = await life.applied("ClickStackRole", program);
    end();
    expect([...sandbox.store.clickStackRoles.keys()]).to.deep.equal([id]);
  });

  it("a create that may have made a role names the command that lists it", async () => {
    const { sandbox } = life;
    await sandbox.faults.set([
      { kind: "reset", when: "after", operation: "createClickStackRole", nth: 1 },
      { kind: "500", operation: "listClickStackRoles" },
    ]);
    const failure = await failureOf(life.applied("ClickStackRole", program));
    expect(failure.message).to.include("run npx pipestack orphans --only ClickStackRole; if it lists");
  });
});
