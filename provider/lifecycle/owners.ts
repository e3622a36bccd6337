import type { PropertyMap } from "../values/data";

/**
 * Records which properties of an object its own resource and another resource declare, such as Service and ServiceScaling.
 * Upper and lower case in the id are not distinguished.
 */
export class Owners<Own, Other> {
  readonly #own = new Map<string, Own>();
  readonly #other = new Map<string, Other>();
  readonly #former = new Map<string, PropertyMap>();
  readonly #coming: Own[] = [];
  #hasProgram = false;

  /**
   * Notes what a resource such as a `Service` declares while its object is new (`isNew`), and so has no id by which to find it.
   */
  noteComing(declared: Own, isNew: boolean): void {
    this.#begin();
    if (isNew) this.#coming.push(declared);
  }

  /**
   * Notes what the own resource of an object declares, such as a `Service`. Returns what another resource, such as a
   * `ServiceScaling`, declares of the same object.
   */
  noteOwn(id: string, declared: Own): Other | undefined {
    this.#own.set(id.toLowerCase(), declared);
    return this.#other.get(id.toLowerCase());
  }

  /**
   * Notes what a second resource declares of an object, such as a `ServiceScaling` of a service. Returns what the object's own
   * resource declares. If the object's id is unknown in the preview, the object may be any of those that the update creates, so
   * the function returns what the own resources of all these declare (`coming`).
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

  /** What the own resource of an object declares, if this run has noted it. */
  ownOf(id: string): Own | undefined {
    return this.#own.get(id.toLowerCase());
  }

  /** Notes what the Pulumi state of an object's own resource shows of it, also where the program does not declare it there. */
  noteFormer(id: string, shown: PropertyMap): void {
    this.#former.set(id.toLowerCase(), shown);
  }

  /** The values that the Pulumi state of an object's own resource shows before its update, if this run has noted them. */
  formerOf(id: string): PropertyMap {
    return this.#former.get(id.toLowerCase()) ?? {};
  }

  /** What a second resource declares of an object, if this run has noted it. */
  otherOf(id: string): Other | undefined {
    return this.#other.get(id.toLowerCase());
  }

  /**
   * Forgets what a refresh has noted, since a refresh checks the inputs of the last deployment, and not those of the program.
   */
  #begin(): void {
    if (!this.#hasProgram) this.#own.clear();
    this.#hasProgram = true;
  }
}
