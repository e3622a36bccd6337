import { mayHaveHappened } from "../../api/errors";
import type { Answer } from "../../api/operations";
import { attemptedMembersIn, isAttempted } from "../../lifecycle/attempts";
import { nextList, seenAfter } from "../../lifecycle/polling";
import { type Context, namesOf } from "../../lifecycle/scope";
import { declaredIn, trackingOf } from "../../lifecycle/state";
import { type Aim, type At, type Step, silently, when } from "../../lifecycle/steps";
import { Unfinished } from "../../lifecycle/unfinished";
import { awaitState, minutesFor } from "../../lifecycle/waiting";
import { digest, equal } from "../../values/compare";
import { isObject, isSameId, type PropertyMap, pick } from "../../values/data";
import { entriesAmong, entriesBeside, entryKey } from "../../values/entries";
import { joinPath, schemaAt } from "../../values/schema";
import { passwordBody, passwordRequest } from "../access/generatedPassword";
import { type ListName, listChange, ownsAllAddresses, reportConflicts } from "../access/ownedLists";
import { titleOf } from "../protection/protection";
import { postgresServiceInputs, postgresServiceOutputs } from "./postgresInputs";
import { failed, type PostgresDefinition, postgresWaiting } from "./postgresStates";

const schemas = { inputs: postgresServiceInputs, outputs: postgresServiceOutputs };

/** The maps of parameters, which have a route of their own. */
export const configNames = ["pgConfig", "pgBouncerConfig"] as const;

type Config = { readonly [name in (typeof configNames)[number]]: PropertyMap };

/** The members that take a while to change. */
const resizing = ["size", "haType"] as const;

/** Milliseconds between two looks at a Postgres service that is about to have another size. */
const betweenLooks = 5000;

const mapIn = (object: PropertyMap, name: string): PropertyMap => {
  const value = object[name];
  return isObject(value) ? value : {};
};

const isSame = (one: unknown, other: unknown) => String(one) === String(other);

/** The entries of a list of access rules as a program declares them, without the ids that the service gives. */
export const declaredRules = (rules: readonly PropertyMap[]): readonly PropertyMap[] =>
  rules.map((rule) => pick(rule, ["source", "portRange", "description"]));

/** Parameters in the form that requests take: those of PgBouncer are texts. */
export const sentParameters = (name: string, map: PropertyMap): PropertyMap =>
  name === "pgBouncerConfig"
    ? Object.fromEntries(Object.entries(map).map(([key, value]) => [key, String(value)]))
    : map;

export async function readConfig(id: string, { session, scope }: Context): Promise<Config> {
  const answer: PropertyMap = await session.call("getPostgresConfig", { ...scope, ...namesOf(id, scope) });
  return { pgConfig: mapIn(answer, "pgConfig"), pgBouncerConfig: mapIn(answer, "pgBouncerConfig") };
}

