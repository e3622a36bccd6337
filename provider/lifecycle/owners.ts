/**
 * Records which properties of an object the program's resources declare, where the object's own resource and another one can
 * both declare them, such as a Service and its ServiceScaling. Upper and lower case in the id are not distinguished.
 */
export class Owners<Own, Other> {
  readonly #own = new Map<string, Own>();
  readonly #other = new Map<string, Other>();
  readonly #coming: Own[] = [];
  #hasProgram = false;

  /** Notes the properties that the own resource of an object declares. The object's id is unknown if the object `isNew`. */
  noteComing(declared: Own, isNew: boolean): void {
    this.#begin();
    if (isNew) this.#coming.push(declared);
  }

  /**
   * Notes the properties that the own resource of an object declares, and returns those that another resource declares of the
   * object.
   */
  noteOwn(id: string, declared: Own): Other | undefined {
    this.#own.set(id.toLowerCase(), declared);
    return this.#other.get(id.toLowerCase());
  }

  /**
   * Notes the properties that another resource declares of an object, and returns those that the object's own resource
   * declares. If the id of the object is unknown, `coming` has the properties that the own resource of each new object
   * declares.
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

  /** Forgets what a refresh has noted, since a refresh checks the former program. */
  #begin(): void {
    if (!this.#hasProgram) this.#own.clear();
    this.#hasProgram = true;
  }
}
