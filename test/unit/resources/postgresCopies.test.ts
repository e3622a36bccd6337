import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import { sha256Base64 } from "../../../sandbox/core/identifiers";
import { failureOf } from "../api/failure";
import { refused } from "../api/server";
import { addPostgres } from "./postgresService.example";
import { orders, organizationId, password, rule, usePostgres } from "./postgresSteps";

const { PostgresService: resource } = resources;

describe("A Postgres service", () => {
  const { service, model, open, stored, make } = usePostgres();

  describe("as a read replica", () => {
    const replica = { organizationId, name: "reports", deletionProtection: false };
    const parentOf = async () => (await make()).id;
    const replicate = async (readReplicaOf: string) => {
      const { session, notices } = open();
      const made = await resource.create({ ...replica, readReplicaOf }, session);
      expect(made.failure).to.equal(undefined);
      return { ...made, notices };
    };

    it("waits for the first backup of its parent", async () => {
      const parent = await parentOf();
      const { state, notices } = await replicate(parent);
      expect(notices[0]).to.include(`Postgres service ${parent} has no backup yet`);
      expect(state).to.include({ isPrimary: false, state: "running", provider: "aws", size: "r8gd.large" });
    });

    it("has no password of its own", async () => {
      const { state } = await replicate(await parentOf());
      expect(state).not.to.have.property("generatedPassword");
    });

    it("has to be deleted before its parent", async () => {
      const parent = await parentOf();
      const { id, state } = await replicate(parent);
      expect(model.store.postgresServices.size).to.equal(2);
      const deletion = await failureOf(resource.delete(parent, orders, open().session));
      expect(deletion.message).to.include(id);
      await resource.delete(id, state, open().session);
      await resource.delete(parent, orders, open().session);
      expect(model.store.postgresServices.size).to.equal(0);
    });

    it("takes other parameters alone: the check refuses other changes, before any request", async () => {
      const parent = await parentOf();
      const { id, state } = await replicate(parent);
      const program = { ...replica, readReplicaOf: parent };
      const check = async (changed: object) =>
        (await resource.check(program, { ...program, ...changed }, open().session)).failures.map(
          ({ path }) => path,
        );
      expect(await check({ name: "other" })).to.deep.equal(["name"]);
      expect(await check({ size: "r8gd.xlarge", password })).to.deep.equal(["size", "password"]);
      expect(await check({ passwordKeepers: { rotation: "2" } })).to.deep.equal(["passwordKeepers"]);
      const pgConfig = { work_mem: "8MB" };
      await resource.update(id, state, { ...program, pgConfig }, open().session);
      expect(stored(id).pgConfig).to.deep.equal(pgConfig);
    });

    it("may have its tags in another order", async () => {
      const tags = ["team", "stage"].map((key) => ({ key, value: "data" }));
      const program = { ...replica, readReplicaOf: "3d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7190", tags };
      const news = { ...program, tags: [...tags].reverse() };
      expect((await resource.check(program, news, open().session)).failures).to.deep.equal([]);
    });

    it("gets no default tags, which no update could change", async () => {
      const { session } = open({ defaultTags: { team: "core" } });
      const program = { ...replica, readReplicaOf: "3d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7190" };
      expect((await resource.check({}, program, session)).inputs).to.not.have.property("tags");
      expect((await resource.check({}, orders, session)).inputs.tags).to.have.length(1);
    });

    it("keeps the default tags that the version before has given it", async () => {
      const program = { ...replica, readReplicaOf: await parentOf() };
      const tags = [{ key: "team", value: "core" }];
      const { session } = open({ defaultTags: { team: "core" } });
      const { inputs, failures } = await resource.check({ ...program, tags }, program, session);
      expect([inputs.tags, failures]).to.deep.equal([tags, []]);
    });

    it("is promoted when readReplicaOf leaves the program", async () => {
      const { id, state } = await replicate(await parentOf());
      const { session, warnings } = open();
      expect((await resource.diff(id, state, replica, session))[0]).to.include({ replaces: false });
      expect(warnings.join()).to.include("the update promotes Postgres service");
      const promoted = await resource.update(id, state, { ...replica, name: "own" }, open().session);
      expect(promoted).to.include({ isPrimary: true, state: "running", name: "own" });
      expect(stored(id).parentId).to.equal(undefined);
    });

    it("is replaced when readReplicaOf names another parent", async () => {
      const { id, state } = await replicate(await parentOf());
      const other = { ...replica, readReplicaOf: "3d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7190" };
      expect((await resource.diff(id, state, other, open().session))[0]).to.include({ replaces: true });
    });

    describe("that somebody else has promoted", () => {
      const promoted = async () => {
        const { id, state } = await replicate(await parentOf());
        delete stored(id).parentId;
        return { id, state };
      };

      it("is named in a refresh", async () => {
        const { id, state } = await promoted();
        const { session, warnings } = open();
        await resource.read(id, state, session);
        expect(warnings.join()).to.include(
          "was promoted, and is no read replica any more: take readReplicaOf out",
        );
      });

      it("stays as it is when readReplicaOf leaves the program", async () => {
        const { id, state } = await promoted();
        await resource.update(id, state, replica, open().session);
        expect(service.bodiesOf("updatePostgresState")).to.deep.equal([]);
      });
    });
  });

  describe("restored from another one", () => {
    const source = "4d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7191";
    const program = {
      ...{ organizationId, name: "restored", deletionProtection: false, password, size: "r8gd.xlarge" },
      ...{ restoreOf: source, restoreTarget: "2026-10-01T08:00:00Z", ipAccessList: [rule] },
    };
    const restore = (changed: object = {}) => {
      addPostgres(model.store, source, "source");
      return resource.create({ ...program, ...changed }, open().session);
    };
    const restored = async (changed: object = {}) => {
      const { id, state, failure } = await restore(changed);
      expect(failure).to.equal(undefined);
      return { id, state };
    };
    const rulesOf = (id: string) => stored(id).ipAccessList.map(({ id: _, ...each }) => each);

    it("has the data of the declared time", async () => {
      await restored();
      expect(service.bodiesOf("restorePostgresService")).to.deep.equal([
        { name: "restored", restoreTarget: "2026-10-01T08:00:00Z" },
      ]);
    });

    it("gets the declared size and password", async () => {
      const { id } = await restored();
      expect(stored(id)).to.include({ size: "r8gd.xlarge", passwordHash: sha256Base64(password) });
    });

    it("lets in the declared addresses alone", async () => {
      const { id, state } = await restored();
      expect(rulesOf(id)).to.deep.equal([rule]);
      expect(state.otherAddresses).to.deep.equal([]);
    });

    it("lets nobody in with an empty list of addresses", async () => {
      const { id } = await restored({ ipAccessList: [] });
      expect(rulesOf(id)).to.deep.equal([]);
    });

    it("lets in the declared addresses alone after a creation that took too long", async () => {
      const { id, state, failure } = await restore({ waitMinutes: 1 });
      expect(failure?.message).to.include("the limit of waitMinutes");
      const { session, warnings } = open();
      await resource.update(id, state, program, session);
      expect(rulesOf(id)).to.deep.equal([rule]);
      expect(warnings.join()).to.not.include("was added outside of this program");
    });

    it("lets in the declared addresses alone after a creation whose last request failed", async () => {
      service.gateway = async (operation, carryOut) =>
        operation === "updatePostgresService"
          ? { status: 400, body: { status: 400, error: "not now" } }
          : carryOut();
      const { id, state, failure } = await restore();
      expect(failure?.message).to.include("not now");
      service.gateway = undefined;
      await resource.update(id, state, program, open().session);
      expect(rulesOf(id)).to.deep.equal([rule]);
    });

    it("keeps what others have added after a creation that failed once its own were set", async () => {
      service.gateway = (operation, carryOut) =>
        operation === "updatePostgresPassword" ? refused(400, "BAD_REQUEST: no") : carryOut();
      const { id, state } = await restore();
      service.gateway = undefined;
      stored(id).ipAccessList.push({
        id: "2d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7190",
        ...rule,
        source: "10.0.0.0/8",
      });
      await resource.update(id, state, program, open({ onConflict: "fail" }).session);
      expect(rulesOf(id)).to.deep.equal([rule, { ...rule, source: "10.0.0.0/8" }]);
    });

    it("keeps the addresses that others have added later", async () => {
      const { id, state } = await restored();
      const other = { source: "10.0.0.0/8", portRange: "5432" };
      stored(id).ipAccessList.push({ ...other, id: "2d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7190" });
      await resource.update(id, state, { ...program, size: "r8gd.large" }, open().session);
      expect(rulesOf(id)).to.have.deep.members([rule, other]);
    });

    it("is not replaced when restoreTarget changes", async () => {
      const { id, state } = await restored();
      const later = { ...program, restoreTarget: "2026-10-02T08:00:00Z" };
      expect(
        (await resource.diff(id, state, later, open().session)).some(({ replaces }) => replaces),
      ).to.equal(false);
    });

    it("may take two hours", () => {
      expect(resource.waiting?.minutes("create", program)).to.equal(120);
    });
  });
});
