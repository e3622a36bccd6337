import { expect } from "chai";
import { isSingleton } from "../../../provider/lifecycle/definition";
import type { Session } from "../../../provider/lifecycle/session";
import type { PropertyMap } from "../../../provider/values/data";
import { everyType } from "../../life/everyType";
import { changesOf } from "../../life/variations";
import { Declared, sessionFrom } from "../drift/fixture";
import { withChange } from "../resources/validInputs";

/** The number of requests by operation; `missing` counts requests to routes that the server does not have. */
interface Counts {
  readonly [operation: string]: number;
}

everyType((own) => {
  const { type, noun, resource, example, setup, isValid } = own;
  // All types that wait for the service, and the listed types, send more requests than the test expects, or have no update. Their
  // own tests count these requests.
  const others = [
    "SshTunnel",
    "ServiceSettings",
    "PipeCdcScaling",
    "PrivateEndpoint",
    "Role",
    "ClickStackRole",
    "RoleAssignment",
    "Member",
    "Udf",
    "UdfAttachment",
    "SourceLinks",
    "OrganizationSettings",
  ];
  if (resource.waiting || others.includes(type)) return;
  const { list, get, create, update, delete: remove } = resource.operations;
  // The number of objects in the test: one of a singleton type, since a service has no second one, and 100 alerts on a server
  // whose pages have 100 entries.
  const many = isSingleton(resource) ? 1 : type === "Alert" && setup.apis === "both" ? 100 : 6;

  function expected(program: PropertyMap): { readonly [command: string]: Counts } {
    const [creation = create] = example.createdBy?.(program, setup.dialect) ?? [];
    const users = (resource.dependents?.() ?? []).flatMap(
      ({ definition }) => definition.operations.list ?? [],
    );
    const lists = Object.fromEntries(users.map((name) => [name, 1]));
    const listing = { [list ?? get ?? ""]: 1 };
    // If the list shows only parts of the objects, the provider also reads each object by its id, which takes as many requests
    // as there are objects.
    const look = { ...listing, ...(example.isListedInPart && { [get ?? ""]: many }) };
    const write = { [type === "ServiceScaling" ? creation : update]: many };
    const services: Counts =
      setup.dialect === "clickhouse" ? { listServices: 1 } : { missing: 1, getService: 1 };
    const isScaling = type === "ServiceScaling";
    const isAlwaysThere =
      isScaling || ["BackupConfiguration", "SnapshotConfiguration", "ReplicaAwareRouting"].includes(type);
    // The provider lists the services to learn whether the upgrade window's service is the first of its warehouse.
    if (type === "UpgradeWindow") Object.assign(look, services);
    return {
      // Before the provider creates a singleton, it confirms with the service that the singleton does not exist yet.
      up: { ...listing, ...(isSingleton(resource) && !isAlwaysThere && services), [creation]: many },
      refresh: isScaling ? services : look,
      "no-op up": {},
      "up after a change": { ...look, ...write },
      destroy: { ...lists, ...(remove && { [remove]: many }) },
    };
  }

  it(`many writes of ${noun} need one list, and one request for each object`, async () => {
    const [{ program } = { program: {} }] = own.programs();
    const named = (whole: PropertyMap, index: number) =>
      whole.name === undefined ? whole : { ...whole, name: `${whole.name} ${index}` };
    const [other] = changesOf(resource.inputs, program, isValid, example.alternatives).filter(
      ({ path }) => path !== "name",
    );
    const change = other ? withChange(program, other.path, other.value) : {};
    const objects = Array.from({ length: many }, (_, index) => new Declared(type, named(program, index)));
    const changed = () => objects.map((each, index) => each.changedTo(named(change, index)));

    /** Counts the requests of one provider process that runs `act` for all objects, and expects no warnings. */
    async function counts(all: Declared[], act: (each: Declared, session: Session) => Promise<unknown>) {
      const { length: before } = await own.service.requests();
      const { session, warnings } = sessionFrom({ ...own.service.settings });
      // The second half of the objects is written after the first half, when a list from before the first write is outdated.
      for (const half of [all.slice(0, many / 2), all.slice(many / 2)])
        await Promise.all(half.map((each) => act(each, session)));
      if (remove) expect(warnings).to.deep.equal([]);
      const asked: Record<string, number> = {};
      for (const { operation = "missing" } of (await own.service.requests()).slice(before))
        asked[operation] = (asked[operation] ?? 0) + 1;
      return asked;
    }
    const up = (each: Declared, session: Session) => each.up(session);
    expect({
      up: await counts(objects, up),
      refresh: await counts(objects, (each, session) => each.refresh(session)),
      "no-op up": await counts(objects, up),
      "up after a change": await counts(changed(), up),
      destroy: await counts(objects, (each, session) => each.delete(session)),
    }).to.deep.equal(expected(program));
  });
});
