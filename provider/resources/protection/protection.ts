import { isDeepStrictEqual } from "node:util";
import type { Definition } from "../../lifecycle/definition";
import type { Steps } from "../../lifecycle/life";
import { perSession, type Session } from "../../lifecycle/session";
import { declaredIn, type State, trackingOf } from "../../lifecycle/state";
import type { Change } from "../../values/compare";
import type { PropertyMap } from "../../values/data";
import { containsUnknown } from "../../values/unknown";

type Typed = Pick<Definition, "type" | "noun" | "inputs" | "outputs">;

/** An object with data, of the Pulumi state, that an update changes in place, as far as the provider's diff knows. */
interface ChangedObject {
  readonly id: string;
  readonly title: string;
  readonly inputs: PropertyMap;
  readonly isProtected: boolean;
}

/** The object of a step that may lose its data. */
interface Subject {
  readonly id: string;
  readonly state: State;
  /** The state that the API shows of the object; undefined if no list shows it. */
  shownState(): Promise<string | undefined>;
}

/** What to do about an object in whose place the engine has made another one: both have the same URN, and no update reaches it. */
const pendingDeletion = (noun: string) =>
  `If the engine has made another ${noun} in its place, its entry in the state is pending deletion, and no update reaches it: run "pulumi stack export --file state.json", remove the entry with "delete": true there, and run "pulumi stack import --file state.json"`;

const howToUnprotect = "to allow that, first set deletionProtection to false in an update of its own";

const changedIn = perSession(() => new Map<string, ChangedObject>());

export const titleOf = ({ noun }: Pick<Typed, "noun">, id: string, { name }: PropertyMap): string =>
  typeof name === "string" ? `${noun} ${id} (${name})` : `${noun} ${id}`;

/**
 * Warns at a refresh that an object with data is lost: it is gone, or somebody has deleted it, and it is still shown.
 *
 * @param dying the states of an object that is being deleted, or has been deleted
 */
export function warnOfLoss(title: string, live: Live, dying: readonly string[], session: Session): void {
  if (live === "gone")
    session.warnOnce(
      `${title} was deleted, and its data is lost: the next update makes another one, which is empty and billed`,
    );
  const shown = typeof live === "object" ? String(live.state.state) : "";
  if (dying.includes(shown))
    session.warnOnce(
      `${title} is ${shown}: somebody has deleted it, and its data is lost; once it is gone, the update after a refresh makes another one, which is empty and billed`,
    );
}

type Live = Awaited<ReturnType<Steps["read"]>>;

/** The deletion protection of a type whose objects hold data. */
export class Protection {
  /**
   * @param neverRan the states of an object that has not run yet, and so has no data
   */
  constructor(
    private readonly resource: Typed,
    private readonly neverRan: readonly string[],
  ) {}

  /**
   * Whether an object is protected from deletion, since it may have data. One that never ran has none: the update that created it
   * ended before it ran, and it still shows a state from that time.
   *
   * @param shown the state that the API shows; undefined if no list shows the object
   */
  covers(state: State, shown: string | undefined): boolean {
    if (state.deletionProtection === false) return false;
    const isUnfinished = trackingOf(state).awaiting === "create";
    return !(isUnfinished && (shown === undefined || this.neverRan.includes(shown)));
  }

  /** @throws Error if the object is protected from deletion */
  async refuseDeletion({ id, state, shownState }: Subject): Promise<void> {
    const isUnfinished = trackingOf(state).awaiting === "create";
    if (!this.covers(state, isUnfinished ? await shownState() : "")) return;
    const title = titleOf(this.resource, id, state);
    throw new Error(
      `${title} is not deleted: it is protected, and its data would be lost; ${howToUnprotect}\n${pendingDeletion(this.resource.noun)}`,
    );
  }

  /**
   * The changes of an object, of which those that would replace a protected one are refused, and those that replace another one
   * are warned of.
   *
   * @throws Error if a change would replace a protected object
   */
  async guard(
    changes: Change[],
    inputs: PropertyMap,
    { id, state, shownState }: Subject,
    session: Session,
  ): Promise<Change[]> {
    if (changes.length === 0) return changes;
    const title = titleOf(this.resource, id, state);
    const declared = declaredIn(this.resource, inputs);
    const { type } = this.resource;
    const noteAs = (isProtected: boolean) =>
      changedIn(session).set(`${type} ${id}`, { id, title, inputs: declared, isProtected });
    const replacing = changes.filter(({ replaces }) => replaces);
    if (replacing.length === 0) {
      noteAs(this.covers(state, undefined));
      return changes;
    }
    if (!this.covers(state, await shownState())) {
      noteAs(false);
      session.warnOnce(
        `${replacing.map(({ path }) => path).join(", ")}: the change will replace ${title} by an empty one, and its data will be lost`,
      );
      return changes;
    }
    // If a preview does not know the new value of a property, the value may turn out unchanged. So the preview does not refuse
    // the object's replacement because of such a property.
    const isOpen = ({ path }: Change) => containsUnknown(inputs[path]);
    const known = replacing.filter((change) => !isOpen(change)).map(({ path }) => path);
    if (known.length > 0)
      throw new Error(
        `${known.join(", ")}: the change would replace ${title}, which is protected, by an empty one, and lose its data; ${howToUnprotect}`,
      );
    noteAs(true);
    return changes.map((change) => ({ ...change, replaces: false }));
  }

  /**
   * Refuses a create by which the engine would replace a protected object: with `replaceOnChanges`, the engine calls no diff for
   * the replacement, but the create has the very inputs of the change. An object that is not protected counts as replaced.
   *
   * @throws Error before any request, so that no second object is made and billed
   */
  refuseEngineReplacement(inputs: PropertyMap, session: Session): void {
    const { type } = this.resource;
    const declared = declaredIn(this.resource, inputs);
    const changed = [...changedIn(session)].find(
      ([key, other]) => key.startsWith(`${type} `) && isDeepStrictEqual(other.inputs, declared),
    )?.[1];
    if (!changed) return;
    if (changed.isProtected)
      throw new Error(
        `the engine would replace ${changed.title}, which is protected, by an empty one (see its option replaceOnChanges), and lose its data; nothing was created. Take the option out of the program; ${howToUnprotect}`,
      );
    session.run.noteReplaced({ type }, changed.id);
  }
}
