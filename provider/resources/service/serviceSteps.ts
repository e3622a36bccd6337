import { createHash } from "node:crypto";
import type { Service } from "../../api/answers.golden";
import type { Definition } from "../../lifecycle/definition";
import type { State } from "../../lifecycle/state";
import { type Aim, type At, type Step, silently, when } from "../../lifecycle/steps";
import { awaitState, minutesFor } from "../../lifecycle/waiting";
import { equal } from "../../values/compare";
import { type MembersOf, type PropertyMap, pick } from "../../values/data";
import { entriesAmong, entriesBeside } from "../../values/entries";
import { schemaAt } from "../../values/schema";
import { passwordBody, passwordRequest } from "../access/generatedPassword";
import {
  entriesIn,
  type ListChange,
  listChange,
  ownsAllAddresses,
  reportConflicts,
} from "../access/ownedLists";
import { membersOfReplicaScaling } from "../scaling/scalingRules";
import { find, scalingSteps } from "../scaling/scalingSteps";
import { order } from "../serviceState/serviceCommand";
import { failed, onItsWay, usable, waiting, wishedState } from "../serviceState/serviceStates";
import { serviceInputs, serviceOutputs } from "./serviceInputs";

const schemas = { inputs: serviceInputs, outputs: serviceOutputs };

/** The members of a service that an update request sends as they are declared. */
const plainMembers = ["name", "releaseChannel", "transparentDataEncryptionKeyId", "enableCoreDumps"];

/**
 * A create request cannot have the encryption key, which has to grant access to a role that a service has only once it exists.
 */
const lateMember = "transparentDataEncryptionKeyId";

/** The body of the request that creates a service. */
export function creationOf({ desiredState, password, mysqlEndpoint, ...members }: PropertyMap): PropertyMap {
  const { [lateMember]: _, ...early } = members;
  return {
    ...early,
    ...(mysqlEndpoint !== undefined && { endpoints: mysqlOf(mysqlEndpoint) }),
  };
}

/**
 * The steps that complete a new service once it runs: members that a create request cannot have, the password, and the command to
 * stop. Whatever its create request says, a service that joins a warehouse gets the warehouse's release channel.
 *
 * @param state tells how old the service is
 */
export function completionOf(
  service: Definition,
  declared: PropertyMap,
  live: PropertyMap,
  state: State,
): readonly Step[] {
  const names = declared.dataWarehouseId === undefined ? [lateMember] : [lateMember, "releaseChannel"];
  const { bodies } = changesOf({ declared, desired: declared, live, state: {} });
  const late = bodies.map((body) => pick(body, names)).filter((body) => Object.keys(body).length > 0);
  const isComplete =
    late.length === 0 && !passwordBody(declared, {}, hashesOf) && !commandFor(declared, live);
  return isComplete
    ? []
    : [...late.map(updateWith), ...endingOf(service, late, { declared, live, state: {} }, state)];
}

/** The steps that change a service into what the program declares. */
export function stepsOf(service: Definition, aim: Aim): readonly Step[] {
  const { declared, desired, live, state, settings } = aim;
  const { bodies, ip, tags } = changesOf(aim);
  const isScaled = membersOfReplicaScaling.some((name) => differs(name, desired, live));
  const scaling = pick(
    desired,
    membersOfReplicaScaling.filter((name) => name in desired),
  );
  // The adoption of a service itself reports the values that it replaces. So addresses and tags that are overwritten or removed are
  // reported for later updates only.
  const isUpdate = Object.keys(state).length > 0;
  return [
    ...when(
      isUpdate,
      silently((at) => reportConflicts(ip, tags, !ownsAllAddresses(state), `service ${at.id}`, at.context)),
    ),
    ...bodies.map(updateWith),
    ...(isScaled ? scalingSteps(serviceInputs, scaling, settings) : []),
    ...endingOf(service, bodies, { declared, live, state }, isUpdate ? state : live),
  ];
}

const updateWith = (body: PropertyMap): Step => ({
  operation: "updateService",
  body,
  shown: (answer) => answer,
});

const differs = (name: string, desired: PropertyMap, live: PropertyMap) =>
  name in desired && !equal(schemaAt(serviceInputs, name), desired[name], live[name]);

/**
 * Bodies of the requests that update a service, in their order. Lists are changed only by entries that differ, so entries of other
 * people stay; entries such as addresses are added before former ones are removed.
 */
