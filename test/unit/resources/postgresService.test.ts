import { expect } from "chai";
import { importObject } from "../../../provider/lifecycle/read";
import { trackingOf } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { sha256Base64 } from "../../../sandbox/core/identifiers";
import { failureOf } from "../api/failure";
import { addPostgres } from "./postgresService.example";
import { orders, organizationId, password, rule, usePostgres } from "./postgresSteps";
import { itKeeps } from "./rules";
import { absent } from "./validInputs";

const { PostgresService: resource } = resources;

describe("A Postgres service", () => {
  const { service, model, open, stored, create, make, update, diff, inputsRead } = usePostgres();

  describe("its creation", () => {
    it("waits until it runs", async () => {
      const { id, state } = await make();
      expect(state).to.include({ state: "running", isPrimary: true, username: "postgres" });
      expect(state.hostname).to.equal(stored(id).hostname);
      expect(state).not.to.have.any.keys("connectionString", "password");
      expect(await diff(id, state, {})).to.deep.equal([]);
      expect(await inputsRead(id, state)).to.deep.equal(orders);
    });

    it("keeps the password that the service has made", async () => {
      const { id, state } = await make();
      expect(sha256Base64(String(state.generatedPassword))).to.equal(stored(id).passwordHash);
    });

    it("replaces the password that the service has made by the declared one", async () => {
      const { id, state } = await make({ password });
      expect(stored(id).passwordHash).to.equal(sha256Base64(password));
      expect(state).not.to.have.property("generatedPassword");
      const changed = await update(id, state, { password: "Another-12-Secret" });
      expect(stored(id).passwordHash).to.equal(sha256Base64("Another-12-Secret"));
      const kept = await update(id, changed, { password: "Another-12-Secret", size: "r8gd.xlarge" });
      expect(service.bodiesOf("updatePostgresPassword")).to.have.length(2);
      const made = await update(id, kept, { size: "r8gd.xlarge", passwordKeepers: { rotation: "2" } });
      expect(sha256Base64(String(made.generatedPassword))).to.equal(stored(id).passwordHash);
    });

    it("is refused beside one of the same name, cloud and region, unless allowSameName", async () => {
      const { id } = await make();
      const error = await failureOf(create(open().session));
      expect(error.message).to.include(id).and.to.include("declare its id as adoptId");
      expect(model.store.postgresServices.size).to.equal(1);
      await make({ allowSameName: true });
      expect(model.store.postgresServices.size).to.equal(2);
    });

    it("that waits too long is continued by the next update", async () => {
      const { session } = open();
      const { id, state, failure } = await create(session, { waitMinutes: 1, password });
      expect(failure?.message).to.match(/is still creating after 1 min, the limit of waitMinutes/);
      expect(trackingOf(state).awaiting).to.equal("create");
      const done = await update(id, state, { password });
      expect(done.state).to.equal("running");
      expect(stored(id).passwordHash).to.equal(sha256Base64(password));
      expect(model.store.postgresServices.size).to.equal(1);
    });

    it("whose answer is lost takes the service that a list shows, without its password", async () => {
      service.gateway = async (operation, carryOut) => {
        const answer = await carryOut();
        if (operation !== "createPostgresService") return answer;
        service.gateway = undefined as never;
        return { status: 502, headers: {}, body: "<html></html>" };
      };
      const { state, warnings } = await make({ pgConfig: { work_mem: "8MB" }, ipAccessList: [rule] });
      expect(model.store.postgresServices.size).to.equal(1);
      expect(state).not.to.have.property("generatedPassword");
      expect(warnings.join()).to.match(/the password of Postgres service \S+ is not known/);
    });
  });

  describe("an update", () => {
    it("resizes in place without touching the tags that others have set", async () => {
      const { id, state } = await make({ tags: [{ key: "team", value: "data" }] });
      stored(id).tags.push({ key: "cost", value: "42" });
      const tags = [{ key: "team", value: "core" }];
      const updated = await update(id, state, { tags, size: "r8gd.xlarge", haType: "sync" });
      expect(updated).to.include({ size: "r8gd.xlarge", haType: "sync", state: "running" });
      expect(trackingOf(updated).doubted).to.equal(undefined);
      expect(stored(id).tags).to.have.deep.members([{ key: "cost", value: "42" }, ...tags]);
      const untagged = await update(id, updated, { size: "r8gd.large", haType: "sync" });
      expect(stored(id).tags).to.deep.equal([{ key: "cost", value: "42" }]);
      expect(await diff(id, untagged, { size: "r8gd.large", haType: "sync" })).to.deep.equal([]);
    });

    it("renames in place to the other hostname that the preview has announced", async () => {
      const { id, state } = await make();
      const { session, warnings } = open();
      const changes = await diff(id, state, { name: "bills" }, session);
      expect(changes).to.deep.equal([{ path: "name", kind: "update", replaces: false }]);
      expect(warnings.join()).to.include("another hostname and other certificates");
      const planned = resource.plan(state, { ...orders, name: "bills" }, session, id);
      expect(planned.hostname).to.not.equal(state.hostname);
      const updated = await update(id, state, { name: "bills" });
      expect(updated.hostname)
        .to.equal(stored(id).hostname)
        .and.to.match(/^bills\./);
    });

    it("changes other rules of access than the program's only with keepOtherAddresses: false", async () => {
      const { id, state } = await make({ ipAccessList: [rule, { ...rule, portRange: "6432" }] });
      const other = { id: "2d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7190", source: "10.0.0.0/8", portRange: "5432" };
      stored(id).ipAccessList.push(other);
      const kept = [{ ...rule, description: "office" }];
      const updated = await update(id, state, { ipAccessList: kept });
      const rules = () => stored(id).ipAccessList.map(({ id: _, ...each }) => each);
      const { id: _, ...others } = other;
      expect(rules()).to.have.deep.members([others, ...kept]);
      expect(updated.otherAddresses).to.deep.equal(["10.0.0.0/8"]);
      const alone = { ipAccessList: kept, keepOtherAddresses: false };
      await update(id, updated, alone);
      expect(rules()).to.deep.equal(kept);
    });

    it("warns of an empty list of addresses beside which others still let everybody in", async () => {
      const { id, state } = await make();
      const closed = { ipAccessList: [] };
      const { warnings } = await resource.check(orders, { ...orders, ...closed }, open().session);
      expect(warnings.join()).to.match(/ipAccessList: \[\] allows no address, and those .* others .* stay/);
      const openPreview = open();
      await diff(id, state, closed, openPreview.session);
      expect(openPreview.warnings).to.deep.equal([
        `Postgres service ${id} (orders) lets everybody in (0.0.0.0/0), which the program does not declare; keepOtherAddresses: false removes it`,
      ]);
      const closedPreview = open();
      await diff(id, state, { ...closed, keepOtherAddresses: false }, closedPreview.session);
      expect(closedPreview.warnings).to.deep.equal([]);
    });

    it("changes no parameters but those of the program", async () => {
      const { id, state } = await make({ pgConfig: { work_mem: "8MB", max_connections: 200 } });
      stored(id).pgConfig.lock_timeout = "5";
      stored(id).pgBouncerConfig.pool_mode = "transaction";
      const updated = await update(id, state, { pgConfig: { max_connections: 300 } });
      expect(stored(id).pgConfig).to.deep.equal({ max_connections: "300", lock_timeout: "5" });
      expect(stored(id).pgBouncerConfig).to.deep.equal({ pool_mode: "transaction" });
      const none = await update(id, updated, {});
      expect(stored(id).pgConfig).to.deep.equal({ lock_timeout: "5" });
      expect(await diff(id, none, {})).to.deep.equal([]);
    });

    it("restarts the service for a parameter only with restartForConfig", async () => {
      const { id, state } = await make({ pgConfig: { max_connections: 200 } });
      const { session, warnings } = open();
      const updated = await update(id, state, { pgConfig: { max_connections: 300 } }, session);
      expect(warnings.join()).to.match(
        /restart is required .*max_connections; restart it, or declare restartForConfig/,
      );
      expect(stored(id).state).to.equal("running");
      const restarted = await update(id, updated, {
        pgConfig: { max_connections: 400 },
        restartForConfig: true,
      });
      expect(service.bodiesOf("updatePostgresState")).to.deep.equal([{ command: "restart" }]);
      expect(restarted.state).to.equal("running");
    });

    it("shows only parameters, tags and rules of the program as drift", async () => {
      const program = {
        ...{ pgConfig: { work_mem: "8MB" }, tags: [{ key: "team", value: "data" }] },
        ipAccessList: [rule],
      };
      const { id, state } = await make(program);
      stored(id).pgConfig = { work_mem: "16MB", lock_timeout: "5" };
      stored(id).tags = [
        { key: "cost", value: "42" },
        { key: "team", value: "core" },
      ];
      const inputs = await inputsRead(id, state);
      expect(inputs).to.deep.include({
        pgConfig: { work_mem: "16MB" },
        tags: [{ key: "team", value: "core" }],
      });
      expect(inputs.ipAccessList).to.deep.equal([rule]);
    });
  });

  describe("its protection", () => {
    const program = { ...orders, deletionProtection: true };

    it("prevents every loss of data until an update of its own lifts it", async () => {
      const { id, state } = await make({ deletionProtection: true });
      expect((await failureOf(resource.delete(id, state, open().session))).message).to.include(
        "is not deleted: it is protected, and its data would be lost",
      );
      for (const changed of [{ region: "us-east-1" }, { provider: "gcp" }, { postgresVersion: "17" }])
        expect(
          (await failureOf(resource.diff(id, state, { ...program, ...changed }, open().session))).message,
        ).to.include("which is protected, by an empty one, and lose its data");
      expect(
        (await failureOf(create(open().session, { deletionProtection: true, name: "orders" }))).message,
      ).to.include(id);
      const { session, warnings } = open();
      const lifted = await update(id, state, {});
      expect((await diff(id, lifted, { region: "us-east-1" }, session))[0]).to.include({ replaces: true });
      expect(warnings.join()).to.include("its data will be lost");
      await resource.delete(id, lifted, open().session);
      expect(model.store.postgresServices.size).to.equal(0);
    });
  });

  it("that somebody has deleted and that is still shown is told of by a refresh", async () => {
    const { id, state } = await make();
    Object.assign(stored(id), { state: "deleting", steps: undefined });
    const { session, warnings } = open();
    expect(await resource.read(id, state, session)).to.have.property("inputs");
    expect(warnings).to.deep.equal([
      `Postgres service ${id} (orders) is deleting: somebody has deleted it, and its data is lost; once it is gone, the update after a refresh makes another one, which is empty and billed`,
    ]);
  });

  it("that is adopted keeps what the program does not declare", async () => {
    const id = "4d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7192";
    addPostgres(model.store, id, "by hand");
    stored(id).pgConfig = { lock_timeout: "5" };
    const adopted = { organizationId, adoptId: id, name: "by hand", tags: [{ key: "team", value: "data" }] };
    const { state } = await resource.create(adopted, open().session);
    expect(stored(id)).to.deep.include({ pgConfig: { lock_timeout: "5" }, tags: adopted.tags });
    expect(state).not.to.have.property("generatedPassword");
  });

  it("that is imported declares no tag without a value, which the check would refuse", async () => {
    const id = "4d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7192";
    addPostgres(model.store, id, "by hand");
    const tags = [{ key: "team", value: "data" }];
    for (const key of ["cost", "stage"]) stored(id).tags.push({ key });
    stored(id).tags.push(...tags);
    const { session, notices } = open();
    const found = await importObject(resource, id, { organizationId }, session);
    const { inputs } = found as { inputs: PropertyMap };
    expect(inputs.tags).to.deep.equal(tags);
    expect((await resource.check({}, inputs, session)).failures).to.deep.equal([]);
    expect(notices.join()).to.include('the import leaves out tags["cost"], tags["stage"]');
  });

  itKeeps({ type: "PostgresService", valid: orders }, [
    [{}, []],
    [
      { provider: absent, region: absent, size: absent },
      ["provider", "region", "size"].map(
        (name) => `${name} is required, but for a read replica or a restored service`,
      ),
    ],
    [
      { ipAccessList: [{ ...rule, source: "2001:db8::1" }] },
      "ipAccessList[0].source must be an IPv4 address or a CIDR range, such as 203.0.113.0/24",
    ],
    [
      { ipAccessList: [{ ...rule, portRange: "7..5" }] },
      "ipAccessList[0].portRange must be ports from 1 to 65535, the lower first",
    ],
    [{ ipAccessList: [rule, rule] }, "ipAccessList[1].source is there twice"],
    [
      { tags: [{ key: "chc_a", value: "b" }] },
      "tags[0].key must be letters, digits, '.', '_' and '-', not beginning with chc_",
    ],
    [
      { password: "only small letters" },
      "password must be a text of 12 to 1024 characters with a lowercase letter, an uppercase letter and a digit",
    ],
    [
      { provider: absent, region: absent, restoreOf: "4d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7192" },
      "restoreTarget is missing: restoreOf needs it",
    ],
  ]);
});
