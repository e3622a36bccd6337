import fc from "fast-check";
import type { PropertyMap } from "../../../provider/values/data";

const word = fc.string({ minLength: 1, maxLength: 6 });
const number = fc.integer({ min: -50, max: 50 });

export const anyJson: fc.Arbitrary<unknown> = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

export const validNote: fc.Arbitrary<PropertyMap> = fc.record(
  {
    title: word,
    size: fc.integer({ min: 1, max: 20 }),
    zone: word,
    tone: fc.constantFrom("dark", "light"),
    pinned: fc.boolean(),
    labels: fc.uniqueArray(word, { minLength: 1, maxLength: 4 }),
    origins: fc.oneof(word, fc.array(word, { maxLength: 3 })),
    until: fc.constantFrom(
      "2027-01-31T00:00:00Z",
      "2027-01-31T01:00:00+01:00",
      "2028-01-01T00:00:00.000Z",
      null,
    ),
    readers: fc.array(
      fc.record(
        { name: word, rights: fc.array(word, { maxLength: 3 }) },
        { requiredKeys: ["name"], noNullPrototype: true },
      ),
      { maxLength: 3 },
    ),
    frame: fc.record(
      { x: fc.nat(40).map((half) => half / 2), y: number, extra: anyJson },
      { requiredKeys: ["x", "y"], noNullPrototype: true },
    ),
    colour: word,
  },
  { requiredKeys: ["title"], noNullPrototype: true },
);

/** Generates answers of a service about the test resource `Note`, with properties of any type replaced, added or unchanged. */
export const answeredNote: fc.Arbitrary<PropertyMap> = fc
  .tuple(
    validNote,
    fc.dictionary(fc.constantFrom("title", "size", "labels", "readers", "frame", "until", "more"), anyJson, {
      noNullPrototype: true,
    }),
  )
  .map(([note, rewritten]) => ({ ...note, ...rewritten }));

/** The answer with as many labels as the note declares: a service may write entries otherwise, but neither add nor lose any. */
export function withLabelsOf({ labels }: PropertyMap, answered: PropertyMap): PropertyMap {
  const shown = answered.labels;
  if (!Array.isArray(labels) || !Array.isArray(shown)) return answered;
  return { ...answered, labels: labels.map((label, index) => `${label} ${JSON.stringify(shown[index])}`) };
}

export type Keys = readonly (string | number)[];

export function placesIn(value: unknown, keys: Keys = []): Keys[] {
  if (typeof value !== "object" || value === null) return [keys];
  const members: [string | number, unknown][] = Array.isArray(value)
    ? value.map((entry, index) => [index, entry])
    : Object.entries(value);
  return [keys, ...members.flatMap(([key, member]) => placesIn(member, [...keys, key]))];
}

export function valueAt(value: unknown, keys: Keys): unknown {
  return keys.reduce<unknown>((inside, key) => (inside as Record<string | number, unknown>)[key], value);
}

export function withValueAt(value: unknown, [key, ...inner]: Keys, replaced: unknown): unknown {
  if (key === undefined) return replaced;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  copy[key] = withValueAt(copy[key], inner, replaced);
  return copy;
}
