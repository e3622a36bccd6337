import { expect } from "chai";
import { resolveSettings } from "../../../provider/api/settings";
import { check, supportedPart } from "../../../provider/lifecycle/check";
import { isSingleton } from "../../../provider/lifecycle/definition";
import { Session } from "../../../provider/lifecycle/session";
import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { startSandbox } from "../../../sandbox/http/sandbox";
import type { Sandbox } from "../../../sandbox/index";
import { addOthersObjects } from "../../life/sandboxService";
import { changesOf } from "../../life/variations";
import { settingsOf } from "../../serviceContents";
import { inVirtualTime } from "../api/virtualTime";
import { Declared } from "../drift/fixture";
import type { JsonObject } from "../resources/example";
import { examples } from "../resources/examples";
import { withChange } from "../resources/validInputs";

/** The requests that each object costs: those of its create, its update and its deletion. The lists that objects share come to that. */
const requests: { readonly [type in TypeName]?: readonly [create: number, update: number, remove: number] } =
  {
    Role: [1, 1, 2],
    ServiceScaling: [2, 2, 0],
    ServiceScalingSchedule: [2, 2, 1],
    ApiKey: [1, 1, 1],
    QueryEndpoint: [2, 2, 1],
    QueryApiEndpoint: [1, 2, 1],
    SavedQuery: [1, 2, 1],
    Webhook: [1, 1, 1],
    Source: [1, 1, 1],
    Dashboard: [1, 1, 1],
    SavedSearch: [1, 1, 1],
    ClickStackRole: [1, 1, 1],
    Alert: [1, 1, 1],
    Service: [2, 2, 4],
    BackupConfiguration: [2, 2, 0],
    SnapshotConfiguration: [2, 2, 0],
    ReplicaAwareRouting: [2, 2, 0],
    UpgradeWindow: [2, 2, 1],
    ServiceSettings: [3, 3, 4],
    SshTunnel: [1, 0, 1],
    Pipe: [2, 3, 2],
    BackupBucket: [2, 2, 1],
    PostgresService: [3, 6, 2],
  };

const [count, atOnce] = [12, 3];

/** How many lists the steps of all objects share at most; those that wait share a third of the limit besides. */
const sharedLists = 6;

describe("What a fleet of objects costs under the rate limit", () => {
  for (const type of typeNames.filter((name) => requests[name]))
    it(`${type}: each step takes its requests, and no more time than the limit has for them`, async () => {
      const sandbox = await startSandbox({ dialect: "clickhouse", apis: "management" });
      try {
        addOthersObjects(sandbox, "clickhouse");
        const costs = await inVirtualTime(() => costsOf(type, sandbox));
        const excess = costs.map(({ asked, seconds }, step) => {
          const least = count * (requests[type]?.[step] ?? 0);
          const most = (least + sharedLists) * (resources[type].waiting ? 1.5 : 1);
          const isEnough = asked <= most && asked >= least;
          const isLate = !resources[type].waiting && seconds > Math.max(0, asked - 1);
          return { step, ...(!isEnough && { asked, least }), ...(isLate && { asked, seconds }) };
        });
        expect(excess).to.deep.equal([{ step: 0 }, { step: 1 }, { step: 2 }]);
      } finally {
        await sandbox.close();
      }
    });
});

/** Creates, changes and deletes objects of a type, and tells how many requests and seconds each step took. */
async function costsOf(type: TypeName, sandbox: Sandbox) {
  const settings: Record<string, string> = {
    ...settingsOf(sandbox),
    dialect: "clickhouse",
    requestsPerSecond: "1",
  };
  const open = () =>
    new Session(() => resolveSettings([(name) => settings[name]]), { warn: () => {}, info: () => {} });
  const { inputs } = resources[type];
  const { wholes, alternatives } = examples[type];
  const whole = supportedPart(inputs, JSON.parse(JSON.stringify(Object.values(wholes)[0])), open());
  const isValid = (program: PropertyMap) => check(resources[type], {}, program, open()).failures.length === 0;
  const [change] = changesOf(inputs, whole as JsonObject, isValid, alternatives).filter(
    ({ path }) => path !== "name",
  );
  const program = (at: number) => ({
    ...(isSingleton(resources[type]) && { serviceId: serviceOf(sandbox, at) }),
    ...(whole.name === undefined ? whole : { ...whole, name: `${whole.name} ${at}` }),
  });
  const objects = Array.from({ length: count }, (_, at) => new Declared(type, program(at)));
  const changed = () =>
    objects.map((each, at) =>
      each.changedTo(change ? withChange(program(at), change.path, change.value) : program(at)),
    );

  async function cost(all: readonly Declared[], act: (each: Declared, session: Session) => Promise<unknown>) {
    const { length: before } = sandbox.requests;
    const [session, started, waiting] = [open(), Date.now(), [...all]];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await act(next, session);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const seconds = Math.floor((Date.now() - started) / 1000);
    // Later steps begin with a limit that nobody has used, and with objects that every list shows.
    await new Promise((resolve) => setTimeout(resolve, 240_000));
    return { asked: sandbox.requests.length - before, seconds };
  }
  const up = (each: Declared, session: Session) => each.up(session);
  return [
    await cost(objects, up),
    await cost(changed(), up),
    await cost(changed(), (each, session) => each.delete(session)),
  ];
}

/** The id of one of many services, which have one singleton each. */
function serviceOf({ store, credentials }: Sandbox, at: number): string {
  const first = store.services.get(credentials.serviceId);
  const id = at === 0 ? credentials.serviceId : `a${String(at).padStart(7, "0")}-1111-4111-8111-111111111111`;
  if (first && !store.services.has(id))
    store.services.set(id, { ...structuredClone(first), id, dataWarehouseId: id, name: `service ${at}` });
  return id;
}