function changesOf({ declared, desired, live, state }: Omit<Aim, "settings">): {
  readonly bodies: readonly PropertyMap[];
  readonly ip: ListChange;
  readonly tags: ListChange;
} {
  const plain = plainMembers.filter((name) => differs(name, desired, live));
  const ip = listChange(schemas, "ipAccessList", desired, live, state, ownsAllAddresses(declared));
  const tags = listChange(schemas, "tags", desired, live, state, false);
  const first = {
    ...pick(desired, plain),
    ...(differs("mysqlEndpoint", desired, live) && { endpoints: mysqlOf(desired.mysqlEndpoint) }),
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
  return { bodies: [first, second, third].filter((body) => Object.keys(body).length > 0), ip, tags };
}

/** The last steps of a write: the password, the command to start or stop, and a look at the service. */
function endingOf(
  service: Definition,
  bodies: readonly PropertyMap[],
  { declared, live, state }: Pick<Aim, "declared" | "live" | "state">,
  known: State,
): readonly Step[] {
  const password = passwordBody(declared, state, hashesOf);
  const { desiredState } = declared;
  const command = commandFor(declared, live);
  const isOnItsWay = onItsWay.includes(String(live.state));
  const isAwaited = desiredState !== undefined && (command !== undefined || isOnItsWay);
  let generated: unknown;
  let seen: PropertyMap = {};
  let lost: readonly PropertyMap[] = [];
  return [
    ...(password
      ? [
          passwordRequest("updateServicePassword", password, (made) => {
            generated = made;
          }),
        ]
      : []),
    ...when(
      command !== undefined,
      silently(async (at) => {
        if (await order(at.id, command as "start" | "stop", at.context)) return;
        // A service that is on its way to the other state refuses the command until it has arrived there.
        const settled = await awaitOneOf([...usable, "stopped"], service, declared, known, at);
        if (desiredState !== wishedState(settled.state))
          await order(at.id, command as "start" | "stop", at.context);
      }),
    ),
    ...when(
      isAwaited,
      silently(async (at) => {
        await awaitOneOf(desiredState === "stopped" ? ["stopped"] : usable, service, declared, known, at);
      }),
    ),
    {
      async ensure(at) {
        seen = await find(at);
        lost = lostIn(bodies, seen);
        return lost.length > 0 ? seen : undefined;
      },
    },
    {
      operation: "updateService",
      body: async () => (lost.length > 0 ? { ipAccessList: { add: lost } } : undefined),
      shown: (answer) => answer,
    },
    {
      ensure: async (at) => ({
        ...(lost.length > 0 ? await find(at) : seen),
        ...(typeof generated === "string" && { password: generated }),
      }),
    },
  ];
}

const mysqlOf = (enabled: unknown) => [{ protocol: "mysql", enabled }];

/**
 * The hashes that the service gets instead of a password: one for ClickHouse's own protocols, and one for the MySQL protocol.
 */
function hashesOf(password: string): PropertyMap {
  const sha1 = (text: string | Buffer) => createHash("sha1").update(text).digest();
  return {
    newPasswordHash: createHash("sha256").update(password).digest("base64"),
    newDoubleSha1Hash: sha1(sha1(password)).toString("hex"),
  };
}

function commandFor({ desiredState }: PropertyMap, { state }: PropertyMap): "start" | "stop" | undefined {
  if (desiredState === undefined || desiredState === wishedState(state)) return undefined;
  return desiredState === "stopped" ? "stop" : "start";
}

async function awaitOneOf(
  ends: readonly string[],
  service: Definition,
  declared: PropertyMap,
  state: State,
  { id, context }: At,
): Promise<PropertyMap> {
  const minutes = minutesFor(waiting, "update", declared);
  const wait = { ends, fails: failed, awaiting: "update", minutes, state } as const;
  const live = await awaitState(service, id, wait, context);
  if (live === "gone")
    throw new Error(
      `service ${id} was deleted while this change waited for it; "pulumi up --refresh" creates an empty one`,
    );
  return live;
}

/**
 * The changed addresses that a service lacks. One request removes and adds them, and a service that adds before it removes would
 * lose them.
 */
function lostIn(bodies: readonly PropertyMap[], live: MembersOf<Service>): readonly PropertyMap[] {
  if (!Array.isArray(live.ipAccessList)) return [];
  return bodies.flatMap((body) => {
    const { add, remove = [] } = (body.ipAccessList ?? {}) as ListBody;
    const list = schemaAt(serviceInputs, "ipAccessList");
    return entriesBeside(list, entriesAmong(list, add ?? [], remove), entriesIn(live, "ipAccessList"));
  });
}

/** What a request adds to a list of a service, and removes from it. */
interface ListBody {
  readonly add?: readonly PropertyMap[];
  readonly remove?: readonly PropertyMap[];
}
