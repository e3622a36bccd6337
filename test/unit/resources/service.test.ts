import { expect } from "chai";
import type { UpdatedIncompletely } from "../../../provider/lifecycle/resource";
import { trackingOf } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { sha256Base64 } from "../../../sandbox/core/identifiers";
import { failureOf } from "../api/failure";
import { refused, reset } from "../api/server";
import { lake, organizationId, serviceId, useServices } from "./serviceSteps";

const { Service: resource } = resources;

describe("The creation of a service", () => {
  const { service, model, open, stored, counts, created, create, make, update } = useServices();

  it("the create of a service prints each change of its state until the service runs", async () => {
    const { id, state, notices } = await make({ numReplicas: 3 });
    expect(state).to.include({ name: "lake", state: "running", numReplicas: 3 });
    expect(state.generatedPassword).to.be.a("string");
    expect(sha256Base64(String(state.generatedPassword))).to.equal(stored(id).passwordHash);
    expect(trackingOf(state).awaiting).to.equal(undefined);
    expect(notices).to.deep.equal([
      `service ${id} is provisioning`,
      `service ${id} is still provisioning after 1 min; the wait goes on`,
      `service ${id} is running`,
    ]);
    expect(counts().createService).to.equal(1);
  });

  describe("with an encryption key", () => {
    const key = "arn:aws:kms:key";
    const encrypted = { hasTransparentDataEncryption: true, transparentDataEncryptionKeyId: key };

    it("an update goes on with a create once the encryption key grants access to the service's role", async () => {
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
    });

    it("a create sets the encryption key that the service's role may use", async () => {
      const { id, state, failure } = await create(open().session, encrypted);
      expect([failure, state.transparentDataEncryptionKeyId]).to.deep.equal([undefined, key]);
      expect((await resource.read(id, state, open().session)) as object).to.have.nested.property(
        "inputs.transparentDataEncryptionKeyId",
        key,
      );
    });
  });

  describe("from a backup", () => {
    const backupId = "0f3e6a54-2a8d-4c9e-8b6b-7d5c1f2e9a10";

    it("a changed backupId neither changes nor replaces a service", async () => {
      const { id, state, session } = await make({ backupId });
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
    });

    // Users of ClickHouse Cloud have reported restores that took more than half an hour.
    it("the create of a service from a backup may take more than 90 minutes", () => {
      expect(resource.waiting?.minutes("create", { backupId })).to.be.above(90);
    });
  });

  describe("that fails", () => {
    const failed = async () => {
      model.store.organization.provisioning = "fails";
      return create(open().session);
    };

    it("no update mends a service whose create failed", async () => {
      const { id, state, failure } = await failed();
      expect(failure?.message).to.match(/ is failed, and does not get ready by itself/);
      expect(trackingOf(state).awaiting).to.equal("create");
      expect((await failureOf(update(id, state, {}))).message).to.match(/ is failed/);
      expect(created()).to.have.length(1);
    });

    it("a service whose create failed can be deleted in spite of its deletion protection", async () => {
      const { id, state } = await failed();
      await resource.delete(id, { ...state, deletionProtection: true }, open().session);
      expect(created()).to.have.length(0);
    });
  });

  it("an update that renames a service does not hide that somebody else has renamed it meanwhile", async () => {
    const { id, state } = await make();
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      if (operation === "updateServiceState") stored(id).name = "of somebody";
      return answer;
    };
    const { session, warnings } = open();
    const updated = await update(id, state, { name: "pond", desiredState: "stopped" }, session);
    expect(warnings.join()).to.include(`service ${id}: somebody else changed name during this update`);
    const read = (await resource.read(id, updated, open().session)) as { inputs: PropertyMap };
    expect(read.inputs.name).to.equal("of somebody");
  });

  it("an update that begins to declare running for a service that somebody has stopped warns of that", async () => {
    const { id, state } = await make();
    stored(id).state = "stopped";
    const { session, warnings } = open();
    await update(id, state, { desiredState: "running" }, session);
    expect(warnings).to.deep.equal([
      `service ${id}: somebody else changed desiredState (now "stopped") since the last deployment or refresh; the update overwrites this change`,
    ]);
  });

  describe("that somebody stops or that stays degraded", () => {
    const createAs = async (state: "stopped" | "degraded") => {
      const { session, warnings } = open();
      model.store.organization.provisioning = "hangs";
      setTimeout(() => Object.assign(created()[0] ?? {}, { state }), 20_000);
      const { failure } = await create(session);
      return { failure, warnings };
    };

    it("the create of a service ends if somebody stops the service", async () => {
      expect((await createAs("stopped")).failure).to.equal(undefined);
    });

    it("the create of a service that stays degraded ends with a warning", async () => {
      const { failure, warnings } = await createAs("degraded");
      expect(failure).to.equal(undefined);
      expect(warnings.join()).to.match(/is still degraded after 30 min/);
    });
  });

  it("an update goes on with the create of a service that waited too long", async () => {
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

  it("the password of a service adopted after a lost answer is unknown until it is rotated", async () => {
    service.courses.push({ answer: { status: 504, body: "<html>" } });
    const { id, state, warnings } = await make();
    expect(state).to.not.have.property("generatedPassword");
    expect(warnings.join()).to.match(
      /the password of service \S+ is not known; declare password, or change passwordKeepers/,
    );
    const rotated = await update(id, state, { passwordKeepers: { rotation: "1" } });
    expect(sha256Base64(String(rotated.generatedPassword))).to.equal(stored(id).passwordHash);
  });

  it("a password whose answer was lost is made anew although the program goes back", async () => {
    const { id, state } = await make({ passwordKeepers: { rotation: "1" } });
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      return operation === "updateServicePassword" ? reset : answer;
    };
    const failure = await failureOf(update(id, state, { name: "pond", passwordKeepers: { rotation: "2" } }));
    service.gateway = undefined;
    const { state: known } = failure as unknown as UpdatedIncompletely;
    const back = await update(id, known, { passwordKeepers: { rotation: "1" } });
    expect(sha256Base64(String(back.generatedPassword))).to.equal(stored(id).passwordHash);
  });

  it("a password whose request was refused is not made anew if the program goes back", async () => {
    const { id, state } = await make({ passwordKeepers: { rotation: "1" } });
    service.gateway = (operation, carryOut) =>
      operation === "updateServicePassword" ? refused(400, "BAD_REQUEST: not now") : carryOut();
    const failure = await failureOf(update(id, state, { name: "pond", passwordKeepers: { rotation: "2" } }));
    service.gateway = undefined;
    const { state: known } = failure as unknown as UpdatedIncompletely;
    const back = await update(id, known, { passwordKeepers: { rotation: "1" } });
    expect(back.generatedPassword).to.equal(state.generatedPassword);
  });

  it("an empty map of keepers makes no new password", async () => {
    const { id, state } = await make();
    const updated = await update(id, state, { passwordKeepers: {} });
    expect(updated.generatedPassword).to.equal(state.generatedPassword);
    expect(sha256Base64(String(updated.generatedPassword))).to.equal(stored(id).passwordHash);
  });

  it("pulumi import of a service says that its password is not known", async () => {
    const { session, warnings } = open();
    const live = await resource.read(serviceId, { organizationId }, session);
    expect(live).to.be.an("object");
    expect(warnings.join()).to.match(
      /the password of service \S+ is not known; declare password, or change passwordKeepers/,
    );
    const { session: later, warnings: others } = open();
    await resource.read(serviceId, (live as { state: object }).state as never, later);
    expect(others.join()).to.not.match(/password/);
  });

  it("after a lost create of a service, the error says that the next update looks for the service", async () => {
    service.courses.push({ carriedOut: false, answer: { status: 504, body: "<html>" } });
    const { message } = await failureOf(create(open().session));
    expect(message).to.match(
      /may still be: the next update looks for a service named "lake" in organization/,
    );
    expect(message).to.not.match(/orphans/);
    expect(counts().createService).to.equal(1);
  });

  describe("Services of the same name", () => {
    it("a create beside a young service of the same name and region is refused with the remedies", async () => {
      const { id } = await make();
      const message = (await failureOf(create(open().session))).message;
      expect(message).to.match(new RegExp(`^service ${id} in aws eu-west-1 is also named "lake", and was`));
      expect(message)
        .to.match(/created 2 min ago/)
        .and.match(/adoptId/)
        .and.match(/allowSameName: true/);
      expect(counts().createService).to.equal(1);
    });

    it("the create of a service makes a second one of the same name if the program allows two", async () => {
      await make();
      await make({ allowSameName: true });
      expect(created()).to.have.length(2);
    });

    it("the create of a service is refused beside an old one of the same name in the same region", async () => {
      const { id } = await make();
      stored(id).createdAt = "2020-01-01T00:00:00.000Z";
      expect((await failureOf(create(open().session))).message).to.match(
        new RegExp(`^service ${id} .* is also named "lake", .* days ago; .* \\(--replace, --taint\\)`),
      );
      await make({ region: "us-east-1" });
    });

    for (const state of ["failed", "terminating"])
      it(`the create of a service ignores one of the same name that is ${state}`, async () => {
        const { id } = await make();
        Object.assign(stored(id), { state, steps: undefined });
        await make();
      });

    it("a replacement that the program allows is made beside the service that it replaces", async () => {
      const { id, state } = await make();
      const { session } = open();
      const other = { ...lake, complianceType: "hipaa" };
      expect((await resource.diff(id, state, other, session)).some(({ replaces }) => replaces)).to.equal(
        true,
      );
      expect((await resource.create(other, session)).failure).to.equal(undefined);
    });

    it("a create with the inputs of a change is refused only if the changed service is protected", async () => {
      const { id, state } = await make({ deletionProtection: true });
      const { session } = open();
      const renamed = { ...lake, deletionProtection: true, name: "pond" };
      await resource.diff(id, state, renamed, session);
      expect((await failureOf(resource.create(renamed, session))).message).to.match(
        new RegExp(`^the engine would replace service ${id} \\(lake\\), which is protected, by an empty one`),
      );
      expect(created()).to.have.length(1);
      const unprotected = { ...renamed, deletionProtection: false };
      await resource.diff(id, { ...state, deletionProtection: false }, unprotected, session);
      expect((await resource.create(unprotected, session)).failure).to.equal(undefined);
    });

    it("two services of one program may have the same name", async () => {
      const { session } = open();
      const made = await Promise.all([create(session), create(session)]);
      expect(made.map(({ failure }) => failure)).to.deep.equal([undefined, undefined]);
      expect(created()).to.have.length(2);
    });
  });

  describe("The password of a service", () => {
    it("a declared service password is sent once as hashes", async () => {
      const { id, state } = await make({ password: "a secret" });
      expect(stored(id)).to.include({
        passwordHash: sha256Base64("a secret"),
        passwordDoubleSha1: "a27c0f16c4b35c0be4a405bb1dd3047875210753",
      });
      const again = await update(id, state, { password: "a secret", name: "pond" });
      expect(counts().updateServicePassword).to.equal(1);
      await update(id, again, { password: "another", name: "pond" });
      expect(stored(id).passwordHash).to.equal(sha256Base64("another"));
    });

    it("the state of a service with a declared password has no generated one", async () => {
      const { state } = await make({ password: "a secret" });
      expect(state).to.include({ password: "a secret" }).and.not.have.property("generatedPassword");
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
});
