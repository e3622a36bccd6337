import { deleteUnlessDeclared } from "../../lifecycle/delete";
import { youngDuplicates } from "../../lifecycle/duplicates";
import { type Resource, updateAsFarAsPossible } from "../../lifecycle/resource";
import type { Session } from "../../lifecycle/session";
import type { State } from "../../lifecycle/state";
import type { PropertyMap } from "../../values/data";
import { isUnknown } from "../../values/unknown";
import { doubtsOf, settleDoubts } from "./doubts";
import type { Entries, Entry, EntryForm } from "./entries";
import { eachOf, failureOf, leftAfterDestroy, twinsMessage } from "./failures";

/** Writes the entries of a set, all at the same time, each by its own resource type. */
export class EntryWrites {
  readonly #type: string;
  readonly #of: Resource;
  readonly #form: EntryForm;

  constructor(type: string, of: Resource, form: EntryForm) {
    this.#type = type;
    this.#of = of;
    this.#form = form;
  }

  /**
   * Records which objects the entries of a set have, including objects that the set is about to delete.
   *
   * @throws Error if another resource adopts one of them: the Pulumi engine does not order the adoption and the set's update
   */
  hold(set: string, entries: Entries, session: Session): void {
    const claims = session.run.claims;
    for (const [key, { id }] of entries) {
      const owner = { identity: ownerOf(set, key), title: `${this.#type}, ${this.#form.at(key)}` };
      const rival = claims?.holdEntry(this.#of, id, owner, session);
      if (rival)
        throw new Error(
          `${this.#of.noun} ${id} belongs to ${owner.title}, and ${rival} has its id as adoptId: ${noHandOver}`,
        );
    }
  }

  leaving<Value>(inputs: PropertyMap, entries: ReadonlyMap<string, Value>): [key: string, entry: Value][] {
    if (isUnknown(inputs[this.#form.member])) return [];
    const keys = new Set(this.#form.declaredIn(inputs).map(([key]) => key));
    return [...entries].filter(([key]) => !keys.has(key));
  }

  async delete(id: string, state: State, session: Session): Promise<void> {
    const none = { ...state, [this.#form.member]: {} };
    const { before } = await settleDoubts(this.#of, this.#form, state, none, this.#naming, session);
    const entries = [...before];
    const failures = await eachOf(
      entries.map(([key, entry]) => [key, () => this.#remove(id, key, entry, session)]),
    );
    if (failures.length > 0) throw new Error(leftAfterDestroy(failures, entries, this.#naming, session));
  }

  get #naming() {
    return { noun: this.#of.noun, type: this.#of.type, at: this.#form.at };
  }

  async apply(set: string, state: State, inputs: PropertyMap, session: Session) {
    const declared = this.#form.declaredIn(inputs) as (readonly [string, PropertyMap])[];
    const begunAt = new Date().toISOString();
    const { before, open } = await settleDoubts(this.#of, this.#form, state, inputs, this.#naming, session);
    await this.#reportDuplicates(
      declared.filter(([key]) => !before.has(key)).map(([, values]) => values),
      before,
      session,
    );
    const entries = new Map(before);
    const left = this.leaving(inputs, before);
    const failures = [
      ...(await eachOf(
        declared.map(([key, values]) => [key, () => this.#write(set, key, values, entries, session)]),
      )),
      ...(await eachOf(
        left.map(([key, entry]) => [
          key,
          async () => {
            // After the diff of a set, the check of another resource may have recorded that the resource
            // adopts the object of an entry that the set is about to remove. An adopted object must not be deleted.
            this.hold(set, new Map([[key, entry]]), session);
            await this.#remove(set, key, entry, session);
            entries.delete(key);
          },
        ]),
      )),
    ];
    const doubts = new Map([
      ...open,
      ...doubtsOf(this.#of, failures, new Map(declared), entries, begunAt, inputs, session),
    ]);
    return {
      state: this.#form.stateOf(inputs, entries, doubts),
      isKept: entries.size > 0 || doubts.size > 0,
      failure: failureOf(failures, declared.length + left.length, this.#naming, session),
    };
  }

  /**
   * Creates or updates one entry of a set, and records the id of the entry's object as soon as it exists.
   */
  async #write(
    set: string,
    key: string,
    values: PropertyMap,
    entries: Map<string, Entry>,
    session: Session,
  ): Promise<void> {
    const entry = entries.get(key);
    const changes = entry ? await this.#of.diff(entry.id, entry.state, values, session) : [];
    if (!entry || changes.some(({ replaces }) => replaces)) {
      const { id, state, failure } = await this.#of.create(values, session);
      entries.set(key, { id, state, isUnfinished: failure !== undefined });
      if (entry) await this.#removeFormer(set, key, entry, session);
      if (failure) throw failure;
      return;
    }
    if (changes.length === 0 && !entry.isUnfinished) return;
    const { state, failure } = await updateAsFarAsPossible(this.#of, entry.id, entry.state, values, session);
    entries.set(key, { id: entry.id, state, isUnfinished: false });
    if (failure) throw failure;
  }

  /**
   * Deletes the former object of an entry in a set after its replacement, since the Pulumi state only keeps
   * the id of the new object.
   */
  async #removeFormer(set: string, key: string, entry: Entry, session: Session): Promise<void> {
    try {
      await this.#remove(set, key, entry, session);
    } catch (error) {
      const { message } = error as Error;
      throw new Error(
        `the old ${this.#of.noun} ${entry.id} was not deleted after the new one was created: ${message}`,
      );
    }
  }

  /**
   * Warns of existing objects that equal new entries of a set: an update that was killed may have left them.
   *
   * @throws Error if there are any and the setting `onConflict` is `fail`
   */
  async #reportDuplicates(created: readonly PropertyMap[], before: Entries, session: Session): Promise<void> {
    const message = await this.duplicatesOf(created, before, session);
    if (message === undefined) return;
    if (session.settings.onConflict === "fail")
      throw new Error(`${message}; nothing was created, since onConflict is "fail"`);
    session.warnOnce(message);
  }

  async duplicatesOf(
    created: readonly PropertyMap[],
    before: Entries,
    session: Session,
  ): Promise<string | undefined> {
    if (created.length === 0) return undefined;
    const ownIds = new Set([...before.values()].map(({ id }) => id.toLowerCase()));
    const equals = await youngDuplicates(this.#of, created, session);
    const twins = equals.filter(({ id }) => !ownIds.has(String(id).toLowerCase()));
    return twins.length > 0 ? twinsMessage(twins, this.#naming) : undefined;
  }

  /** Deletes the object of an entry in a set, unless another resource of the program declares the object. */
  async #remove(set: string, key: string, { id, state }: Entry, session: Session): Promise<void> {
    const isClaimed = session.run.claims?.isClaimed(this.#of, id, state, ownerOf(set, key)) ?? false;
    await deleteUnlessDeclared(this.#of, id, state, session, isClaimed);
  }
}

/** The text that names an entry of a set as the owner of its object. */
function ownerOf(set: string, key: string): string {
  return `${set} ${key}`;
}

/** The end of messages about an object that belongs to a set, and that another resource adopts. */
export const noHandOver = "a set hands none of its objects over; remove adoptId from the program";
