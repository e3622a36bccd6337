import { expect } from "chai";
import fc from "fast-check";
import type { UpdatedIncompletely } from "../../../provider/lifecycle/resource";
import { resources } from "../../../provider/resources/registry";
import { unknown } from "../../../provider/values/unknown";
import { seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { refused } from "../api/server";
import { useService } from "../lifecycle/scriptedService";
import { itKeeps, type Rule } from "./rules";

const { organizationId, serviceId } = seededCredentials;
const place = { organizationId, serviceId };

describe("Settings of a service's database", () => {
  // The sandbox shows a change of database settings only after five seconds, as a service does whose reads lag.
  const service = useService({ dialect: "clickhouse", stateMilliseconds: 5000 });
  const { ServiceSettings: resource } = resources;
  const open = () => service.open({ dialect: "clickhouse" });
  const record = () => service.model.store.services.get(serviceId) ?? {};
  const stored = () => (record() as { databaseSettings?: object }).databaseSettings;
  /** Sets database settings directly in the sandbox, as if a person had done so long ago. */
  const set = (databaseSettings: object) =>
    Object.assign(record(), { databaseSettings, formerSettings: undefined });
  const writes = () =>
    service.model.journal.entries
      .filter(({ method }) => method !== "GET")
      .map(({ method, requestBody, path }) => requestBody ?? `${method} ${path.split("/").at(-1)}`);
  const create = (settings: object, further: object = {}, session = open().session) =>
    resource.create({ ...place, settings, ...further } as never, session);
  const update = (state: object, settings: object, further: object = {}, session = open().session) =>
    resource.update(serviceId, state as never, { ...place, settings, ...further } as never, session);
  const read = (state: object) => resource.read(serviceId, state as never, open().session);

  it("the create of ServiceSettings sets the declared settings although reads lag", async () => {
    set({ async_insert: 1 });
    const declared = { max_concurrent_queries: 500, session_timezone: "UTC" };
    const { warnings, session } = open();
    const { id, state, failure } = await create(declared, {}, session);
    expect([id, failure]).to.deep.equal([serviceId, undefined]);
    expect(writes()).to.deep.equal([{ settings: declared }]);
    expect(stored()).to.deep.equal({ async_insert: 1, ...declared });
    expect(warnings).to.deep.equal([]);
    expect(await read(state)).to.deep.include({ inputs: { ...place, settings: declared } });
    expect(await resource.diff(serviceId, state, { ...place, settings: declared }, session)).to.deep.equal(
      [],
    );
  });

  it("an update does not hide which database settings somebody else has changed", async () => {
    const declared = { max_concurrent_queries: 500, session_timezone: "UTC" };
    const { state } = await create(declared);
    set({ max_concurrent_queries: 9, async_insert: 1 });
    expect(await read(state)).to.deep.nested.include({ "inputs.settings.max_concurrent_queries": "9" });
    expect(JSON.stringify(await read(state))).to.not.match(/async_insert/);
    const { warnings, session } = open();
    await update(state, { ...declared, max_concurrent_queries: 600 }, {}, session);
    expect(warnings.join()).to.match(
      /somebody else changed settings\.max_concurrent_queries \(now "9"\), settings\.session_timezone \(now nothing\)/,
    );
    expect(stored()).to.deep.equal({ async_insert: 1, ...declared, max_concurrent_queries: 600 });
  });

  describe("in an update of one of two settings", () => {
    const updated = async () => {
      const { state } = await create({ max_concurrent_queries: 500, session_timezone: "UTC" });
      return update(state, { max_concurrent_queries: 500, session_timezone: "Europe/Berlin" });
    };

    // The change of some settings restarts the replicas.
    it("an update does not send database settings again that the service already has", async () => {
      await updated();
      expect(writes().at(-1)).to.deep.equal({ settings: { session_timezone: "Europe/Berlin" } });
    });

    it("an update sets a database setting although a lagging read shows the declared value", async () => {
      const state = await updated();
      // Simulates a read that lags behind the last update: it shows the declared value while the service has another.
      Object.assign(record(), {
        formerSettings: {
          settings: { session_timezone: "UTC", max_concurrent_queries: 500 },
          until: Infinity,
        },
      });
      const { warnings, session } = open();
      await update(state, { max_concurrent_queries: 500, session_timezone: "UTC" }, {}, session);
      expect(stored()).to.deep.equal({ max_concurrent_queries: 500, session_timezone: "UTC" });
      expect(warnings.join()).to.not.match(/still shows/);
    });
  });

  it("each update leaves a database with the declared settings and otherwise its former values", async () => {
    const settings = fc.record(
      {
        max_concurrent_queries: fc.constantFrom(1, "1", 2),
        async_insert: fc.constantFrom(0, 1),
        session_timezone: fc.constantFrom("UTC", "Asia/Tokyo"),
      },
      { requiredKeys: [] },
    );
    const program = settings.filter((declared) => Object.keys(declared).length > 0);
    const texts = (values: object = {}) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
    const histories = fc.asyncProperty(
      settings,
      fc.array(program, { minLength: 1, maxLength: 5 }),
      async (before, programs) => {
        set(before);
        let state: object | undefined;
        for (const declared of programs) {
          state = state ? await update(state, declared) : (await create(declared)).state;
          expect(texts(stored())).to.deep.equal(texts({ ...before, ...declared }));
        }
        await resource.delete(serviceId, state as never, open().session);
        expect(texts(stored())).to.deep.equal(texts(before));
      },
    );
    await fc.assert(histories, { numRuns: 60 });
  });

  it("database settings that leave the program return to what they were before", async () => {
    set({ max_concurrent_queries: 100 });
    const { state } = await create({ max_concurrent_queries: 500, async_insert: 1 });
    Object.assign(record(), { databaseSettings: { ...stored(), session_timezone: "Asia/Tokyo" } });
    const all = { max_concurrent_queries: 500, async_insert: 1, session_timezone: "UTC" };
    const extended = await update(state, all);
    const reduced = await update(extended, { async_insert: 1 });
    expect(stored()).to.deep.equal({
      ...{ max_concurrent_queries: "100", async_insert: 1, session_timezone: "Asia/Tokyo" },
    });
    set({ ...stored(), max_concurrent_queries: 200 });
    const again = await update(reduced, { async_insert: 1, max_concurrent_queries: 500 });
    await resource.delete(serviceId, again, open().session);
    expect(writes().slice(-2)).to.deep.equal([
      { settings: { max_concurrent_queries: "200" } },
      "DELETE async_insert",
    ]);
    expect(stored()).to.deep.equal({ max_concurrent_queries: "200", session_timezone: "Asia/Tokyo" });
  });

  it("an update repeats the service's warnings about database settings", async () => {
    const { warnings, session } = open();
    await create({ "server.max_table_size_to_drop": 5, allow_simdjson: 0 }, {}, session);
    expect(warnings).to.deep.equal([
      `settings of service ${serviceId}: the service warns of server.max_table_size_to_drop: A change restarts the replicas.`,
      `settings of service ${serviceId}: the service warns of allow_simdjson: The setting will be removed.`,
    ]);
  });

  it("a lost answer does not lose the former values of database settings", async () => {
    set({ max_concurrent_queries: 100 });
    await service.fault({ operation: "updateServiceSettings", kind: "reset", when: "after" });
    const created = await create({ max_concurrent_queries: 500 });
    expect(created.failure?.message).to.match(/may have taken effect/);
    await service.fault();
    const state = await update(created.state, { max_concurrent_queries: 500 });
    await service.fault({ operation: "updateServiceSettings", kind: "reset", when: "after" });
    const error = await failureOf(update(state, { max_concurrent_queries: 500, async_insert: 1 }));
    await service.fault();
    const kept = (error as unknown as { state: object }).state;
    const updated = await update(kept, { max_concurrent_queries: 500, async_insert: 1 });
    await resource.delete(serviceId, updated, open().session);
    expect(stored()).to.deep.equal({ max_concurrent_queries: "100" });
  });

  it("a program that goes back after a failed update restores what that update has set", async () => {
    const found = { session_timezone: "Europe/Paris" };
    set(found);
    const declared = { max_concurrent_queries: 500 };
    const { state } = await create(declared);
    service.gateway = async (operation, carryOut) =>
      operation === "getServiceSettings" && writes().length > 1
        ? refused(400, "BAD_REQUEST: no")
        : carryOut();
    const failure = await failureOf(update(state, { ...declared, session_timezone: "UTC", async_insert: 1 }));
    service.gateway = undefined;
    const { state: known } = failure as UpdatedIncompletely;
    expect(
      await resource.diff(serviceId, known, { ...place, settings: declared }, open().session),
    ).to.have.length(1);
    await update(known, declared);
    expect(stored()).to.deep.equal({ ...found, ...declared });
  });

  it("pulumi import finds nothing if no database setting is set", async () => {
    expect(await read(place)).to.equal("gone");
  });

  it("destroying imported database settings unsets them, with a warning", async () => {
    set({ max_concurrent_queries: 100, async_insert: 1 });
    const imported = await read(place);
    if (typeof imported === "string") throw new Error(imported);
    const { warnings, session } = open();
    await resource.delete(serviceId, imported.state, session);
    expect(stored()).to.deep.equal({});
    expect(warnings.join()).to.match(/since the Pulumi state does not say which values they had before/);
  });

  const ofType =
    "settings.async_insert must be a text that is not empty or a whole number, which 1 and 0 are for a switch";
  itKeeps({ type: "ServiceSettings" }, [
    [{ settings: {} }, "settings must be a map with one setting at least"],
    [
      { settings: { "a/b": 1 } },
      'settings["a/b"] is not a valid name: it may have letters, digits, dots, hyphens and underscores',
    ],
    ...[true, 1.5].map((async_insert): Rule => [{ settings: { async_insert } }, ofType]),
  ]);

  describe("Names of settings in a preview", () => {
    const advice = async (settings: object, { session } = open(), olds: object = {}) =>
      (await resource.check(olds as never, { ...place, settings } as never, session)).warnings;

    it("a preview suggests the nearest name for a setting that the service does not have", async () => {
      const opened = open();
      expect(await advice({ max_concurrent_querys: 500 }, opened)).to.deep.equal([
        "ServiceSettings: the service has no setting max_concurrent_querys; did you mean max_concurrent_queries?",
      ]);
      expect(await advice({ max_concurrent_queries: 500 }, opened)).to.deep.equal([]);
      expect(service.requests.filter((name) => name === "getServiceSettingsSchema")).to.have.length(1);
    });

    it("a preview asks for no names of settings that are in the state", async () => {
      const known = { settings: { nonsense: 1 } };
      expect(await advice(known.settings, open(), { ...place, ...known })).to.deep.equal([]);
      expect(service.requests).to.not.include("getServiceSettingsSchema");
    });

    it("a preview asks for no names of settings of a service that is yet to be created", async () => {
      const coming = { ...place, serviceId: unknown, settings: { nonsense: 1 } };
      await resource.check({}, coming as never, open().session);
      expect(service.requests).to.not.include("getServiceSettingsSchema");
    });

    it("a preview passes without advice where the service does not tell its settings", async () => {
      service.gateway = (operation, carryOut) =>
        operation === "getServiceSettingsSchema" ? { status: 500, body: "{}" } : carryOut();
      expect(await advice({ nonsense: 1 })).to.deep.equal([]);
    });
  });
});
