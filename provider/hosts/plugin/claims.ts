/**
 * The objects that the program of this run has. The engine knows a resource by its name alone, and deletes one that the
 * program has given another name.
 */
export class Claims {
  readonly #named = new Set<string>();
  readonly #held = new Map<string, string>();

  /** Notes an object that the program names, whichever resource comes to have it. */
  name(key: string): void {
    this.#named.add(key);
  }

  /** Notes the object that a resource has. */
  hold(urn: string, key: string): void {
    this.#held.set(urn, key);
  }

  /** Notes that a resource loses its object, or gets another. */
  release(urn: string): void {
    this.#held.delete(urn);
  }

  /** Whether the program names an object, or another resource has it. */
  isClaimed(key: string, urn: string): boolean {
    if (this.#named.has(key)) return true;
    for (const [other, held] of this.#held) if (held === key && other !== urn) return true;
    return false;
  }
}
