import { createHash } from "node:crypto";
import { type State, trackingOf } from "../../lifecycle/state";
import { minutesFor } from "../../lifecycle/waiting";
import { equal } from "../../values/compare";
import { type Data, pick } from "../../values/data";
import { schemaAt } from "../../values/schema";
import { membersOfReplicaScaling } from "../serviceScaling/scalingRules";
import { serviceInputs } from "./serviceInputs";
import { onItsWay, waiting, wishedState } from "./serviceStates";

/** The members that a change names as they are. */
const plainMembers = ["name", "releaseChannel", "transparentDataEncryptionKeyId", "enableCoreDumps"];

/** The requests that bring a service to what a program declares; each is absent where nothing is to be done. */
export interface ServiceChange {
  /** Bodies of changes of the service, in their order: what is added comes before what is removed. */
  readonly changes: readonly Data[];
  /** Entries of lists that somebody else has set, and whose values this change replaces. */
  readonly taken?: readonly string[];
  readonly scaling?: Data;
  /** Without hashes the service makes a password. */
  readonly password?: Data;
  readonly command?: "start" | "stop";
  /** The state to wait for, whether this change or an earlier one has brought it about. */
  readonly goal?: "running" | "stopped";
  /** For how long the end of the command is waited for. */
  readonly minutes: number;
}

/** A member that no create takes: the key has to grant access to a role that the service has from its creation on. */
const lateMember = "transparentDataEncryptionKeyId";

/** The body that creates a service. */
export function creationOf({ desiredState, password, mysqlEndpoint, ...members }: Data): Data {
  const { [lateMember]: _, ...early } = members;
  return {
    ...early,
    ...(mysqlEndpoint !== undefined && { endpoints: mysqlOf(mysqlEndpoint) }),
  };
}

/**
 * What follows the create of a service once that runs: what no create takes, its password, and whether it shall run. A service in
 * a warehouse has the release channel of that, whatever its create says.
 */
export function completionOf(declared: Data, current: Data): ServiceChange {
  const { scaling, ...change } = changeOf(declared, current, {}, declared);
  const names = declared.dataWarehouseId === undefined ? [lateMember] : [lateMember, "releaseChannel"];
  const late = change.changes.map((body) => pick(body, names));
  return { ...change, changes: late.filter((body) => Object.keys(body).length > 0) };
}

/**
 * The requests that an update takes: of lists only entries that differ, so that those of others stay.
 *
 * @param desired the members that are to be, with those that reset what is declared no longer
 * @param current the service as it is
 * @param state the last known state; empty for a service that is taken over
 */
export function changeOf(desired: Data, current: Data, state: State, declared: Data): ServiceChange {
  const differs = (name: string) =>
    name in desired && !equal(schemaAt(serviceInputs, name), desired[name], current[name]);
  const plain = pick(desired, plainMembers.filter(differs));
  const [ip, tags] = [
    entriesOf("ipAccessList", desired, current, state, sourceKey),
    entriesOf("tags", desired, current, state, tagKey),
  ];
  const first = {
    ...plain,
    ...(differs("mysqlEndpoint") && { endpoints: mysqlOf(desired.mysqlEndpoint) }),
    // What is to be removed goes first in a request, and each address is let in again by the same one.
    ...((ip.added.length > 0 || ip.changed.length > 0) && {
      ipAccessList: {
        add: [...ip.added, ...ip.changed],
        ...(ip.outdated.length > 0 && { remove: ip.outdated }),
      },
    }),
    ...(tags.added.length > 0 && { tags: { add: tags.added } }),
  };
  const second = {
    ...(ip.removed.length > 0 && { ipAccessList: { remove: ip.removed } }),
    ...((tags.removed.length > 0 || tags.outdated.length > 0) && {
      tags: { remove: [...tags.removed, ...tags.outdated] },
    }),
  };
  // A request that adds tags and removes others is not safe.
  const third = { ...(tags.changed.length > 0 && { tags: { add: tags.changed } }) };
  const taken = [
    ...ip.taken.map(({ source }) => `address ${source}`),
    ...tags.taken.map(({ key }) => `tag ${key}`),
  ];
  const isScaled = membersOfReplicaScaling.some(differs);
  const password = passwordOf(declared, state);
  const { desiredState } = declared;
  const command = commandFor(desiredState, current.state);
  const isOnItsWay = onItsWay.includes(String(current.state));
  return {
    changes: [first, second, third].filter((body) => Object.keys(body).length > 0),
    // The takeover of a service says itself what it replaces.
    ...(taken.length > 0 && Object.keys(state).length > 0 && { taken }),
    ...(isScaled && {
      scaling: pick(
        desired,
        membersOfReplicaScaling.filter((name) => name in desired),
      ),
    }),
    ...(password && { password }),
    ...(command && { command }),
    ...((command || isOnItsWay) &&
      desiredState !== undefined && { goal: desiredState as "running" | "stopped" }),
    minutes: minutesFor(waiting, "update", declared),
  };
}

