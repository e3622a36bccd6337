import { createHash } from "node:crypto";
import { type State, trackingOf } from "../../lifecycle/state";
import { minutesFor } from "../../lifecycle/waiting";
import { equal } from "../../values/compare";
import { type Data, pick } from "../../values/data";
import { schemaAt } from "../../values/schema";
import { membersOfReplicaScaling } from "../serviceScaling/scalingRules";
import { serviceInputs } from "./serviceInputs";
import { listChange, ownsAllAddresses } from "./serviceLists";
import { onItsWay, waiting, wishedState } from "./serviceStates";

/** The members of a service that an update request sends as they are declared. */
const plainMembers = ["name", "releaseChannel", "transparentDataEncryptionKeyId", "enableCoreDumps"];

/** The requests that change a service into what the program declares. A property is absent if its request is not needed. */
export interface ServiceChange {
  /**
   * Bodies of the requests that update the service, in their order. They add entries to lists, such as addresses, before they
   * remove former ones.
   */
  readonly changes: readonly Data[];
  /** Addresses and tags of the service that somebody else has set, and whose values the update overwrites. */
  readonly taken?: readonly string[];
  /** Addresses of the service that somebody else has added, and that the update removes, as the list is the program's now. */
  readonly expelled?: readonly string[];
  readonly scaling?: Data;
  /** The body of the request that sets the service's password. Without hashes in it, the service makes a new password. */
  readonly password?: Data;
  readonly command?: "start" | "stop";
  /**
   * The state of the service that the provider waits for: after it has sent a command, or because the service is already
   * starting or stopping.
   */
  readonly goal?: "running" | "stopped";
  readonly minutes: number;
}

/**
 * A create request cannot have the encryption key, which has to grant access to a role that a service has only once it exists.
 */
const lateMember = "transparentDataEncryptionKeyId";

/** The body of the request that creates a service. */
export function creationOf({ desiredState, password, mysqlEndpoint, ...members }: Data): Data {
  const { [lateMember]: _, ...early } = members;
  return {
    ...early,
    ...(mysqlEndpoint !== undefined && { endpoints: mysqlOf(mysqlEndpoint) }),
  };
}

/**
 * The requests that complete a new service once it runs: members that a create request cannot have, the password, and the
 * command to stop. Whatever its create request says, a service that joins a warehouse gets the warehouse's release channel.
 */
export function completionOf(declared: Data, current: Data): ServiceChange {
  const { scaling, ...change } = changeOf(declared, current, {}, declared);
  const names = declared.dataWarehouseId === undefined ? [lateMember] : [lateMember, "releaseChannel"];
  const late = change.changes.map((body) => pick(body, names));
  return { ...change, changes: late.filter((body) => Object.keys(body).length > 0) };
}

/**
 * The requests that change a service into what the program declares. Lists are changed only by entries that differ, so entries
 * of other people stay.
 *
 * @param desired the members that the service shall have, including defaults for those that the program no longer declares
 * @param current the service as the API shows it
 * @param state the last known Pulumi state; empty for a service that is being adopted
 */
export function changeOf(desired: Data, current: Data, state: State, declared: Data): ServiceChange {
  const differs = (name: string) =>
    name in desired && !equal(schemaAt(serviceInputs, name), desired[name], current[name]);
  const plain = pick(desired, plainMembers.filter(differs));
  const ip = listChange("ipAccessList", desired, current, state, ownsAllAddresses(declared));
  const tags = listChange("tags", desired, current, state, false);
  const first = {
    ...plain,
    ...(differs("mysqlEndpoint") && { endpoints: mysqlOf(desired.mysqlEndpoint) }),
    // The service removes the addresses in a request before it adds those in the same request, so a changed address is allowed
    // again at once.
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
  // A request that both adds and removes tags may go wrong, so changed tags are removed by one request and added by the next.
  const third = { ...(tags.changed.length > 0 && { tags: { add: tags.changed } }) };
  const taken = [
    ...ip.taken.map(({ source }) => `address ${source}`),
    ...tags.taken.map(({ key }) => `tag ${key}`),
  ];
  const expelled = ip.expelled.map(({ source }) => `address ${source}`);
  const isUpdate = Object.keys(state).length > 0;
  const isScaled = membersOfReplicaScaling.some(differs);
  const password = passwordOf(declared, state);
  const { desiredState } = declared;
  const command = commandFor(desiredState, current.state);
  const isOnItsWay = onItsWay.includes(String(current.state));
  return {
    changes: [first, second, third].filter((body) => Object.keys(body).length > 0),
    // The adoption of a service itself reports the values that it replaces. So addresses and tags that are overwritten or
    // removed are listed for later updates only.
    ...(taken.length > 0 && isUpdate && { taken }),
    ...(expelled.length > 0 && isUpdate && !ownsAllAddresses(state) && { expelled }),
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

/**
 * The body of the request that sets a service's password; undefined if no request is needed. One is needed if the password or
 * its keepers have changed, or if an update that did not finish may have left the password unset.
 */
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

/**
 * The hashes that the service gets instead of a password: one for ClickHouse's own protocols, and one for the MySQL protocol.
 */
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
