import { isAbsent, isEmpty, labelOf, replacementAt } from "../values/compare";
import { type PropertyMap, pick } from "../values/data";
import { idOf, inOrderOf, setAt } from "../values/pairing";
import { annotationsOf, schemaAt } from "../values/schema";
import type { TObject } from "../values/schemaBuilders";
import { attemptedIn } from "./attempts";
import { bodyOf } from "./body";
import { confirmed, plainValue } from "./confirm";
import { decode } from "./decode";
import { type Definition, isSingleton, titleOf } from "./definition";
import { look, wholeOf } from "./look";
import {
  type Before,
  conflictsIn,
  driftIn,
  type Judgements,
  judgementsOf,
  mergeWritten,
  type Overwriting,
  type Place,
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
  trackingOf,
  undeclaredIn,
  type Written,
} from "./state";
import { type Aim, apply, type Request } from "./steps";
import { retryWithoutRefused, warnOfLost } from "./unmanagedFields";

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
  const object = titleOf(resource, id);
  const isKnown = Object.keys(state).length > 0;
  const base = live && decode(resource, live);
  const current = base && { ...base.inputs, ...base.outputs };
  const withIds = (values: PropertyMap) =>
    resource.pair?.(values, isKnown || !current ? state : current, current) ?? values;
  const former = declaredIn(resource, state);
  const formerEntries = formerlyDeclaredIn(resource, state);
  // A list that the program no longer declares is emptied by the update, so what stays in it is judged as well.
  const emptied = Object.keys(desired).filter((name) => !(name in declared) && isEmptyList(desired[name]));
  const managed = { ...declared, ...pick(desired, emptied) };

  // What an update that failed may have set was the program's, and is not repeated once the program leaves it out.
  const attempted = base ? pick(base.inputs, attemptedIn(resource, state, base.inputs)) : {};
  const before = withIds({ ...attempted, ...former });
  // The form in which the program had declared the object tells what it gives up from what others have set. Entries with ids are
  // known by these.
  const inFormerForm = (values: PropertyMap) =>
    isKnown && !resource.pair
      ? decode(resource, values, former, state, formerEntries)
      : decode(resource, values);
  const knownLive = live && inFormerForm(live);
  const shownBefore = knownLive && { ...knownLive.inputs, ...knownLive.outputs };
  const parts = { desired: withIds(desired), before, live: shownBefore, state, answer: live };
  const body = bodyOf(resource, object, parts, session);
  const decoded = (values: PropertyMap, sent: PropertyMap) =>
    decode(resource, values, managed, sent, formerEntries);
  const shown = live && decoded(live, body.full);
  const inOrder = live && resource.pair && decoded(inOrderOf(body.full, live), body.full);
  const known: Before = {
    looks: [shown, inOrder].flatMap((look) => (look ? [look.inputs] : [])),
    state: withIds(state),
    ...judgementsIn(state),
    attempted: trackingOf(state).attempted,
    body: body.full,
  };
  const visible = shownPart(resource, managed);
  const written = {
    object,
    schema: resource.inputs,
    declared: isKnown && shown ? withFixed(resource, visible, known, shown.inputs) : visible,
    before: known,
  };
  if (shown && !isKnown && !isSingleton(resource) && isAsDeclared(resource, written.declared, desired, shown))
    return { ...shown, ...judgementsOf([]) };
  const conflicts =
    live && isKnown ? conflictsOf(resource, live, desired, emptied, state, written, session) : [];
  if (conflicts.length > 0) reportConflicts(object, conflicts, session);
  const send = (each: PropertyMap) => {
    const aim = { declared, desired: each, live: current ?? state, state, settings: session.settings };
    return sendSteps(resource, id, aim, context);
  };
  const accepted = await send(body.full).then(
    (answer) => ({ answer, body: body.full }),
    (error) => retryWithoutRefused(object, error, body, send, session),
  );
  const lookAgain = async () => {
    const again = await look(resource, { moment: "afterWrite", id, state, context });
    return isSeen(again) ? decoded(again, accepted.body) : undefined;
  };
  const answer = accepted.answer.at(-1) ?? {};
  const during = accepted.answer.slice(0, -1).map((each) => decoded(each, accepted.body).inputs);
  const isCarriedOut = live && hasNewIds(resource.inputs, live, answer);
  const meanwhile: Before = {
    ...known,
    ...(resource.waiting && { shown: [...known.looks, ...during] }),
    ...(isCarriedOut !== undefined && { isCarriedOut }),
  };
  if (knownLive && accepted.body === body.full)
    warnOfLost(object, body, knownLive.inputs, inFormerForm(answer).inputs, session);
  const answered = decoded(answer, accepted.body);
  return confirmed(answered, { ...written, before: meanwhile, look: lookAgain }, session);
}

