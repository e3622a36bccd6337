import fc from "fast-check";
import { absent, pathsIn, withChange } from "../resources/validInputs";

type JsonObject = Parameters<typeof withChange>[0];
type Json = JsonObject[string];

/** The text by which the engine stands for a value that a preview does not know yet. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A secret in the form in which the engine sends it to providers. */
const wrappedSecret = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext: '"key-secret-4f1d0c9b7a"',
};

const nested = (levels: number, wrap: (inner: Json) => Json): Json =>
  Array.from({ length: levels }).reduce<Json>((inner) => wrap(inner), 1);

/** Values that people and programs often get wrong, and values that an attacker may use. */
const suspicious: readonly Json[] = [
  ...[null, true, false, 0, -0, -1, 0.5, 5, 20, 24, 1e308, 5e-324, 2 ** 53 + 2, -(2 ** 63)],
  ...["", " ", "\n", "\u0000", "\ud800", "\u202eabc", "👩‍💻", "Zürich", "null", "true", "1", "1e3", "0x10"],
  ...["../..", "a/b?c#d", "%2e%2e", "{id}", "$" + "{x}", "'; drop", "<b>", "\u001b[31m", "5m", "tile", "*"],
  ...["2027-01-31T00:00:00Z", "2027-02-30T00:00:00Z", "9999-99-99T99:99:99Z"],
  "https://a.example,https://b.example",
  ...[unknownText, wrappedSecret, "x".repeat(100_000), Array(3000).fill("x"), Array(300).fill({})],
  ...[[], {}, [null], [[]], [{}], [unknownText], { a: unknownText }, { length: 3 }],
  ...[nested(50, (inner) => [inner]), nested(300, (inner) => ({ a: inner }))],
  ...[JSON.parse('{"__proto__": {"a": 1}}'), { constructor: { prototype: 1 } }, { toJSON: "x" }],
  { toString: 1, valueOf: 1 },
] as Json[];

/** Names of properties that have a special meaning in JavaScript, Pulumi or the API. */
export const weirdNames = fc.oneof(
  fc.constantFrom(
    ...["__proto__", "constructor", "toString", "hasOwnProperty", "toJSON", "then", "length", "", " ", "a b"],
    ...["a.b", "[0]", "\u001b[31m", "ü", "name", "id", "x".repeat(10_000)],
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
);

export const anyJson: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...suspicious) },
  { weight: 3, arbitrary: fc.jsonValue({ stringUnit: "binary" }) as fc.Arbitrary<Json> },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.dictionary(weirdNames, fc.jsonValue() as fc.Arbitrary<Json>, { maxKeys: 4 }) },
);

/**
 * Generates changes of a valid object: up to three values at any depth are replaced or removed, or the whole object is
 * replaced.
 */
export function changed(valid: JsonObject): fc.Arbitrary<JsonObject> {
  if (Object.keys(valid).length === 0) return fc.dictionary(weirdNames, anyJson) as fc.Arbitrary<JsonObject>;
  const place = fc.tuple(fc.constantFrom(...pathsIn(valid)), fc.oneof(anyJson, anyJson, fc.constant(absent)));
  const several = fc.array(place, { minLength: 1, maxLength: 3 }).map((places) =>
    places.reduce((object, [path, value]) => {
      try {
        return withChange(object, path, value);
      } catch {
        // An earlier change of the fuzzed object has already removed the parent of the value to change, so the object stays as
        // it is.
        return object;
      }
    }, valid),
  );
  const further = fc.tuple(several, weirdNames, anyJson).map(([object, name, value]) => {
    const result = { ...object };
    Object.defineProperty(result, name, { value, enumerable: true, configurable: true, writable: true });
    return result;
  });
  const validNames = fc.constantFrom(...Object.keys(valid));
  const strange = fc.dictionary(fc.oneof(validNames, weirdNames), anyJson, {
    maxKeys: 8,
  }) as fc.Arbitrary<JsonObject>;
  return fc.oneof(
    { weight: 6, arbitrary: several },
    { weight: 1, arbitrary: further },
    { weight: 1, arbitrary: strange },
  );
}
