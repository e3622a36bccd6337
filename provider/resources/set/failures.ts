import { PossiblyCreated } from "../../api/errors";
import type { Session } from "../../lifecycle/session";
import type { PropertyMap } from "../../values/data";
import { counted, firstOf, listedIds, plural, withArticle } from "../../values/wording";
import type { Entry } from "./entries";
import { mostNamed } from "./rules";

/** An entry in a set whose creation, update or deletion failed. */
export interface Failed {
  readonly key: string;
  readonly error: Error;
}

export interface Naming {
  /** The noun in messages for an entry of a set: `alert`. Its resource type, `Alert`, is in `type`. */
  readonly noun: string;
  readonly type: string;
  /** The path of an entry in a set, for messages: `alerts["errors"]`. */
  readonly at: (key: string) => string;
}

/**
 * Writes all entries of a set at the same time, and returns those that failed. A failure does not stop the
 * others.
 */
export async function eachOf(
  steps: readonly (readonly [key: string, step: () => Promise<unknown>])[],
): Promise<Failed[]> {
  const failures: Failed[] = [];
  const run = ([key, step]: (typeof steps)[number]) =>
    step().catch((error: Error) => failures.push({ key, error }));
  await Promise.all(steps.map(run));
  return failures;
}

/**
 * Sums up the failed entries of a set in one message. First it names every creation that may have been
 * carried out, since nothing else names these objects, then the first of the other failures. Warnings give the reasons of
 * further ones.
 *
 * @returns undefined if no entry failed
 */
export function failureOf(
  failures: readonly Failed[],
  count: number,
  naming: Naming,
  session: Session,
): string | undefined {
  if (failures.length === 0) return undefined;
  const doubts = failures.flatMap(({ key, error }) =>
    error instanceof PossiblyCreated ? [{ key, error }] : [],
  );
  const refusals = failures.filter(({ error }) => !(error instanceof PossiblyCreated));
  const summary = `${failures.length} of ${counted(count, naming.noun)} failed, and the others succeeded`;
  const parts = [...doubtsOf(doubts, naming), ...reasonsOf(refusals, naming, session)];
  return `${summary}: ${parts.join("; ")}`;
}

/**
 * The part of the error message of a set about creations that may have been carried out, with the known ids
 * of the objects.
 */
function doubtsOf(
  doubts: readonly { readonly key: string; readonly error: PossiblyCreated }[],
  { noun, type, at }: Naming,
): string[] {
  const [first] = doubts;
  if (!first) return [];
  const listOf = (ids: readonly string[]) => [...new Set(ids)].join(", ");
  const candidates = listOf(doubts.flatMap(({ error }) => error.doubt.candidates));
  const changed = listOf(doubts.flatMap(({ error }) => error.doubt.changed));
  const unseen = listOf(
    doubts.flatMap(({ error: { doubt } }) => (doubt.candidates.length > 0 ? [] : doubt.description)),
  );
  const objects = [candidates, unseen].filter((part) => part !== "").join(", or ");
  const perhaps = changed === "" ? "" : `, which the service may have turned into one of ${changed}`;
  return [
    `${counted(doubts.length, "request")} may have created ${withArticle(noun)} that is not in the state, for ${doubts.map(({ key }) => at(key)).join(", ")}: the next update looks for them, and takes those that it finds. To look yourself before you run the update again, run npx pipestack orphans --only ${type}; of what it lists, these may be meant: ${objects}${perhaps} (${inOneLine(first.error.doubt.reason)})`,
  ];
}

function reasonsOf([first, ...further]: readonly Failed[], { at }: Naming, session: Session): string[] {
  if (!first) return [];
  for (const { key, error } of further.slice(0, mostNamed))
    session.warnOnce(`${at(key)} failed in addition to ${at(first.key)}: ${inOneLine(error.message)}`);
  const named = firstOf(
    further.map(({ key }) => at(key)),
    mostNamed,
  );
  return [
    `${at(first.key)}: ${inOneLine(first.error.message)}`,
    ...(named === "" ? [] : [`${named} failed, too`]),
  ];
}

/**
 * The error if destroying a set has left objects. The Pulumi engine then keeps the whole set in its state.
 */
export function leftAfterDestroy(
  failures: readonly Failed[],
  entries: readonly (readonly [key: string, entry: Entry])[],
  naming: Naming,
  session: Session,
): string {
  const ids = new Map(entries.map(([key, { id }]) => [key, id]));
  const left = failures.map(({ key }) => `${naming.at(key)} (${ids.get(key)})`);
  const { noun } = naming;
  return `${failures.length} of ${counted(entries.length, noun)} may be left, and the others are deleted, although the state still has all of them: destroy again, or run "pulumi refresh" before you keep the stack: ${reasonsOf(failures, naming, session).join("; ")}. Left: ${firstOf(left, mostNamed)}`;
}

export function twinsMessage(twins: readonly PropertyMap[], { noun, type }: Naming): string {
  const isSingle = twins.length === 1;
  const subject = `${counted(twins.length, noun)} younger than a day ${isSingle ? "is" : "are"} equal`;
  const pronoun = isSingle ? "it" : "them";
  return `${subject} to ${plural(noun)} that the set is about to create, and this program does not hold ${pronoun}: ${listedIds(twins)}. Unless this update replaces the set, one that was killed or failed may have left ${pronoun}: run npx pipestack orphans --only ${type} with all of your stacks, and delete what it lists of these`;
}

function inOneLine(message: string): string {
  return message.replaceAll("\n", ". ");
}