const mysqlOf = (enabled: unknown) => [{ protocol: "mysql", enabled }];

/** The key of an address: a single one may be shown as a range of one. */
export const sourceKey = ({ source }: Data): string => {
  const text = String(source).toLowerCase();
  return text.replace(text.includes(":") ? /\/128$/ : /\/32$/, "");
};
export const tagKey = ({ key }: Data): string => String(key);

/** The entries of a list in an object. */
export const entriesIn = (object: Data, name: string): readonly Data[] =>
  Array.isArray(object[name]) ? (object[name] as Data[]) : [];

/** How the entries of a program differ from those of the service: others may have entries, too. */
function entriesOf(name: string, desired: Data, current: Data, state: State, keyOf: (entry: Data) => string) {
  const [now, live, before] = [desired, current, state].map((object) => entriesIn(object, name)) as [
    readonly Data[],
    readonly Data[],
    readonly Data[],
  ];
  const schema = schemaAt(schemaAt(serviceInputs, name), 0);
  const find = (entries: readonly Data[], entry: Data) =>
    entries.find((candidate) => keyOf(candidate) === keyOf(entry));
  if (!(name in desired)) return { added: [], changed: [], outdated: [], removed: [], taken: [] };
  const changed = now.filter((entry) => {
    const found = find(live, entry);
    return found !== undefined && !equal(schema, entry, { ...found, ...pick(entry, ["source", "key"]) });
  });
  const undeclared = trackingOf(state).undeclared?.includes(name) === true;
  return {
    added: now.filter((entry) => !find(live, entry)),
    changed,
    outdated: changed.map((entry) => find(live, entry) as Data),
    // As the service shows it: it passes over an entry in other words.
    removed: undeclared ? [] : before.flatMap((entry) => (find(now, entry) ? [] : (find(live, entry) ?? []))),
    taken: changed.filter((entry) => !find(before, entry)),
  };
}

/** The request for the password: where it has changed, or may not have been set by an update that did not end. */
function passwordOf(declared: Data, state: State): Data | undefined {
  const { password, passwordKeepers } = declared;
  const isKnown = Object.keys(state).length > 0;
  const isDoubtful = trackingOf(state).awaiting !== undefined;
  const isRotated =
    isKnown && !equal(schemaAt(serviceInputs, "passwordKeepers"), passwordKeepers, state.passwordKeepers);
  if (typeof password === "string")
    return password !== state.password || isRotated || isDoubtful ? hashesOf(password) : undefined;
  return isRotated ? {} : undefined;
}

/** The hashes of a password that the service takes in its place: for its own protocols, and for that of MySQL. */
function hashesOf(password: string): Data {
  const sha1 = (text: string | Buffer) => createHash("sha1").update(text).digest();
  return {
    newPasswordHash: createHash("sha256").update(password).digest("base64"),
    newDoubleSha1Hash: sha1(sha1(password)).toString("hex"),
  };
}

function commandFor(desired: unknown, state: unknown): "start" | "stop" | undefined {
  if (desired === undefined || desired === wishedState(state)) return undefined;
  return desired === "stopped" ? "stop" : "start";
}
