/** What a declared resource and an object have in common: all that the program declares, or type and name alone. */
export type Likeness = "content" | "name";

/** A declared resource, and the object that is surely its own. */
export interface Pair<Declared, Found> {
  readonly declared: Declared;
  readonly found: Found;
  readonly by: Likeness;
}

/**
 * Pairs declared resources with objects. The content decides where each has one partner of the same content; a name does
 * where each has one partner at all. What could be paired in two ways is not paired.
 *
 * @param likeness what the two have in common; undefined if they are different objects
 */
export function pairUp<Declared, Found>(
  declared: readonly Declared[],
  found: readonly Found[],
  likeness: (one: Declared, object: Found) => Likeness | undefined,
): Pair<Declared, Found>[] {
  const alike = declared.flatMap((one) =>
    found.flatMap((object) => {
      const by = likeness(one, object);
      return by ? [{ declared: one, found: object, by }] : [];
    }),
  );
  const isOnly = (pair: Pair<Declared, Found>, among: readonly Pair<Declared, Found>[]) =>
    among.every(
      (other) => other === pair || (other.declared !== pair.declared && other.found !== pair.found),
    );
  const sameContent = alike.filter(({ by }) => by === "content");
  return alike.filter((pair) => isOnly(pair, pair.by === "content" ? sameContent : alike));
}
