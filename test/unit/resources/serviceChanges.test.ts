import { expect } from "chai";
import { deleteUnlessDeclared } from "../../../provider/lifecycle/delete";
import { resources } from "../../../provider/resources/registry";
import { unknown } from "../../../provider/values/unknown";
import type { Service as Stored } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { refused } from "../api/server";
import { lake, useServices } from "./serviceSteps";

const { Service: resource } = resources;
const everybody = [{ source: "0.0.0.0/0" }];
const closed = { ipAccessList: [] };

describe("Updates and deletions of a service", () => {
  const { service, model, open, stored, counts, created, create, make, update } = useServices();

  describe("Updates of a service", () => {
    it("an empty ipAccessList is sent as it is", async () => {
      const { id, state, warnings } = await make(closed);
      expect([stored(id).ipAccessList, warnings]).to.deep.equal([[], []]);
      expect(service.bodiesOf("createService")[0]).to.deep.include(closed);
      const opened = await update(id, state, { ipAccessList: [{ source: "198.51.100.7" }] });
      await update(id, opened, closed);
      expect(stored(id).ipAccessList).to.deep.equal([]);
    });

    it("a warning tells how to close a service that opens itself to everybody", async () => {
      service.gateway = async (operation, carryOut) => {
        const answer = await carryOut();
        for (const other of created()) if (operation === "createService") other.ipAccessList = everybody;
        return answer;
      };
      const { id, state, warnings } = await make(closed);
      service.gateway = undefined;
      expect(warnings).to.deep.equal([
        `service ${id} lets everybody in (0.0.0.0/0), which the program does not declare; keepOtherAddresses: false removes it`,
      ]);
      await update(id, state, { ...closed, keepOtherAddresses: false });
      expect(stored(id).ipAccessList).to.deep.equal([]);
    });

    it("an update of a service keeps the IP addresses and tags that others have added", async () => {
      const office = { source: "203.0.113.0/24", description: "office" };
      const home = { source: "198.51.100.7" };
      const { id, state } = await make({
        ...{ ipAccessList: [office, home], tags: [{ key: "team", value: "a" }, { key: "cost" }] },
      });
      const foreign = { source: "192.0.2.0/24", description: "somebody" };
      stored(id).ipAccessList.push(foreign);
      stored(id).tags?.push({ key: "foreign" });
      const { session } = open();
      expect(await resource.read(id, state, session)).to.deep.include({
        inputs: {
          ...lake,
          ipAccessList: [office, home],
          tags: [{ key: "team", value: "a" }, { key: "cost" }],
        },
      });
      const desired = {
        ipAccessList: [{ ...office, description: "headquarters" }, { source: "198.51.100.8" }],
        tags: [{ key: "team", value: "b" }, { key: "new" }],
      };
      const updated = await update(id, state, desired, session);
      expect(stored(id).ipAccessList).to.have.deep.members([...desired.ipAccessList, foreign]);
      expect(stored(id).tags).to.have.deep.members([...desired.tags, { key: "foreign" }]);
      expect(updated).to.deep.include(desired);
      await update(id, updated, { ipAccessList: desired.ipAccessList });
      expect(stored(id).tags).to.deep.equal([{ key: "foreign" }]);
    });

    describe("that overwrite a tag", () => {
      const tags = [{ key: "owner", value: "data" }];
      const tagged = async () => {
        const { id, state } = await make();
        stored(id).tags?.push({ key: "owner", value: "alice" });
        return { id, state };
      };

      it("with onConflict fail, an update does not overwrite a tag that somebody else has set", async () => {
        const { id, state } = await tagged();
        const careful = service.open({ dialect: "clickhouse", onConflict: "fail" }).session;
        expect((await failureOf(update(id, state, { tags }, careful))).message).to.match(
          /tag owner was set outside of this program, with another value, and nothing was written/,
        );
        expect(stored(id).tags).to.deep.equal([{ key: "owner", value: "alice" }]);
      });

      it("an update warns of a tag of somebody else that it overwrites", async () => {
        const { id, state } = await tagged();
        const { session, warnings } = open();
        await update(id, state, { tags }, session);
        expect(warnings.join()).to.match(
          /tag owner was set outside of this program, with another value; the update overwrites that value/,
        );
      });
    });

    it("a preview with an unknown warehouse id does not plan to replace a protected service", async () => {
      const { id, state } = await make({ deletionProtection: true });
      const inputs = { ...lake, deletionProtection: true, dataWarehouseId: unknown };
      const changes = await resource.diff(id, state, inputs, open().session);
      expect(changes.map(({ path, replaces }) => [path, replaces])).to.deep.equal([
        ["dataWarehouseId", false],
      ]);
      const known = { ...inputs, dataWarehouseId: "another" };
      expect((await failureOf(resource.diff(id, state, known, open().session))).message).to.match(
        /dataWarehouseId: the change would replace/,
      );
    });

    it("an update changes a service by one request of each kind", async () => {
      const { id, state } = await make();
      service.requests.length = 0;
      const change = {
        ...{ name: "pond", releaseChannel: "fast", enableCoreDumps: false, mysqlEndpoint: true },
        ...{ numReplicas: 4, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32 },
      };
      const updated = await update(id, state, change);
      expect(updated).to.include(change);
      expect(counts()).to.include({ updateService: 1, updateReplicaScaling: 1 });
      expect(stored(id)).to.include({ name: "pond", numReplicas: 4, maxReplicaMemoryGb: 32 });
    });

    describe("with others in its warehouse", () => {
      const first = async () => {
        const { id, state } = await make();
        const dataWarehouseId = String(state.dataWarehouseId);
        return { id, state, second: { name: "pond", dataWarehouseId, releaseChannel: "fast" } };
      };

      it("the check warns of a release channel in a service that is not the first of its warehouse", async () => {
        const { second } = await first();
        const { session } = open();
        expect((await resource.check({}, { ...lake, ...second }, session)).warnings.join()).to.match(
          /releaseChannel is that of the whole warehouse; declare it in the first service alone/,
        );
      });

      it("one service of a warehouse changes the release channel of the whole warehouse", async () => {
        const { id, state, second } = await first();
        const pond = await make(second);
        expect(pond.state.releaseChannel).to.equal("fast");
        expect(stored(id).releaseChannel).to.equal("fast");
        expect(await resource.read(id, state, open().session)).to.not.have.nested.property(
          "inputs.releaseChannel",
        );
        const slow = await update(pond.id, pond.state, { ...second, releaseChannel: "slow" });
        expect([slow.releaseChannel, stored(id).releaseChannel]).to.deep.equal(["slow", "slow"]);
      });
    });

    for (const [what, change] of Object.entries<Partial<Stored>>({
      "it idles for now": { state: "idle" },
      "it awakes for now": { state: "awaking" },
      "nothing tells what comes of its state": { state: "softdeleting" },
      "it has another version": { engineVersion: "26.9" },
      "it has a private endpoint": { privateEndpointIds: ["vpce-1"] },
      "somebody else has set its password": { passwordHash: "of somebody else" },
    }))
      it(`a refresh finds no drift of a service that the program declares running, since ${what}`, async () => {
        const { id, state } = await make({ desiredState: "running" });
        Object.assign(stored(id), change, { steps: undefined });
        expect(await resource.read(id, state, open().session)).to.deep.include({
          inputs: { ...lake, desiredState: "running" },
        });
      });

    it("an update that declares an idle service running does not wake it", async () => {
      const { id, state } = await make({ desiredState: "running" });
      stored(id).state = "idle";
      await update(id, state, { desiredState: "running" });
      expect(stored(id).state).to.equal("idle");
    });
  });

  describe("An update of a service that is on its way elsewhere", () => {
    for (const [now, next, desiredState] of [
      ["stopping", "stopped", "running"],
      ["starting", "running", "stopped"],
      ["awaking", "running", "stopped"],
      ["provisioning", "running", "stopped"],
    ] as const)
      it(`a service that is ${now} is ${desiredState} in the end where the program declares so`, async () => {
        const { id, state } = await make();
        Object.assign(stored(id), { state: now, steps: [{ state: next, at: Date.now() + 30_000 }] });
        const updated = await update(id, state, { desiredState });
        expect([updated.state, stored(id).state]).to.deep.equal([desiredState, desiredState]);
      });
  });

  describe("The deletion protection of a service", () => {
    it("a service is protected from deletion and replacement by default", async () => {
      const { id, state, session } = await make({ deletionProtection: undefined });
      const refused = await failureOf(resource.delete(id, state, session));
      expect(refused.message).to.equal(
        `service ${id} (lake) is not deleted: it is protected, and its data would be lost; to allow that, first set deletionProtection to false in an update of its own\nIf the engine has made another service in its place, its entry in the state is pending deletion, and no update reaches it: run "pulumi stack export --file state.json", remove the entry with "delete": true there, and run "pulumi stack import --file state.json"`,
      );
      const change = { ...lake, region: "us-east-1", deletionProtection: false };
      expect((await failureOf(resource.diff(id, state, change, session))).message).to.match(
        /^region: the change would replace service .*, which is protected, by an empty one, and lose its data/,
      );
      const open2 = await update(id, state, { deletionProtection: false });
      expect(await resource.diff(id, open2, change, session)).to.deep.equal([
        { path: "region", kind: "update", replaces: true },
      ]);
    });

    it("a service whose create timed out is protected from deletion and replacement once it runs", async () => {
      const { session } = open();
      const { id, state } = await create(session, { waitMinutes: 1, deletionProtection: undefined });
      service.time.pass(200_000);
      const other = open().session;
      expect((await failureOf(resource.delete(id, state, other))).message).to.match(/it is protected/);
      const change = { ...lake, region: "us-east-1" };
      expect((await failureOf(resource.diff(id, state, change, other))).message).to.match(
        /which is protected/,
      );
    });

    for (const state of ["terminating", "terminated", "softdeleting", "softdeleted"] as const)
      it(`a refresh says that a service is ${state}, which is no drift yet`, async () => {
        const made = await make({ desiredState: "running" });
        Object.assign(stored(made.id), { state, steps: undefined });
        const { session, warnings } = open();
        expect(await resource.read(made.id, made.state, session)).to.have.property("inputs");
        expect(warnings).to.deep.equal([
          `service ${made.id} (lake) is ${state}: somebody has deleted it, and its data is lost; once it is gone, the update after a refresh makes another one, which is empty and billed`,
        ]);
      });

    it("a refresh warns that the next update would replace a lost service by an empty one", async () => {
      const { id, state } = await make();
      model.store.services.delete(id);
      model.store.organization.deletedServiceIds = [id];
      service.time.pass(200_000);
      const { session, warnings } = open();
      expect(await resource.read(id, state, session)).to.equal("gone");
      expect(warnings.join()).to.match(
        /its data is lost: the next update makes another one, which is empty and/,
      );
    });
  });

  describe("The deletion of a service", () => {
    it("the deletion of a running service goes on until the service is stopped and gone", async () => {
      const { id, state } = await make();
      await resource.delete(id, state, open().session);
      expect(created()).to.deep.equal([]);
      expect(counts()).to.include({ updateServiceState: 1 });
      expect(counts().deleteService).to.be.above(1);
    });

    for (const isRunning of [true, false])
      it(`a deletion that fails says how to start the service again ${isRunning ? "if it has stopped it" : "only if it has stopped it"}`, async () => {
        const { id, state } = await make();
        if (!isRunning) stored(id).state = "stopped";
        service.gateway = (operation, carryOut) =>
          operation === "deleteService" ? refused(403, "FORBIDDEN: not for this key") : carryOut();
        const { message } = await failureOf(resource.delete(id, state, open().session));
        expect(message).to.include("not for this key");
        const advice = `service ${id} (lake) was stopped for its deletion, and is not deleted: to start it again, declare desiredState: "running" and run pulumi up --refresh`;
        expect(message.includes(advice)).to.equal(isRunning);
        service.gateway = undefined;
        const { state: known } = (await resource.read(id, state, open().session)) as { state: object };
        const updated = await update(id, known, { desiredState: "running" });
        expect(updated.state).to.equal("running");
      });

    it("a deletion of an idle service does not stop it first", async () => {
      const { id, state } = await make();
      stored(id).state = "idle";
      await resource.delete(id, state, open().session);
      expect(counts()).to.include({ deleteService: 1 }).and.not.have.property("updateServiceState");
    });

    for (const state of ["terminated", "softdeleted", "softdeleting"] as const)
      it(`a deletion of a service that somebody has deleted, so that it is ${state}, sends nothing`, async () => {
        const made = await make();
        const [next] = state === "softdeleting" ? [{ state: "softdeleted", at: Date.now() + 30_000 }] : [];
        Object.assign(stored(made.id), { state, steps: next && [next] });
        await resource.delete(made.id, made.state, open().session);
        expect(counts()).to.not.have.property("deleteService");
      });

    for (const state of ["partially_running", "stopping", "awaking"] as const)
      it(`a deletion of a service that is ${state} waits until it no longer is`, async () => {
        const made = await make();
        const steps = { stopping: "stopped", awaking: "running", partially_running: undefined }[state];
        Object.assign(stored(made.id), {
          ...{ state, since: Date.now() },
          steps: steps && [{ state: steps, at: Date.now() + 30_000 }],
        });
        await resource.delete(made.id, made.state, open().session);
        expect(created()).to.have.length(0);
      });

    it("the deletion of a service stops it again if somebody starts it meanwhile", async () => {
      const { id, state } = await make();
      stored(id).state = "stopped";
      service.gateway = (operation, carryOut) => {
        if (operation === "deleteService" && stored(id).state === "stopped" && !counts().updateServiceState)
          stored(id).state = "running";
        return carryOut();
      };
      await resource.delete(id, state, open().session);
      expect(created()).to.deep.equal([]);
      expect(counts()).to.include({ updateServiceState: 1 });
    });

    it("the primary service of a warehouse cannot be deleted while other services share its data", async () => {
      const { id, state } = await make();
      const { dataWarehouseId } = stored(id);
      const other = await make({ name: "reader", dataWarehouseId, numReplicas: 1, isReadonly: true });
      const { message } = await failureOf(resource.delete(id, state, open().session));
      expect(message)
        .to.match(/holds the data of its warehouse/)
        .and.include(other.id);
      expect(counts()).to.not.have.any.keys("deleteService", "updateServiceState");
      await resource.delete(other.id, other.state, open().session);
      await resource.delete(id, state, open().session);
      expect(created()).to.deep.equal([]);
    });

    it("the deletion of a primary service waits for a deletion in its warehouse that begins a second later", async () => {
      const primary = await make();
      const { dataWarehouseId } = stored(primary.id);
      const other = await make({ name: "reader", dataWarehouseId, numReplicas: 1, isReadonly: true });
      const { session } = open();
      const deletion = (of: typeof other) => deleteUnlessDeclared(resource, of.id, of.state, session, false);
      const later = new Promise((resolve) => setTimeout(resolve, 1000)).then(() => deletion(other));
      await Promise.all([deletion(primary), later]);
      expect(created()).to.deep.equal([]);
    });
  });
});
