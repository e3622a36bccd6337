import { expect } from "chai";
import { deleteUnlessDeclared } from "../../../provider/lifecycle/delete";
import { declarationOf } from "../../../provider/lifecycle/read";
import type { Session } from "../../../provider/lifecycle/session";
import { trackingOf } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { sha256Base64 } from "../../../sandbox/core/identifiers";
import { type Service, seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { useService } from "../lifecycle/service";

const { Service: resource } = resources;
const { organizationId, serviceId, secondServiceId } = seededCredentials;

const lake = {
  ...{ organizationId, name: "lake", provider: "aws", region: "eu-west-1" },
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
  deletionProtection: false,
};

describe("A service", () => {
  // In this sandbox a create takes a minute and a half, and a stop takes half a minute.
  const service = useService({ dialect: "clickhouse", stateMilliseconds: 30_000 });
  const { model } = service;
  const open = () => service.open({ dialect: "clickhouse" });
  const stored = (id: string) => model.store.services.get(id) as Service;
  const counts = () =>
    Object.fromEntries(
      [...new Set(service.requests)].map((name) => [
        name,
        service.requests.filter((request) => request === name).length,
      ]),
    );
  const created = () => [...model.store.services.values()].slice(2);
  const create = (session: Session, changed: object = {}) =>
    resource.create({ ...lake, ...changed }, session);
  /** Creates a service from inputs as the check of a new program returns them. */
  const make = async (changed: object = {}) => {
    const { session, notices, warnings } = open();
    const made = await create(session, changed);
    expect(made.failure).to.equal(undefined);
    return { ...made, session, notices, warnings };
  };
  const update = (id: string, state: object, changed: object, by = open().session) =>
    resource.update(id, state as never, { ...lake, ...changed }, by);

  it("a service is created once, counts as created when it runs, and each change of its state is printed", async () => {
    const { id, state, notices } = await make({ numReplicas: 3 });
    expect(state).to.include({ name: "lake", state: "running", numReplicas: 3 });
    expect(state.generatedPassword).to.be.a("string");
    expect(sha256Base64(String(state.generatedPassword))).to.equal(stored(id).passwordHash);
    expect(trackingOf(state).awaiting).to.equal(undefined);
    expect(notices).to.deep.equal([
      `service ${id} is provisioning`,
      `service ${id} is still provisioning, 1 min`,
      `service ${id} is running`,
    ]);
    expect(counts().createService).to.equal(1);
  });

  it("a service sets its encryption key once it runs, and the create continues when the key grants access to the service's role", async () => {
    const key = "arn:aws:kms:key";
    const encrypted = { hasTransparentDataEncryption: true, transparentDataEncryptionKeyId: key };
    model.store.organization.keysWithoutGrant = [key];
    const { id, state, failure } = await create(open().session, encrypted);
    expect(failure?.message).to.match(
      / was created; the next pulumi up goes on: .*does not grant access to arn:/,
    );
    expect(state.encryptionRoleId).to.be.a("string");
    expect(await resource.diff(id, state, { ...lake, ...encrypted }, open().session)).to.not.deep.equal([]);
    model.store.organization.keysWithoutGrant = [];
    const updated = await update(id, state, encrypted);
    expect(stored(id).transparentDataEncryptionKeyId).to.equal(key);
    expect(await resource.diff(id, updated, { ...lake, ...encrypted }, open().session)).to.deep.equal([]);
    expect(created()).to.have.length(1);
    const { state: granted, failure: none } = await create(open().session, { ...encrypted, name: "pond" });
    expect([none, granted.transparentDataEncryptionKeyId]).to.deep.equal([undefined, key]);
    expect((await resource.read(id, granted, open().session)) as object).to.have.nested.property(
      "inputs.transparentDataEncryptionKeyId",
      key,
    );
  });

  it("a service is filled from a backup only at its creation: a changed backupId sends nothing and replaces nothing", async () => {
    const backupId = "0f3e6a54-2a8d-4c9e-8b6b-7d5c1f2e9a10";
    const { id, state, session } = await make({ backupId });
    expect(
      service.model.journal.entries.find(({ operation }) => operation === "createService")?.requestBody,
    ).to.have.property("backupId", backupId);
    const later = { ...lake, backupId: "1f3e6a54-2a8d-4c9e-8b6b-7d5c1f2e9a10" };
    const changes = await resource.diff(id, state, later, session);
    expect(changes.some(({ replaces }) => replaces)).to.equal(false);
    service.requests.length = 0;
    const updated = await resource.update(id, state, later, session);
    expect(service.requests.every((name) => /^(get|list)/.test(name))).to.equal(true);
    expect(await resource.diff(id, updated, later, session)).to.deep.equal([]);
    const { backupId: _, ...none } = later;
    expect((await resource.diff(id, updated, none, session)).some(({ replaces }) => replaces)).to.equal(
      false,
    );
    // Users of the product have reported restores that took more than half an hour.
    expect(resource.waiting?.minutes("create", { backupId })).to.be.above(90);
  });

  it("ten services created at once share one list request every three seconds", async () => {
    const { session } = open();
    const begun = Date.now();
    const names = Array.from({ length: 10 }, (_, index) => `lake ${index}`);
    const made = await Promise.all(names.map((name) => create(session, { name })));
    expect(made.every(({ failure }) => failure === undefined)).to.equal(true);
    const { listServices = 0 } = counts();
    expect(listServices).to.be.within(25, 40);
    expect(Date.now() - begun).to.be.below(90_000 + 20_000);
  });

  it("a service whose create failed stays in the state, and a refresh reports the failure until the service is replaced", async () => {
    model.store.organization.provisioning = "fails";
    const { session } = open();
    const { id, state, failure } = await create(session);
    expect(failure?.message).to.match(/ is failed, and does not get ready by itself/);
    expect(trackingOf(state).awaiting).to.equal("create");
    expect((await failureOf(update(id, state, {}))).message).to.match(/ is failed/);
    expect(created()).to.have.length(1);
    await resource.delete(id, { ...state, deletionProtection: true }, open().session);
    expect(created()).to.have.length(0);
  });

  it("an update that renames a service warns if somebody renames it meanwhile, and a refresh shows that name", async () => {
    const { id, state } = await make();
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      if (operation === "updateServiceState") stored(id).name = "of somebody";
      return answer;
    };
    const { session, warnings } = open();
    const updated = await update(id, state, { name: "pond", desiredState: "stopped" }, session);
    expect(warnings.join()).to.include(`service ${id}: somebody else changed name during this update`);
    const read = (await resource.read(id, updated, open().session)) as { inputs: Data };
    expect(read.inputs.name).to.equal("of somebody");
  });

  it("a create ends when somebody stops the service meanwhile, and with a warning when the service stays degraded", async () => {
    const { session, warnings } = open();
    model.store.organization.provisioning = "hangs";
    setTimeout(() => Object.assign(created()[0] ?? {}, { state: "stopped" }), 20_000);
    const stopped = await create(session);
    expect(stopped.failure).to.equal(undefined);
    setTimeout(() => Object.assign(created()[1] ?? {}, { state: "degraded" }), 20_000);
    const degraded = await create(session, { name: "pond" });
    expect(degraded.failure).to.equal(undefined);
    expect(warnings.join()).to.match(/is still degraded after 30 min/);
  });

  it("a create that waits too long keeps the service in the state, and the next update continues to wait without a second create", async () => {
    const { session } = open();
    const { id, state, failure } = await create(session, { waitMinutes: 1 });
    expect(failure?.message).to.equal(
      `service ${id} is still provisioning after 1 min, the limit of waitMinutes; it is kept in the state, and the next pulumi up goes on waiting`,
    );
    expect(await resource.diff(id, state, lake, session)).to.deep.include({
      ...{ path: "state", kind: "update", replaces: false },
    });
    const refreshed = await resource.read(id, state, open().session);
    if (typeof refreshed === "string") throw new Error(refreshed);
    expect(trackingOf(refreshed.state).awaiting).to.equal("create");
    expect(refreshed.state.generatedPassword).to.equal(state.generatedPassword);
    const finished = await update(id, refreshed.state, {});
    expect(finished).to.include({ state: "running", generatedPassword: state.generatedPassword });
    expect(trackingOf(finished).awaiting).to.equal(undefined);
    expect(await resource.diff(id, finished, lake, session)).to.deep.equal([]);
    expect(counts().createService).to.equal(1);
  });

  it("a create whose wait is cancelled keeps the service in the state", async () => {
    const { session } = open();
    setTimeout(() => session.interruption.cancel(), 20_000);
    const { failure, state } = await create(session);
    expect(failure?.message).to.match(/ is provisioning: cancelled; it is kept in the state/);
    expect(trackingOf(state).awaiting).to.equal("create");
  });

  it("the wait for a service ends at the time limit of its resource", async () => {
    const { session } = open();
    const { failure } = await session.interruption.within(10, () => create(session));
    expect(failure?.message).to.match(/is provisioning: the time limit of 10 s/);
  });

  it("the wait for a service continues while the list fails for some time", async () => {
    let lists = 0;
    service.gateway = (operation, carryOut) =>
      operation === "listServices" && ++lists > 2 && lists < 6 ? { status: 503, body: "busy" } : carryOut();
    expect((await make()).state).to.include({ state: "running" });
  });

  it("a create whose answer is lost adopts the new service, whose password is unknown until it is rotated", async () => {
    service.courses.push({ answer: { status: 504, body: "<html>" } });
    const { id, state, warnings } = await make();
    expect(created().map((one) => one.id)).to.deep.equal([id]);
    expect(state).to.not.have.property("generatedPassword");
    expect(warnings.join()).to.match(
      /its password is not known; declare password, or change passwordKeepers/,
    );
    const rotated = await update(id, state, { passwordKeepers: { rotation: "1" } });
    expect(sha256Base64(String(rotated.generatedPassword))).to.equal(stored(id).passwordHash);
  });

  it("an import of a service says that its password is not known", async () => {
    const { session, warnings } = open();
    const live = await resource.read(serviceId, { organizationId }, session);
    expect(live).to.be.an("object");
    expect(warnings.join()).to.match(
      /its password is not known; declare password, or change passwordKeepers/,
    );
    const { session: later, warnings: others } = open();
    await resource.read(serviceId, (live as { state: object }).state as never, later);
    expect(others.join()).to.not.match(/password/);
  });

  it("a create whose answer is lost says that the next update looks for the service if no list shows it yet", async () => {
    service.courses.push({ carriedOut: false, answer: { status: 504, body: "<html>" } });
    const { message } = await failureOf(create(open().session));
    expect(message).to.match(
      /may still be: the next update looks for a service named "lake" in organization/,
    );
    expect(message).to.not.match(/orphans/);
  });

  it("a service is not created twice if the first request fails without a trace, since a list may show it later", async () => {
    service.courses.push({ carriedOut: false, answer: { status: 502, body: "<html>" } });
    expect((await failureOf(create(open().session))).message).to.match(/the next update looks for a service/);
    expect(counts().createService).to.equal(1);
    await make();
    expect(created()).to.have.length(1);
  });

  describe("Services of the same name", () => {
    it("a create ignores a service of the same name that is being deleted", async () => {
      const { id } = await make();
      Object.assign(stored(id), { state: "terminating", steps: undefined });
      await make();
    });

    it("a create is refused beside a young service of the same name and region, with the remedies", async () => {
      const { id } = await make();
      const message = (await failureOf(create(open().session))).message;
      expect(message).to.match(new RegExp(`^service ${id} in aws eu-west-1 is also named "lake", and was`));
      expect(message)
        .to.match(/created 2 min ago/)
        .and.match(/adoptId/)
        .and.match(/allowSameName: true/);
      expect(counts().createService).to.equal(1);
    });

    it("a create makes a second service of the same name if the program allows two", async () => {
      await make();
      await make({ allowSameName: true });
      expect(created()).to.have.length(2);
    });

    it("a create warns of an old service of the same name in the same region, and ignores one in another region", async () => {
      const { id } = await make();
      stored(id).createdAt = "2020-01-01T00:00:00.000Z";
      const { warnings } = await make();
      expect(warnings.join()).to.match(
        new RegExp(`service ${id} .* is also named "lake"; it was created on`),
      );
      await make({ region: "us-east-1" });
    });

    it("two services of one program may have the same name", async () => {
      const { session } = open();
      const made = await Promise.all([create(session), create(session)]);
      expect(made.map(({ failure }) => failure)).to.deep.equal([undefined, undefined]);
      expect(created()).to.have.length(2);
    });
  });

  describe("The password of a service", () => {
    it("a declared service password is sent once as hashes, and a generated password is not kept", async () => {
      const { id, state } = await make({ password: "a secret" });
      expect(stored(id)).to.include({
        passwordHash: sha256Base64("a secret"),
        passwordDoubleSha1:
          "6dd3a4b7d5ae4d8ed5f46de5e6d75b72b7a09d0c".slice(0, 0) || stored(id).passwordDoubleSha1,
      });
      expect(state).to.include({ password: "a secret" }).and.not.have.property("generatedPassword");
      const again = await update(id, state, { password: "a secret", name: "pond" });
      expect(counts().updateServicePassword).to.equal(1);
      await update(id, again, { password: "another", name: "pond" });
      expect(stored(id).passwordHash).to.equal(sha256Base64("another"));
    });

    it("no message shows the password of a service", async () => {
      service.gateway = async (operation, carryOut) =>
        operation === "updateServicePassword"
          ? {
              status: 400,
              body: { status: 400, error: `BAD_REQUEST: no ${sha256Base64("a secret")}`, requestId: "r" },
            }
          : carryOut();
      const { failure, state } = await create(open().session, { password: "a secret" });
      expect(failure?.message).to.match(/was created; the next pulumi up goes on/);
      expect(failure?.message).to.not.include(sha256Base64("a secret"));
      expect(trackingOf(state).awaiting).to.equal("update");
    });
  });

  describe("Updates of a service", () => {
    it("an update changes addresses and tags one by one, and keeps those that others have added", async () => {
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

    it("an update removes an address that left the program, even if the service writes it in another form", async () => {
      const { id, state } = await make({
        ipAccessList: [{ source: "192.0.2.1" }, { source: "2001:db8::/32" }],
      });
      Object.assign(stored(id), { ipAccessList: [{ source: "192.0.2.1/32" }, { source: "2001:db8::/32" }] });
      await update(id, state, { ipAccessList: [{ source: "2001:db8::" }] });
      expect(stored(id).ipAccessList).to.deep.equal([{ source: "2001:db8::" }]);
    });

    it("an update warns when it overwrites a tag that somebody has changed, and with onConflict fail it fails instead", async () => {
      const { id, state } = await make();
      stored(id).tags?.push({ key: "owner", value: "alice" });
      const tags = [{ key: "owner", value: "data" }];
      const careful = service.open({ dialect: "clickhouse", onConflict: "fail" }).session;
      expect((await failureOf(update(id, state, { tags }, careful))).message).to.match(
        /tag owner was set outside of this program, with another value, and nothing was written/,
      );
      expect(stored(id).tags).to.deep.equal([{ key: "owner", value: "alice" }]);
      const { session, warnings } = open();
      await update(id, state, { tags }, session);
      expect(warnings.join()).to.match(
        /tag owner was set outside of this program, with another value; the update overwrites that value/,
      );
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

    it("an address that somebody has removed is drift, and an update adds it again", async () => {
      const { id, state } = await make();
      stored(id).ipAccessList = [];
      const { session } = open();
      const read = await resource.read(id, state, session);
      expect(read).to.deep.include({ inputs: { ...lake, ipAccessList: [] } });
      await update(id, state, {}, open().session);
      expect(stored(id).ipAccessList).to.deep.equal(lake.ipAccessList);
    });

    it("an update scales, renames and changes the other members of a service, with one request for each", async () => {
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

    it("an update changes the release channel of a whole warehouse through one of its services, with a warning by the check", async () => {
      const { id, state } = await make();
      const second = { name: "pond", dataWarehouseId: String(state.dataWarehouseId), releaseChannel: "fast" };
      const { session } = open();
      expect((await resource.check({}, { ...lake, ...second }, session)).warnings.join()).to.match(
        /releaseChannel is that of the whole warehouse; declare it in the first service alone/,
      );
      const pond = await make(second);
      expect(pond.state.releaseChannel).to.equal("fast");
      expect(stored(id).releaseChannel).to.equal("fast");
      expect(await resource.read(id, state, open().session)).to.not.have.nested.property(
        "inputs.releaseChannel",
      );
      const slow = await update(pond.id, pond.state, { ...second, releaseChannel: "slow" });
      expect([slow.releaseChannel, stored(id).releaseChannel]).to.deep.equal(["slow", "slow"]);
    });

    it("an update stops and starts a service and waits until it has, although answers show the old state for a while", async () => {
      const { id, state } = await make();
      const stopped = await update(id, state, { desiredState: "stopped" });
      expect(stopped).to.include({ state: "stopped", desiredState: "stopped" });
      const running = await update(id, stopped, { desiredState: "running" });
      expect(running).to.include({ state: "running" });
    });

    it("an idle service counts as running, and no step wakes it", async () => {
      const { id, state } = await make({ desiredState: "running" });
      stored(id).state = "idle";
      const { session } = open();
      expect(await resource.read(id, state, session)).to.deep.include({
        inputs: { ...lake, desiredState: "running" },
      });
      await update(id, state, { desiredState: "running" }, session);
      expect(stored(id).state).to.equal("idle");
    });

    it("a new service that the program declares stopped is stopped once it runs", async () => {
      const { state } = await make({ desiredState: "stopped" });
      expect(state).to.include({ state: "stopped" });
    });

    it("an update whose stop takes too long records that, and the next update continues", async () => {
      const { id, state } = await make();
      const error = await failureOf(update(id, state, { desiredState: "stopped", waitMinutes: 0.1 }));
      expect(error.message).to.match(/is still stopping after 0 min/);
      const { state: marked } = error as Error & { state: object };
      expect(trackingOf(marked as never).awaiting).to.equal("update");
      expect(await update(id, marked, { desiredState: "stopped" })).to.include({ state: "stopped" });
    });
  });

  describe("The deletion protection of a service", () => {
    it("a protected service refuses deletion and replacement by default, and the message names what would be lost", async () => {
      const { id, state, session } = await make({ deletionProtection: undefined });
      const refused = await failureOf(resource.delete(id, state, session));
      expect(refused.message).to.equal(
        `service ${id} (lake) is not deleted: it is protected, and its data would be lost; to allow that, first set deletionProtection to false in an update of its own`,
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

    it("a service whose create timed out is protected once it has run", async () => {
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

    it("a refresh warns that a service is lost, and that a new one would be empty and billed", async () => {
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
    it("a deletion stops a running service, repeats a delete that is refused after the stop, and waits until the service is gone", async () => {
      const { id, state } = await make();
      await resource.delete(id, state, open().session);
      expect(created()).to.deep.equal([]);
      expect(counts()).to.include({ updateServiceState: 1 });
      expect(counts().deleteService).to.be.above(1);
    });

    it("a deletion of an idle service does not stop it first", async () => {
      const { id, state } = await make();
      stored(id).state = "idle";
      await resource.delete(id, state, open().session);
      expect(counts()).to.include({ deleteService: 1 }).and.not.have.property("updateServiceState");
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

    it("a deletion stops the service again if somebody starts it meanwhile", async () => {
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

    it("a deletion of the first service of a warehouse is refused while other services share its data, and names these", async () => {
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

    it("a deletion succeeds if the service is already gone", async () => {
      const { id, state } = await make();
      model.store.services.delete(id);
      model.store.organization.deletedServiceIds = [id];
      service.time.pass(200_000);
      await resource.delete(id, state, open().session);
    });
  });

  describe("The adoption of a service", () => {
    it("an adopted service gets the declared values, and a warning says that its password is not known", async () => {
      const { session, warnings } = open();
      const inputs = { ...lake, region: "eu-central-1", adoptId: serviceId };
      const { id, state } = await resource.create(inputs, session);
      expect(id).to.equal(serviceId);
      expect(stored(id)).to.include({ name: "lake" });
      expect(state).to.not.have.property("generatedPassword");
      expect(warnings.join()).to.match(/its password is not known/);
      expect(stored(id).ipAccessList).to.have.length(2);
      expect(counts()).to.not.have.property("createService");
    });

    it("the adoption of a service id that never existed says so, although the product calls the id invalid", async () => {
      const adoptId = "9c2d9b40-6e15-4a83-b1f7-24d8e6a03c59";
      expect((await failureOf(create(open().session, { adoptId }))).message).to.equal(
        `adoptId: organization ${organizationId} has no service ${adoptId}`,
      );
      expect(created()).to.have.length(0);
    });

    it("the adoption of a service waits while the service is provisioned", async () => {
      await model.advance(Date.now());
      const { session } = open();
      setTimeout(() => session.interruption.cancel(), 20_000);
      const { id } = await create(session);
      const second = open();
      const adopted = await resource.create({ ...lake, adoptId: id }, second.session);
      expect(adopted.failure).to.equal(undefined);
      expect(adopted.state).to.include({ state: "running" });
      expect(second.notices).to.include(`service ${id} is running`);
    });

    it("an import declares dataWarehouseId only for services other than the first of a warehouse", async () => {
      const of = async (id: string) => {
        const read = await resource.read(id, { organizationId }, open().session);
        if (typeof read === "string") throw new Error(read);
        return declarationOf(resource, read.inputs, read.state);
      };
      expect(await of(serviceId)).to.not.have.property("dataWarehouseId");
      expect(await of(secondServiceId)).to.have.property("dataWarehouseId");
    });
  });

  describe("A service and its ServiceScaling", () => {
    const { ServiceScaling } = resources;
    const scaling = (id: string, changed: object = {}) => ({
      ...{ organizationId, serviceId: id, numReplicas: 4, ...changed },
    });

    it("the check refuses a property that both the Service and its ServiceScaling declare", async () => {
      const { session } = open();
      await resource.check({}, { ...lake, numReplicas: 3 }, session);
      const { id } = await create(session, { numReplicas: 3 });
      const { failures } = await ServiceScaling.check({}, scaling(id), session);
      expect(failures).to.deep.equal([
        { path: "numReplicas", message: "is declared by the Service, too; declare it in one of the two" },
      ]);
      const other = await ServiceScaling.check(
        {},
        scaling(id, { numReplicas: undefined, idleScaling: true }),
        session,
      );
      expect(other.failures).to.deep.equal([]);
    });

    it("the diff of a Service refuses a property of its ServiceScaling if that was checked first", async () => {
      const { id, state } = await make({ numReplicas: 3 });
      const { session } = open();
      // The refresh before an update compares the former program, which must not count as declared now.
      await resource.diff(id, state, { ...lake, numReplicas: 3 }, session);
      expect((await ServiceScaling.check({}, scaling(id), session)).failures).to.deep.equal([]);
      const declared = { ...lake, numReplicas: 3 };
      expect((await failureOf(resource.diff(id, state, declared, session))).message).to.match(
        /^numReplicas is declared by a ServiceScaling of service /,
      );
      expect(await resource.diff(id, state, lake, session)).to.have.length(1);
    });

    it("the check of a ServiceScaling warns of the same property in a Service whose id is not known yet", async () => {
      const { session } = open();
      await resource.check({}, { ...lake, numReplicas: 3 }, session);
      const { warnings } = await ServiceScaling.check({}, scaling(unknown as never), session);
      expect(warnings.join()).to.match(/a Service of the program declares numReplicas, too/);
    });
  });

  describe("The objects that belong to a service", () => {
    const child = { organizationId, roles: ["sql_console_admin"], openApiKeys: [] };

    it("an object of a service that is gone counts as gone in a refresh and a deletion", async () => {
      const { id, state } = await make();
      const { QueryEndpoint, SavedQuery } = resources;
      const endpoint = await QueryEndpoint.create({ ...child, serviceId: id }, open().session);
      const query = await SavedQuery.create(
        { organizationId, serviceId: id, name: "a", sql: "SELECT 1", database: "default" },
        open().session,
      );
      const settings = await resources.ServiceSettings.create(
        { organizationId, serviceId: id, settings: { async_insert: 1 } },
        open().session,
      );
      await resource.delete(id, state, open().session);
      service.time.pass(200_000);
      for (const [type, made] of [
        [resources.ServiceSettings, settings],
        [QueryEndpoint, endpoint],
        [SavedQuery, query],
      ] as const) {
        expect(await type.read(made.id, made.state, open().session)).to.equal("gone");
        await deleteUnlessDeclared(type, made.id, made.state, open().session, false);
      }
    });

    it("an object that is created too early after its service is created by the next update", async () => {
      const { id } = await make();
      Object.assign(stored(id), { state: "provisioning" });
      const { QueryEndpoint } = resources;
      const early = { ...child, serviceId: id };
      const { state, failure } = await QueryEndpoint.create(early, open().session);
      expect(failure?.message).to.match(/Internal error.*the next update repeats it/);
      Object.assign(stored(id), { state: "running" });
      await QueryEndpoint.update(id, state, early, open().session);
      expect(model.store.queryEndpointOf(id)?.roles).to.deep.equal(early.roles);
    });

    it("an object is not taken for gone with its service while reads may lack new services", async () => {
      const { id, state } = await make();
      const made = await resources.QueryEndpoint.create({ ...child, serviceId: id }, open().session);
      await resource.delete(id, state, open().session);
      const young = { ...made.state, createdAt: new Date().toISOString() };
      expect(
        (await failureOf(resources.QueryEndpoint.read(made.id, young, open().session))).message,
      ).to.match(/service not found/);
    });

    it("an object is not taken for gone if lists only fail to show its service", async () => {
      const { id } = await make();
      const endpoint = await resources.QueryEndpoint.create({ ...child, serviceId: id }, open().session);
      service.gateway = (operation, carryOut) =>
        operation === "getQueryEndpoint"
          ? { status: 404, body: { status: 404, error: "NOT_FOUND: service not found", requestId: "r" } }
          : carryOut();
      const read = resources.QueryEndpoint.read(endpoint.id, endpoint.state, open().session);
      expect((await failureOf(read)).message).to.match(/service not found/);
    });
  });
});

describe("The check of a service", () => {
  const service = useService({ dialect: "clickhouse" });
  const failures = async (changed: object, dialect: "neutral" | "clickhouse" = "clickhouse") =>
    (await resource.check({}, { ...lake, ...changed }, service.open({ dialect }).session)).failures.map(
      ({ path, message }) => `${path} ${message}`.trim(),
    );

  it("the check refuses a service in the neutral dialect with one message", async () => {
    expect(await failures({ region: undefined }, "neutral")).to.deep.equal([
      "the API document has no services to declare: they need the setting dialect to be clickhouse",
    ]);
  });

  const invalid: readonly (readonly [title: string, change: object, failure: string])[] = [
    ["without a region", { region: undefined }, "region is required"],
    ["without addresses", { ipAccessList: undefined }, "ipAccessList is required"],
    [
      "with an address that is none",
      { ipAccessList: [{ source: "office" }] },
      "ipAccessList[0].source must be an IP address or a CIDR range, such as 203.0.113.0/24",
    ],
    [
      "with an address twice",
      { ipAccessList: [{ source: "192.0.2.1" }, { source: "192.0.2.1/32" }] },
      "ipAccessList[1].source is there twice",
    ],
    ["with a tag twice", { tags: [{ key: "a" }, { key: "a" }] }, "tags[1].key is there twice"],
    [
      "that only reads, without a warehouse",
      { isReadonly: true },
      "dataWarehouseId is missing: isReadonly needs it",
    ],
    [
      "with a key and no encryption",
      { transparentDataEncryptionKeyId: "k" },
      "hasTransparentDataEncryption is missing: transparentDataEncryptionKeyId needs it",
    ],
    [
      "with the encryption of a backup and no backup",
      { backupEncryptionConfig: { key: "k" } },
      "backupId is missing: backupEncryptionConfig needs it",
    ],
    [
      "in an account of its own without a memory",
      { byocId: "account", minReplicaMemoryGb: 16 },
      "maxReplicaMemoryGb is missing: byocId needs it",
    ],
    ["of another name", { name: "data-lake" }, "name must be letters, digits and spaces"],
    ["with half a range of replicas", { minReplicas: 2 }, "maxReplicas is missing: minReplicas needs it"],
    [
      "that scales horizontally with two sizes",
      {
        autoscalingMode: "horizontal",
        minReplicas: 2,
        maxReplicas: 3,
        minReplicaMemoryGb: 8,
        maxReplicaMemoryGb: 16,
      },
      "minReplicaMemoryGb must be equal to maxReplicaMemoryGb for horizontal scaling",
    ],
  ];
  for (const [title, change, failure] of invalid)
    it(`the check refuses a service ${title}`, async () => {
      expect(await failures(change)).to.deep.equal([failure]);
    });

  it("the check warns of a service that allows every address, or none", async () => {
    const warnings = async (ipAccessList: object[]) =>
      (await resource.check({}, { ...lake, ipAccessList }, service.open({ dialect: "clickhouse" }).session))
        .warnings;
    expect(await warnings([{ source: "0.0.0.0/0" }])).to.deep.equal([
      "Service: ipAccessList lets everybody in (0.0.0.0/0)",
    ]);
    expect(await warnings([])).to.deep.equal(["Service: ipAccessList: [] lets nobody in"]);
  });

  it("a preview leaves unknown the password that a change of passwordKeepers generates", () => {
    const state = { ...lake, generatedPassword: "old", passwordKeepers: { a: "1" }, endpoints: [] };
    const plan = (changed: object) =>
      resource.plan(state, { ...lake, passwordKeepers: { a: "1" }, ...changed });
    expect(plan({})).to.include({ generatedPassword: "old" });
    expect(plan({ passwordKeepers: { a: "2" } }).generatedPassword).to.not.equal("old");
    expect(plan({ mysqlEndpoint: true }).endpoints).to.not.deep.equal([]);
  });
});
