import { type Difference, equal, isAbsent, labelOf, replacementAt } from "../values/compare";
import { type PropertyMap, pick } from "../values/data";
import { entryName, type ListEntry } from "../values/entries";
import { inOrderOf, Places, setAt, valueAt } from "../values/pairing";
import { annotationsOf, schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import { isTold } from "../values/secretValues";
import { counted, firstOf } from "../values/wording";
import { bodyOf } from "./body";
import { decode } from "./decode";
import { type Definition, isSingleton } from "./definition";
import { look, wholeOf } from "./look";
import {
  type Before,
  conflictsIn,
  driftIn,
  type Judgements,
  judgementsOf,
  mergeWritten,
  type WrittenPlace,
} from "./merge";
import { aboutObject } from "./observe";
import type { Context } from "./scope";
import type { Session } from "./session";
import {
  declaredIn,
  formerlyDeclaredIn,
  isSeen,
  judgementsIn,
  type LiveState,
  type State,
  shownPart,
  undeclaredIn,
  type Written,
} from "./state";
import { apply, type Request } from "./steps";
import { retryWithoutRefused } from "./unmanagedFields";

interface Versions {
  readonly declared: PropertyMap;
  /** The declared inputs to send, and reset values for the inputs that the program no longer declares. */
  readonly desired: PropertyMap;
  /** The last known Pulumi state of the object; empty for an object that is taken over. */
  readonly state: State;
  readonly live: PropertyMap | undefined;
}

/**
 * Updates an object with the declared inputs; for a singleton such as a query endpoint, the request may also create it.
 * @throws Error if the update overwrites somebody else's change, and the setting `onConflict` is `fail`
 */
export async function write(
  resource: Definition,
  id: string,
  { declared, desired, state, live }: Versions,
  context: Context,
): Promise<Written> {
  const { session } = context;
  const object = `${resource.noun} ${isSingleton(resource) ? "of service " : ""}${id}`;
  const isKnown = Object.keys(state).length > 0;
  const current = live && valuesOf(decode(resource, live));
  const withIds = (values: PropertyMap) =>
    resource.pair?.(values, isKnown || !current ? state : current, current) ?? values;
  const former = declaredIn(resource, state);
  const formerEntries = formerlyDeclaredIn(resource, state);
  // A list that the program no longer declares is emptied by the update, so what stays in it is judged as well.
  const emptied = Object.entries(desired).filter(
    ([name, value]) => !(name in declared) && isEmptyList(value),
  );
  const managed = { ...declared, ...Object.fromEntries(emptied) };

  const parts = { desired: withIds(desired), before: withIds(former), live: current, state, answer: live };
  const body = bodyOf(resource, object, parts, session);
  const decoded = (values: PropertyMap, sent: PropertyMap) =>
    decode(resource, values, managed, sent, formerEntries);
  const shown = live && decoded(live, body.full);
  const inOrder = live && resource.pair && decoded(inOrderOf(body.full, live), body.full);
  const before: Before = {
    looks: [shown, inOrder].flatMap((look) => (look ? [look.inputs] : [])),
    state: withIds(state),
    ...judgementsIn(state),
    body: body.full,
  };
  const visible = shownPart(resource, managed);
  const written = {
    object,
    schema: resource.inputs,
    declared: isKnown && shown ? withFixed(resource, visible, before, shown.inputs) : visible,
    before,
  };
  if (shown && !isKnown && !isSingleton(resource) && isAsDeclared(resource, written.declared, desired, shown))
    return { ...shown, ...judgementsOf([]) };
  if (live && isKnown) {
    const undeclared = { ...resource.inferredInputs?.(state), ...undeclaredIn(state) };
    const base = { ...pick(undeclared, Object.keys(written.declared)), ...shownPart(resource, former) };
    // An update request that does not replace the whole object leaves undeclared properties alone, so it overwrites nothing
    // that somebody else has changed in them.
    const overwritten = session.replaces(resource.operations.update)
      ? base
      : pick(base, Object.keys(desired));
    const now = decode(resource, live, { ...former, ...overwritten }, state).inputs;
    const conflicts = conflictsIn({ ...written, base: overwritten, live: now });
    reportConflicts(
      object,
      conflicts.map((place) => {
        const value = plainValue(resource.inputs, place);
        return `${labelOf(overwritten, place.keys)}${value === undefined ? "" : ` (now ${value})`}`;
      }),
      session,
    );
  }
  const send = async (each: PropertyMap): Promise<readonly PropertyMap[]> => {
    if (resource.send) return [await resource.send(id, each, context)];
    const aim = { declared, desired: each, live: current ?? state, state, settings: session.settings };
    const steps = resource.steps?.(aim) ?? [updateOf(resource, each)];
    const shown = await apply(steps, { id, context, list: resource.operations.list });
    return shown.length > 0 ? shown : [await wholeOf(resource, {}, id, context)];
  };
  const accepted = await retryWithoutRefused(object, body, send, session);
  const lookAgain = async () => {
    const again = await look(resource, { moment: "afterWrite", id, state, context });
    return isSeen(again) ? decoded(again, accepted.body) : undefined;
  };
  const answer = accepted.answer.at(-1) ?? {};
  const during = accepted.answer.slice(0, -1).map((each) => decoded(each, accepted.body).inputs);
  const isCarriedOut = live && resource.isCarriedOut?.(live, answer);
  const meanwhile: Before = {
    ...before,
    ...(resource.waiting && { shown: [...before.looks, ...during] }),
    ...(isCarriedOut !== undefined && { isCarriedOut }),
  };
  const answered = decoded(answer, accepted.body);
  return confirmed(answered, { ...written, before: meanwhile, look: lookAgain }, session);
}

/** The request that updates an object, of which most updates consist. */
export function updateOf(resource: Definition, body: PropertyMap): Request {
  const { update } = resource.operations;
  return {
    operation: update,
    body,
    shown: (answer, { id, context }) =>
      isSingleton(resource)
        ? answer
        : wholeOf(resource, aboutObject(answer, update, id, context.session), id, context),
  };
}

/**
 * The declared values, with the live ones of drifted members that only a create takes: no update writes these, so the update
 * neither warns of them nor records their live values as the service's form. The next refresh shows the drift again.
 */
function withFixed(
  { inputs }: Pick<Definition, "inputs">,
  declared: PropertyMap,
  judgements: Judgements,
  live: PropertyMap,
): PropertyMap {
  const fixed = driftIn(inputs, declared, judgements, live).filter(
    ({ keys }) => replacementAt(inputs, keys) === true,
  );
  if (fixed.length === 0) return declared;
  const result = structuredClone(declared);
  for (const { keys, right } of fixed) setAt(result, keys, right);
  return result;
}

/** Whether an object that is taken over already has all declared values, so that no update request is needed. */
function isAsDeclared(
  { inputs }: Pick<Definition, "inputs">,
  declared: PropertyMap,
  desired: PropertyMap,
  live: LiveState,
): boolean {
  const isShown = Object.keys(desired).every((name) => name in declared);
  return isShown && mergeWritten(inputs, declared, live.inputs).length === 0;
}

function valuesOf({ inputs, outputs }: LiveState): PropertyMap {
  return { ...inputs, ...outputs };
}

/**
 * Warns of the values that somebody else has changed since the last deployment or refresh, and that the update overwrites.
 * @throws Error where the setting `onConflict` is `fail`
 */
function reportConflicts(object: string, changes: readonly string[], session: Session): void {
  if (changes.length === 0) return;
  const conflict = `${object}: somebody else changed ${changes.join(", ")} since the last deployment or refresh`;
  if (session.settings.onConflict === "fail") {
    throw new Error(
      `${conflict}, and nothing was written, since onConflict is "fail"; "pulumi refresh" takes the change into the state, and then the update overwrites it`,
    );
  }
  session.warnOnce(`${conflict}; the update overwrites this change`);
}

interface AnsweredWrite {
  /** The name of the written object in a warning, such as `alert 66f0c2d8a1b2c3d4e5f60701`. */
  readonly object: string;
  readonly schema: TSchema;
  /** The declared values that the API's answers can show. */
  readonly declared: PropertyMap;
  /** The values of the object that the provider knew before the write; absent if the write creates the object. */
  readonly before?: Before;
  /** Reads the object again after the write; undefined if the API does not show it. */
  look(): Promise<LiveState | undefined>;
}

/** Milliseconds before each further read of an object that still shows the values from before a write. */
const waits = [0, 250, 1000];

/**
 * Compares the API's answer to a write with the declared values, and reads again if they differ: a replica may still show the
 * old values, and an API may ignore a request. A warning names the values that stay in doubt.
 *
 * @param answered the object as the answer to the write shows it
 */
export async function confirmed(
  answered: LiveState,
  { object, schema, declared, before, look: lookAgain }: AnsweredWrite,
  session: Session,
): Promise<Written> {
  let live = answered;
  let places = mergeWritten(schema, declared, live.inputs, before);
  let hasLooked = false;
  for (const wait of waits) {
    const [unchanged, dropped] = [placesOf("unchanged", places), placesOf("dropped", places)];
    const isInDoubt =
      unchanged.length > 0 || placesOf("incomplete", places).length > 0 || (dropped.length > 0 && !hasLooked);
    if (!isInDoubt) break;
    await session.interruption.pause(wait);
    // The API has carried out the write, so an error of a further read must not make the write fail.
    const look = await lookAgain().catch(() => undefined);
    if (!look) break;
    hasLooked = true;
    const written = mergeWritten(schema, declared, look.inputs, before);
    // A read that shows more old values than the answer to the write comes from a replica or list that lags, so it is ignored.
    const asBefore = new Places(places.filter((place) => place.isAsBefore).map(({ keys }) => keys));
    const isAsAnswered = (place: WrittenPlace) =>
      asBefore.cover(place.keys) && equal(place.schema, valueAt(live.inputs, place.keys), place.right);
    if (written.some((place) => place.isAsBefore && !isAsAnswered(place))) continue;
    live = { inputs: look.inputs, outputs: { ...live.outputs, ...look.outputs } };
    places = written;
  }
  for (const place of placesOf("normalized", places).filter(({ isAsBefore }) => isAsBefore)) {
    session.warnOnce(
      `${object}: the service kept ${shownValue(schema, place)} for ${labelOf(declared, place.keys)} after two updates; from now on it counts as the service's form of the declared value, and not as drift`,
    );
  }
  for (const { keys } of placesOf("drifted", places)) {
    session.warnOnce(
      `${object}: somebody else changed ${labelOf(declared, keys)} during this update; the change was left as it is, and a refresh shows it as drift`,
    );
  }
  for (const place of placesOf("unchanged", places)) {
    session.warnOnce(
      `${object}: the service still shows ${shownValue(schema, place)} for ${labelOf(declared, place.keys)}; run "pulumi refresh" to see whether the change was applied`,
    );
  }
  for (const place of placesOf("incomplete", places))
    session.warnOnce(`${object}: ${incompleteness(place, labelOf(declared, place.keys))}`);
  const dropped = placesOf("dropped", places);
  if (hasLooked && dropped.length > 0) {
    const paths = dropped.map(({ keys }) => labelOf(declared, keys)).join(", ");
    session.warnOnce(
      `${object}: the service dropped ${paths}, which it may not know; check the name and the server's version`,
    );
  }
  return { ...live, ...judgementsOf(places) };
}

function placesOf(verdict: WrittenPlace["verdict"], places: readonly WrittenPlace[]): WrittenPlace[] {
  return places.filter((place) => place.verdict === verdict);
}

/** Names the entries by which a list differs after a write, and says what happens next. */
function incompleteness({ presence: { missing, foreign }, owed }: WrittenPlace, label: string): string {
  const named = (words: string, entries: readonly ListEntry[]) => {
    const known = entries.flatMap((entry) => entryName(entry) ?? []);
    const names = known.length === 0 ? counted(entries.length, "entry") : firstOf(known, mostNamed);
    return entries.length === 0 ? [] : [`${words} ${names}`];
  };
  const parts = [
    ...named("lacks", missing),
    ...named(
      "has undeclared",
      foreign.filter(({ value }) => !owed.includes(value)),
    ),
    ...named(
      "still has the removed",
      foreign.filter(({ value }) => owed.includes(value)),
    ),
  ];
  const isOwedAlone = missing.length === 0 && foreign.every(({ value }) => owed.includes(value));
  const next = isOwedAlone ? "the next update removes it" : "the next update after a refresh mends it";
  return `after this update, the list ${label} of the service ${parts.join(", and ")}; ${next}`;
}

/** Maximum number of entries of a list that a warning names. */
const mostNamed = 5;

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function shownValue(schema: TSchema, place: Difference): string {
  return plainValue(schema, place) ?? "the old value";
}

/**
 * The live value of a property for a warning; undefined for lists, objects and free texts, which the program may keep secret.
 */
export function plainValue(
  schema: TSchema,
  { keys, schema: valueSchema, right }: Difference,
): string | undefined {
  if (isAbsent(right)) return "nothing";
  const isSecret = annotationsOf(schemaAt(schema, keys[0] ?? "")).secret;
  const isPlain =
    typeof right === "string" ? isTold(valueSchema, right) : ["number", "boolean"].includes(typeof right);
  return isPlain && !isSecret ? JSON.stringify(right) : undefined;
}