/** The steps that change a Postgres service into what the program declares. */
export function stepsOf(postgres: PostgresDefinition, aim: Aim): readonly Step[] {
  const { declared, desired, live, state } = aim;
  const isUpdate = Object.keys(state).length > 0;
  // A restored service comes with rules of access of its own, which let everybody in and which nobody has chosen.
  const isBeingRestored =
    declared.restoreOf !== undefined &&
    declared.adoptId === undefined &&
    (!isUpdate || trackingOf(state).awaiting === "create");
  const ownsAll = ownsAllAddresses(declared) || isBeingRestored;
  const title = (id: string) => titleOf(postgres, id, {});
  // The service shows a new size late, also one that an update which failed has asked for.
  const differs = (name: string) =>
    name in desired &&
    (isAttempted(state, name) || !equal(schemaAt(postgresServiceInputs, name), desired[name], live[name]));
  const changeOf = (name: ListName, now: PropertyMap) =>
    listChange(schemas, name, desired, now, state, name === "ipAccessList" && ownsAll);
  const [ip, tags] = [changeOf("ipAccessList", live), changeOf("tags", live)];
  const isChanged = ({ added, changed, removed }: ReturnType<typeof changeOf>) =>
    added.length + changed.length + removed.length > 0;
  const plain = ["name", ...resizing].filter(differs);
  // A list, from which a create with a lost answer is known, does not show the rules of access.
  const hasUnseenRules = isBeingRestored && "ipAccessList" in desired && !("ipAccessList" in live);
  const isPatched = plain.length > 0 || isChanged(ip) || isChanged(tags) || hasUnseenRules;
  const wasReplica = declaredIn(schemas, state).readReplicaOf !== undefined;
  const isPromoted = wasReplica && declared.readReplicaOf === undefined && live.isPrimary === false;
  const resized = pick(
    desired,
    resizing.filter((name) => plain.includes(name)),
  );
  const hasConfig = configNames.some((name) => name in desired);
  const isRestartOwed = owesRestart(aim);
  const password = passwordBody(declared, state, (text) => ({ password: text }));
  let generated: unknown;
  /** The parameters, where the service had all that the program declares. */
  let present: Config | undefined;
  if (!isPromoted && !isPatched && !hasConfig && !isRestartOwed && !password) return [];
  return [
    ...when(
      isUpdate,
      silently(({ id, context }) =>
        reportConflicts(ip, tags, !ownsAllAddresses(state) && !isBeingRestored, title(id), context),
      ),
    ),
    ...when(isPromoted, {
      ensure: (at) => commanded(postgres, "promote", aim, at, ({ isPrimary }) => isPrimary === true),
    }),
    ...when(isPatched, {
      operation: "updatePostgresService",
      body: (at) => patchOf(plain, at),
      repeatsLook: true,
      shown: (answer) => pick(answer, plain.filter((name) => !(name in resized)).concat("hostname")),
    }),
    ...when(
      Object.keys(resized).length > 0,
      silently((at) => awaitSize(postgres, resized, aim, at)),
    ),
    ...when(hasConfig || isRestartOwed, {
      async ensure(at) {
        const found = await readConfig(at.id, at.context);
        const seen = await configured(postgres, aim, at, found);
        if (seen !== "unchanged") return seen;
        present = found;
        return undefined;
      },
    }),
    ...(password
      ? [
          passwordRequest("updatePostgresPassword", password, (made) => {
            generated = made;
          }),
        ]
      : []),
    {
      async ensure({ id, context }) {
        const now = await lookAt(id, context);
        const config = hasConfig ? (present ?? (await readConfig(id, context))) : {};
        return { ...now, ...config, ...(typeof generated === "string" && { password: generated }) };
      },
    },
  ];

  /**
   * The body of the request that updates the service. It has all tags, since an update without them removes them; and the rules of
   * access by the ids that only the service knows.
   */
  async function patchOf(names: readonly string[], { id, context }: At): Promise<PropertyMap> {
    const now = await lookAt(id, context);
    const rules = rulesIn(now);
    const access = changeOf("ipAccessList", { ipAccessList: declaredRules(rules) });
    const list = schemaAt(postgresServiceInputs, "ipAccessList");
    const idsOf = (rule: PropertyMap) =>
      rules
        .filter((other) => entryKey(list, declaredRules([other])[0]) === entryKey(list, rule))
        .map(({ id: ruleId }) => ({ id: ruleId }));
    const remove = access.removed.flatMap(idsOf);
    const add = [...access.added, ...access.changed.map((rule) => ({ ...rule, ...idsOf(rule)[0] }))];
    return {
      ...pick(desired, names),
      tags: allTags(now),
      ...(add.length + remove.length > 0 && {
        ipAccessList: { ...(add.length > 0 && { add }), ...(remove.length > 0 && { remove }) },
      }),
    };
  }

  /** The tags that the service shall have, with those of other people. */
  function allTags(now: PropertyMap): readonly PropertyMap[] {
    const list = schemaAt(postgresServiceInputs, "tags");
    const shown = Array.isArray(now.tags) ? (now.tags as PropertyMap[]) : [];
    const { added, changed, removed, outdated } = changeOf("tags", { tags: shown });
    const gone = entriesAmong(list, shown, [...removed, ...outdated]);
    return [...entriesBeside(list, shown, gone), ...changed, ...added];
  }
}

const rulesIn = ({ ipAccessList }: PropertyMap): readonly PropertyMap[] =>
  Array.isArray(ipAccessList) ? ipAccessList : [];

const lookAt = (id: string, { session, scope }: Context): Promise<PropertyMap> =>
  session.call("getPostgresService", { ...scope, ...namesOf(id, scope) });

async function inList(id: string, { session, scope }: Context): Promise<PropertyMap | undefined> {
  const all: Answer<"listPostgresServices"> = await nextList("listPostgresServices", scope, session);
  return all.find((each) => isSameId(each.id, id));
}

/** Waits until the service shows the size that it was asked for, since it shows the former one at first, and runs. */
async function awaitSize(
  postgres: PostgresDefinition,
  wanted: PropertyMap,
  aim: Aim,
  { id, context }: At,
): Promise<void> {
  const minutes = minutesFor(postgresWaiting, "update", aim.declared);
  const shows = (seen: PropertyMap | undefined) =>
    seen?.state === "running" && Object.entries(wanted).every(([name, value]) => seen[name] === value);
  const looks = Array.from({ length: Math.ceil((minutes * 60_000) / betweenLooks) }, () => betweenLooks);
  const look = async () => {
    const seen = await inList(id, context);
    // One list that lacks the service proves nothing. If the service is deleted, this wait fails.
    if (seen === undefined || failed.includes(String(seen.state)))
      await awaitRunning(postgres, aim, { id, context });
    return seen;
  };
  const seen = await seenAfter(await look(), shows, look, context.session, looks);
  if (shows(seen)) return;
  const values = Object.entries(wanted).map(([name, value]) => `${name} ${value}`);
  throw new Unfinished(
    "update",
    `${titleOf(postgres, id, {})} does not show ${values.join(" and ")} after ${minutes} min, the limit of waitMinutes; the next pulumi up goes on waiting`,
  );
}