/**
 * Sends an update by the steps of its type.
 * @returns what the service showed of the object after each step, at least once
 */
async function sendSteps(
  resource: Definition,
  id: string,
  aim: Aim,
  context: Context,
): Promise<readonly PropertyMap[]> {
  if (resource.send) return [await resource.send(id, aim, context)];
  const steps = resource.steps?.(aim) ?? [updateOf(resource, aim.desired)];
  const shown = await apply(steps, { id, context, list: resource.operations.list });
  return shown.length > 0 ? shown : [await wholeOf(resource, {}, id, context)];
}

/** Whether an answer proves by new ids that an update was carried out; undefined if the type has no such ids, or they are not shown. */
function hasNewIds({ properties }: TObject, before: PropertyMap, answer: PropertyMap): boolean | undefined {
  const name = Object.keys(properties).find((each) => annotationsOf(properties[each] as TObject).newIds);
  if (name === undefined) return undefined;
  const [former, now] = [before[name], answer[name]].map((list) =>
    Array.isArray(list) ? list.flatMap((entry) => idOf(entry) ?? []) : [],
  ) as [string[], string[]];
  return former.length > 0 && now.length > 0 ? !now.some((id) => former.includes(id)) : undefined;
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

/**
 * The values that somebody else has changed since the last deployment or refresh, and that the update overwrites, for a message.
 * @param emptied the names of lists that the program does not declare, and that the update empties
 */
function conflictsOf(
  resource: Definition,
  live: PropertyMap,
  desired: PropertyMap,
  emptied: readonly string[],
  state: State,
  written: Pick<Overwriting, "schema" | "declared" | "before">,
  session: Session,
): readonly string[] {
  const former = declaredIn(resource, state);
  const undeclared = { ...resource.inferredInputs?.(state), ...undeclaredIn(state) };
  const whole = { ...pick(undeclared, Object.keys(written.declared)), ...shownPart(resource, former) };
  // An update request that does not replace the whole object leaves undeclared properties alone, so it overwrites nothing that
  // somebody else has changed in them.
  const known = session.replaces(resource.operations.update) ? whole : pick(whole, Object.keys(desired));
  const base = { ...known, ...absentIn(resource, desired, state, known) };
  const inForm = (declared: PropertyMap) => decode(resource, live, declared, state).inputs;
  // A refresh has shown a list that the program did not declare in another form, such as filters with their ids.
  const shownBeside = emptied.filter((name) => name in undeclared);
  const now = { ...inForm({ ...former, ...base }), ...pick(inForm(former), shownBeside) };
  const isNothing = ({ left, right }: Place) => isAbsent(left) && isEmpty(right);
  const conflicts = conflictsIn({ ...written, base, live: now });
  return conflicts
    .filter((place) => !isNothing(place))
    .map((place) => {
      const value = plainValue(resource.inputs, place);
      return `${labelOf(base, place.keys)}${value === undefined ? "" : ` (now ${value})`}`;
    });
}

/**
 * The members to be written, without values, unless the Pulumi state may lack what the API showed: it keeps no value that may repeat
 * a secret, and nothing undeclared of an object whose create or takeover failed.
 */
function absentIn(
  { inputs }: Pick<Definition, "inputs">,
  desired: PropertyMap,
  state: State,
  known: PropertyMap,
): PropertyMap {
  const { awaiting, undeclared, previous } = trackingOf(state);
  if (awaiting === "create" || (previous && !undeclared)) return {};
  const names = Object.keys(desired).filter(
    (name) => !(name in known) && annotationsOf(schemaAt(inputs, name)).shown !== "declared",
  );
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/**
 * Warns of the values that somebody else has changed since the last deployment or refresh, and that the update overwrites.
 * @throws Error where the setting `onConflict` is `fail`
 */
function reportConflicts(object: string, changes: readonly string[], session: Session): void {
  const conflict = `${object}: somebody else changed ${changes.join(", ")} since the last deployment or refresh`;
  if (session.settings.onConflict === "fail") {
    throw new Error(
      `${conflict}, and nothing was written, since onConflict is "fail"; "pulumi refresh" takes the change into the state, and then the update overwrites it`,
    );
  }
  session.warnOnce(`${conflict}; the update overwrites this change`);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
