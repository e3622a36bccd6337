import { expect } from "chai";
import { warnOfKept } from "../../../provider/lifecycle/dropped";
import { importObject } from "../../../provider/lifecycle/read";
import { type State, trackingOf } from "../../../provider/lifecycle/state";
import { resources, type TypeName } from "../../../provider/resources/registry";
import { leavesOf, pathOf, replacementAt } from "../../../provider/values/compare";
import { isObject, type PropertyMap } from "../../../provider/values/data";
import { valueAt } from "../../../provider/values/pairing";
import { annotationsOf, keysIn, schemaAt } from "../../../provider/values/schema";
import type { TSchema } from "../../../provider/values/schemaBuilders";
import { seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { place, useService } from "../lifecycle/scriptedService";
import type { JsonObject } from "./example";
import { examples } from "./examples";
import { absent, withChange } from "./validInputs";

/** A program's object in the sandbox, with its Pulumi state. */
interface Made {
  readonly id: string;
  readonly state: State;
}

const types = ["Service", "Pipe", "ReversePrivateEndpoint"] as const;
const origins = ["create", "adoption", "import", "refresh"] as const;

/** The paths of all members, at any depth, that only a create takes. */
function fixedPaths(schema: TSchema, keys: readonly string[] = [], root = schema): string[] {
  const members = Object.keys(schema.properties ?? {});
  if (members.length === 0) return replacementAt(root, keys) === true ? [pathOf(keys)] : [];
  return members.flatMap((name) => fixedPaths(schemaAt(schema, name), [...keys, name], root));
}

describe("Members that only a create takes", () => {
  const service = useService({ dialect: "clickhouse", stateMilliseconds: 20_000 });
  const { model } = service;
  const open = () => service.open({ dialect: "clickhouse" });
  const home = () => model.store.services.get(seededCredentials.serviceId) as { state: string };

  const placed = (type: TypeName, program: PropertyMap): JsonObject => ({
    ...(type === "Service" ? { organizationId: place.organizationId } : place),
    ...(type === "Pipe" && { allowReplacement: true }),
    ...(program as JsonObject),
  });

  async function isValid(type: TypeName, program: PropertyMap, olds: PropertyMap = {}): Promise<boolean> {
    return (await resources[type].check(olds, program, open().session)).failures.length === 0;
  }

  async function made(type: TypeName, program: PropertyMap): Promise<Made> {
    const { id, state, failure } = await resources[type].create(program, open().session);
    expect(failure).to.equal(undefined);
    service.time.pass(300_000);
    return { id, state };
  }

  async function read(type: TypeName, { id, state }: Made): Promise<{ inputs: PropertyMap; state: State }> {
    const live = await resources[type].read(id, state, open().session);
    if (typeof live === "string") throw new Error(live);
    return live;
  }

  /** Creates the object of a program, and returns its Pulumi state as it is after one of the ways into a state. */
  async function reached(
    type: TypeName,
    program: PropertyMap,
    origin: (typeof origins)[number],
  ): Promise<Made> {
    const { id, state } = await made(type, program);
    if (origin === "create") return { id, state };
    if (origin === "refresh") return { id, state: (await read(type, { id, state })).state };
    if (origin === "adoption") {
      const adopted = await resources[type].create({ ...program, adoptId: id }, open().session);
      const { adoptId: _, ...others } = adopted.state;
      return { id, state: others };
    }
    const imported = await importObject(resources[type], id, placed(type, {}), open().session);
    if (typeof imported === "string") throw new Error(imported);
    return updatedTo(type, { id, state: { ...imported.state, ...imported.inputs } }, program);
  }

  /** Runs an update with the program that has made the object, which replaces nothing. */
  async function updatedTo(type: TypeName, { id, state }: Made, program: PropertyMap): Promise<Made> {
    const changes = await resources[type].diff(id, state, program, open().session);
    expect(changes.filter(({ replaces }) => replaces)).to.deep.equal([]);
    return { id, state: await resources[type].update(id, state, program, open().session) };
  }

  /** Expects that another program for an object replaces nothing, and that its update sends no request at all. */
  async function changedOnlyInState(
    type: TypeName,
    { id, state }: Made,
    program: PropertyMap,
    what: string,
  ): Promise<Made> {
    const changes = await resources[type].diff(id, state, program, open().session);
    expect(
      changes.filter(({ replaces }) => replaces),
      `${what} replaces`,
    ).to.deep.equal([]);
    model.journal.entries.splice(0);
    const next = await resources[type].update(id, state, program, open().session);
    expect(
      model.journal.entries.map(({ operation }) => operation),
      `${what} sends`,
    ).to.deep.equal([]);
    expect(await resources[type].diff(id, next, program, open().session), `${what} again`).to.deep.equal([]);
    return { id, state: next };
  }

  /** The lines that say what is so: those of an answer, and those of a default where an answer lacks the member. */
  async function trueLines(type: TypeName, made: Made): Promise<ReadonlyMap<string, unknown>> {
    const schema = resources[type].inputs;
    const { inputs: live } = await read(type, { ...made, state: placed(type, {}) });
    const lines = fixedPaths(schema).flatMap((path) => {
      const keys = keysIn(path);
      const own = keys.reduce(schemaAt, schema);
      const { default: byDefault, shown } = annotationsOf(own);
      if (shown === "never" || !isObject(valueAt(live, keys.slice(0, -1)))) return [];
      const value = valueAt(live, keys) ?? byDefault;
      return value === undefined ? [] : [[path, value] as const];
    });
    return new Map(lines);
  }

  for (const type of types)
    for (const origin of origins)
      it(`a line about a ${type} that says what is so changes nothing, be it declared or dropped, after its ${origin}`, async () => {
        const [tried, refused] = [new Set<string>(), new Set<string>()];
        for (const [title, whole] of Object.entries(examples[type].wholes)) {
          await model.reset();
          const program = placed(type, whole);
          const before = await reached(type, program, origin);
          const lines = await trueLines(type, before);
          const own = leavesOf({ keys: [], schema: resources[type].inputs, left: undefined, right: program });
          const declared = own.filter(({ keys }) => replacementAt(resources[type].inputs, keys) === true);
          const isFixed = ({ keys }: { readonly keys: readonly (string | number)[] }) =>
            replacementAt(resources[type].inputs, keys) === true;
          const wholes = declared
            .map(({ keys }) => keys.slice(0, -1))
            .filter((keys) =>
              own.every((leaf) => !pathOf(leaf.keys).startsWith(`${pathOf(keys)}.`) || isFixed(leaf)),
            );
          const paths = [...lines.keys(), ...declared.map(({ keys }) => pathOf(keys)), ...wholes.map(pathOf)];
          home().state = "idle";
          for (const path of new Set(paths.filter((path) => path !== ""))) {
            const without = withChange(program, path, absent);
            const first = valueAt(program, keysIn(path)) ?? lines.get(path);
            const withLine = withChange(program, path, first as never);
            const areValid = (await isValid(type, without)) && (await isValid(type, withLine));
            (areValid ? tried : refused).add(path);
            if (!areValid) continue;
            const what = `${path} of ${title}`;
            const dropped = await dropAndDeclare(before, [without, withLine, without], what);
            const shown = lines.get(path);
            if (shown !== undefined && (await isValid(type, withChange(without, path, shown as never))))
              await dropAndDeclare(
                dropped,
                [withChange(without, path, shown as never), without],
                `${what}, as shown`,
              );
          }
          home().state = "running";
          await showsNoDrift(before, program, lines, title);
        }
        /** Declares all true lines at once, and expects a refresh to find them as declared. */
        async function showsNoDrift(
          from: Made,
          program: JsonObject,
          lines: ReadonlyMap<string, unknown>,
          title: string,
        ) {
          let whole = program;
          for (const [path, value] of lines) {
            const next = withChange(whole, path, value as never);
            if (await isValid(type, next, program)) whole = next;
          }
          const state = await resources[type].update(from.id, from.state, whole, open().session);
          const live = await read(type, { id: from.id, state });
          const drift = await resources[type].diff(from.id, live.state, whole, open().session);
          expect(drift, `the drift of ${title}`).to.deep.equal([]);
        }
        async function dropAndDeclare(
          from: Made,
          programs: readonly PropertyMap[],
          what: string,
        ): Promise<Made> {
          let now = from;
          for (const [index, next] of programs.entries()) {
            const changes = await resources[type].diff(now.id, now.state, next, open().session);
            if (changes.length > 0) now = await changedOnlyInState(type, now, next, `${what}, step ${index}`);
          }
          return now;
        }
        const all = fixedPaths(resources[type].inputs);
        expect(all.filter((path) => !tried.has(path) && !refused.has(path))).to.deep.equal([]);
      });

  const lake = placed("Service", examples.Service.wholes["in an account of its own"] as JsonObject);
  const orders = placed("Pipe", examples.Pipe.wholes["from Redpanda, by a certificate"] as JsonObject);

  it("another value of a member that answers may leave out replaces the object", async () => {
    const cluster = placed("ReversePrivateEndpoint", {
      ...{ description: "brokers", type: "MSK_MULTI_VPC", mskAuthentication: "SASL_IAM" },
      mskClusterArn: "arn:aws:kafka:eu-central-1:000000000000:cluster/brokers/1",
    });
    service.rewrite(/ReversePrivateEndpoint/, /"mskAuthentication":"SASL_IAM",?/g, "");
    const { id, state } = await made("ReversePrivateEndpoint", cluster);
    const other = { ...cluster, mskAuthentication: "SASL_SCRAM" };
    expect(await resources.ReversePrivateEndpoint.diff(id, state, other, open().session)).to.deep.equal([
      { path: "mskAuthentication", kind: "update", replaces: true },
    ]);
  });

  it("a line about settings of a source that says what is so is not sent beside a change", async () => {
    const whole = placed("Pipe", examples.Pipe.wholes["from Postgres"] as JsonObject);
    const replica = withChange(whole, "source.postgres.settings.enableFailoverSlots", absent);
    const plain = withChange(replica, "source.postgres.settings.deleteOnMerge", absent);
    const before = await made("Pipe", plain);
    const line = withChange(plain, "source.postgres.settings.deleteOnMerge", false);
    const next = withChange(line, "source.postgres.settings.syncIntervalSeconds", 45);
    model.journal.entries.splice(0);
    await resources.Pipe.update(before.id, before.state, next, open().session);
    const bodies = model.journal.entries.flatMap(({ method, requestBody }) =>
      method === "GET" ? [] : [requestBody],
    );
    expect(bodies).to.deep.equal([{ source: { postgres: { settings: { syncIntervalSeconds: 45 } } } }]);
  });

  it("drift of a member that only a create takes is reported at each refresh without a replacement", async () => {
    const { id, state } = await made("Service", lake);
    Object.assign(model.store.services.get(id) as object, { profile: "v2-highmem-m" });
    let now = { id, state };
    for (const round of ["first", "second", "third"]) {
      const live = await read("Service", now);
      expect(live.inputs.profile, round).to.equal("v2-highmem-m");
      const { session, warnings } = open();
      expect(await resources.Service.diff(id, live.state, lake, session), round).to.deep.equal([
        { path: "profile", kind: "update", replaces: false },
      ]);
      expect(warnings).to.deep.equal([
        `service ${id}: profile is another value in the service, and not as declared; no update changes it, and nothing is replaced: declare what the service has`,
      ]);
      now = await changedOnlyInState("Service", { id, state: live.state }, lake, round);
    }
    const other = { ...lake, profile: "v2-highmem-m", name: "pond" };
    expect(await resources.Service.diff(id, now.state, other, open().session)).to.have.deep.members([
      { path: "profile", kind: "update", replaces: false },
      { path: "name", kind: "update", replaces: false },
    ]);
    const updated = await resources.Service.update(id, now.state, other, open().session);
    expect((await read("Service", { id, state: updated })).inputs).to.deep.equal(other);
  });

  it("an update of another member keeps the drift of one that only a create takes", async () => {
    const { id, state } = await made("Service", lake);
    Object.assign(model.store.services.get(id) as object, { profile: "v2-highmem-m" });
    const careful = service.open({ dialect: "clickhouse", onConflict: "fail" });
    let updated = await resources.Service.update(id, state, { ...lake, name: "pond" }, careful.session);
    updated = await resources.Service.update(id, updated, { ...lake, name: "bay" }, careful.session);
    expect(careful.warnings).to.deep.equal([]);
    expect((await read("Service", { id, state: updated })).inputs).to.include({ profile: "v2-highmem-m" });
  });

  it("a value that no refresh has shown replaces nothing if the program declares it later", async () => {
    const { id, state } = await made("Service", lake);
    Object.assign(model.store.services.get(id) as object, { profile: "v2-highmem-m" });
    const changes = await resources.Service.diff(
      id,
      state,
      { ...lake, profile: "v2-highmem-m" },
      open().session,
    );
    expect(changes.map(({ replaces }) => replaces)).to.deep.equal([false]);
  });

  describe("in a state of an older version", () => {
    const [same, other] = [false, true].map((exactlyOnce) =>
      withChange(orders, "source.kafka.exactlyOnce", exactlyOnce),
    ) as [PropertyMap, PropertyMap];
    const olderPipe = async () => {
      const { id, state } = await made("Pipe", orders);
      const { live: _, ...tracking } = trackingOf(state);
      return { id, state: { ...state, __tracking: tracking } };
    };
    const replaces = async ({ id, state }: Made, program: PropertyMap) =>
      (await resources.Pipe.diff(id, state, program, open().session)).map((change) => change.replaces);

    it("a value that the state does not have is compared with the service itself", async () => {
      const older = await olderPipe();
      expect(await replaces(older, same)).to.deep.equal([false]);
      expect(await replaces(older, other)).to.deep.equal([true]);
    });

    it("a value that neither the state nor an idle service shows is refused", async () => {
      const older = await olderPipe();
      home().state = "idle";
      expect((await failureOf(replaces(older, same))).message).to.match(
        /^source\.kafka\.exactlyOnce: whether pipe \S+ has the declared value is not known, since the Pulumi state is that of an older version, .* run "pulumi refresh" once the service shows it, or take the line back; .*idle/,
      );
    });

    it("a value that a refresh has read is compared with the state while the service is idle", async () => {
      const older = await olderPipe();
      const refreshed = await read("Pipe", older);
      home().state = "idle";
      await changedOnlyInState("Pipe", { id: older.id, state: refreshed.state }, same, "the line");
    });
  });

  it("a dropped value that only a create takes is named, unless it is the default", async () => {
    const { id, state } = await made("Pipe", withChange(orders, "source.kafka.exactlyOnce", true));
    const warningsOf = async (of: Made, program: PropertyMap) => {
      const { session, warnings } = open();
      const changes = await resources.Pipe.diff(of.id, of.state, program, session);
      warnOfKept(resources.Pipe, of.id, of.state, program, changes, session);
      return warnings;
    };
    expect(await warningsOf({ id, state }, orders)).to.deep.equal([
      `pipe ${id} keeps its source.kafka.exactlyOnce, which only a create takes`,
    ]);
    const plain = await made(
      "Pipe",
      withChange({ ...orders, name: "plain" }, "source.kafka.exactlyOnce", false),
    );
    expect(await warningsOf(plain, { ...orders, name: "plain" })).to.deep.equal([]);
  });

  it("a pipe is replaced only where the program allows that it loads its data again", async () => {
    const { id, state } = await made("Pipe", orders);
    const { allowReplacement: _, ...careful } = withChange(orders, "source.kafka.topics", "others");
    expect((await failureOf(resources.Pipe.diff(id, state, careful, open().session))).message).to.match(
      /^source\.kafka\.topics: the change would replace pipe \S+ \(orders\): the new pipe begins to read anew, .* set allowReplacement: true; or take the change back$/,
    );
    const { session, warnings } = open();
    const changes = await resources.Pipe.diff(id, state, { ...careful, allowReplacement: true }, session);
    expect(changes).to.deep.include({ path: "source.kafka.topics", kind: "update", replaces: true });
    expect(warnings.join()).to.match(
      /^source\.kafka\.topics: the change will replace pipe \S+ \(orders\): the new/,
    );
    const moved = { ...orders, serviceId: seededCredentials.secondServiceId, allowReplacement: false };
    expect(
      (await resources.Pipe.diff(id, state, moved, open().session)).map(({ replaces }) => replaces),
    ).to.include(true);
  });

  it("a preview says that the data of a service is lost with its replacement", async () => {
    const { id, state } = await made("Service", lake);
    const { session, warnings } = open();
    await resources.Service.diff(id, state, { ...lake, region: "eu-west-1" }, session);
    expect(warnings).to.deep.equal([
      `region: the change will replace service ${id} (lake) by an empty one, and its data will be lost`,
    ]);
  });
});