/** Gives the service a command, and waits until it runs again. The answer proves nothing: it may show the state from before. */
async function commanded(
  postgres: PostgresDefinition,
  command: "promote" | "restart",
  aim: Aim,
  at: At,
  isBegun: (seen: PropertyMap) => boolean,
): Promise<PropertyMap> {
  const { id, context } = at;
  await at.call("updatePostgresState", { command });
  at.owe({ goal: undefined });
  const look = () => inList(id, context);
  await seenAfter(await look(), (seen) => seen !== undefined && isBegun(seen), look, context.session);
  return awaitRunning(postgres, aim, at);
}

/** Waits until the service runs. */
async function awaitRunning(
  postgres: PostgresDefinition,
  { declared, state }: Pick<Aim, "declared" | "state">,
  { id, context }: Pick<At, "id" | "context">,
): Promise<PropertyMap> {
  const minutes = minutesFor(postgresWaiting, "update", declared);
  const wait = { ends: ["running"], fails: failed, awaiting: "update", minutes, state } as const;
  const seen = await awaitState(postgres, id, wait, context);
  if (seen === "gone")
    throw new Error(`${titleOf(postgres, id, {})} was deleted while this change waited for it`);
  return seen;
}

/** Whether an update that did not finish has set parameters without the restart that they need. */
const owesRestart = ({ declared, state }: Aim): boolean =>
  declared.restartForConfig === true && trackingOf(state).goal === "running";

/** The parameters that the service lacks so far, as what an update that fails may have added. */
function addedParameters(
  changes: readonly { readonly name: string; readonly set: PropertyMap }[],
  live: Config,
): { readonly [path: string]: string } {
  return Object.fromEntries(
    changes.flatMap(({ name, set }) => {
      const map = schemaAt(postgresServiceInputs, name);
      const added = Object.keys(set).filter((key) => !(key in live[name as keyof Config]));
      return added.map((key) => [joinPath(name, key), digest(schemaAt(map, key), undefined)]);
    }),
  );
}

/**
 * Sets the parameters of the service, but those that it has. Only a request with all parameters removes one, so it repeats the
 * parameters of other people.
 */
async function configured(
  postgres: PostgresDefinition,
  aim: Aim,
  at: At,
  live: Config,
): Promise<PropertyMap | "unchanged" | undefined> {
  const { declared, desired, state } = aim;
  const { id, context } = at;
  const former = declaredIn(schemas, state);
  const formerNames = (name: (typeof configNames)[number]) => [
    ...Object.keys(mapIn(former, name)),
    ...attemptedMembersIn(schemas, state, name, live[name]),
  ];
  const setIn = (name: string) => Object.entries(mapIn(desired, name));
  const changes = configNames.map((name) => ({
    name,
    set: Object.fromEntries(
      setIn(name).filter(([key, value]) => !isSame(live[name as keyof Config][key], value)),
    ),
    removed: formerNames(name).filter(
      (key) => name in desired && !(key in mapIn(desired, name)) && key in live[name as keyof Config],
    ),
  }));
  const isReplaced = changes.some(({ removed }) => removed.length > 0);
  const restarted = () => {
    at.owe({ goal: "running" });
    return commanded(postgres, "restart", aim, at, (seen) => seen.state !== "running");
  };
  if (!isReplaced && changes.every(({ set }) => Object.keys(set).length === 0))
    return owesRestart(aim) ? restarted() : "unchanged";
  const body = Object.fromEntries(
    changes.map(({ name, set, removed }) => {
      const kept = Object.entries(live[name]).filter(([key]) => !removed.includes(key));
      return [name, sentParameters(name, isReplaced ? { ...Object.fromEntries(kept), ...set } : set)];
    }),
  );
  const attempted = addedParameters(changes, live);
  if (Object.keys(attempted).length > 0) at.owe({ attempted });
  // Only the answer says whether the parameters need a restart, so a lost one owes it.
  if (declared.restartForConfig === true) at.owe({ goal: "running" });
  let mayHaveBeenSet = false;
  const onSend = (isRepeated: boolean) => {
    mayHaveBeenSet = isRepeated;
  };
  const sending = at.call(isReplaced ? "replacePostgresConfig" : "updatePostgresConfig", body, {}, onSend);
  const { message } = await sending.catch((error) => {
    if (!mayHaveHappened(error) && !owesRestart(aim)) at.owe({ goal: undefined });
    throw error;
  });
  // A repeated request may find the parameters set, by one whose answer was lost, and then its answer asks for no restart.
  const isNeeded = mayHaveBeenSet || (typeof message === "string" && /restart/i.test(message));
  if (owesRestart(aim) || (declared.restartForConfig === true && isNeeded)) return restarted();
  at.owe({ goal: undefined });
  const words =
    message || (mayHaveBeenSet && "the answer that tells whether its parameters need a restart was lost");
  if (typeof words !== "string") return undefined;
  const advice = isNeeded ? "; restart it, or declare restartForConfig: true" : "";
  context.session.warnOnce(`${titleOf(postgres, id, {})}: ${words}${advice}`);
  return undefined;
}
