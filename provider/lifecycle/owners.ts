/**
 * Records what the resources of a program declare of the same objects, where an object's own resource and another one
 * can both declare it. The object's id counts in any case.
 */
export class Owners<Own, Other> {
  readonly #own = new Map<string, Own>();
  readonly #other = new Map<string, Other>();
  readonly #coming: Own[] = [];
  #hasProgram = false;

  /** Notes what the own resource of an object declares, whose id is unknown if it `isNew`. */
  noteComing(declared: Own, isNew: boolean): void {
    this.#begin();
    if (isNew) this.#coming.push(declared);
  }

  /** Notes what the own resource of an object declares, and returns what another one does. */
  noteOwn(id: string, declared: Own): Other | undefined {
    this.#own.set(id.toLowerCase(), declared);
    return this.#other.get(id.toLowerCase());
  }

  /**
   * Notes what another resource declares of an object, and returns what the object's own one does. If the id of the
   * object is unknown, `coming` is what each new object's own resource declares.
   */
  noteOther(
    id: string | undefined,
    declared: Other,
  ): { readonly own?: Own | undefined; readonly coming: readonly Own[] } {
    this.#begin();
    if (id === undefined) return { coming: this.#coming };
    this.#other.set(id.toLowerCase(), declared);
    return { own: this.#own.get(id.toLowerCase()), coming: [] };
  }

  /** Forgets what a refresh has noted, since it describes the former program. */
  #begin(): void {
    if (!this.#hasProgram) this.#own.clear();
    this.#hasProgram = true;
  }
}
