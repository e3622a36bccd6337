import { type Difference, differences, equal, labelOf, pathOf } from "../../provider/values/compare";
import { isObject, type PropertyMap } from "../../provider/values/data";
import { entryName, pairInSet } from "../../provider/values/entries";
import { valueAt } from "../../provider/values/pairing";
import { annotationsOf, schemaAt } from "../../provider/values/schema";
import type { TSchema } from "../../provider/values/schemaBuilders";
import { pairedByName } from "./namedEntries";

export interface LabelledDifference extends Difference {
  /** The path of the difference for people, such as `tiles["Errors"].w`. */
  readonly label: string;
}

/**
 * The differences between declared and live inputs. Elements of a list with names are compared by their names, at any position,
 * and entries of a list without order with the same entry: one that the list has lost or gained is a difference of its own.
 * Where only the order of elements with names differs, the whole list is the difference.
 */
export function changesIn(
  schema: TSchema,
  before: PropertyMap,
  now: PropertyMap,
): readonly LabelledDifference[] {
  const labelled = (difference: Difference) => ({
    ...difference,
    label: labelOf(difference.left === undefined ? now : before, difference.keys),
  });
  return differencesIn(schema, before, now).map(labelled).flatMap(entriesIn);
}

function differencesIn(schema: TSchema, before: PropertyMap, now: PropertyMap): readonly Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((name) => {
    const [left, right] = [before[name], now[name]];
    const property = schemaAt(schema, name);
    const paired = pairedByName(left, right);
    if (!paired || equal(property, left, right)) return differences(property, left, right, "both", [name]);
    const entry = schemaAt(property, 0);
    const ofEntries = [
      ...paired.lost.map((at) => ({
        schema: entry,
        keys: [name, at],
        left: valueAt(left, [at]),
        right: undefined,
      })),
      ...(right as readonly unknown[]).flatMap((value, at) => {
        const partner = paired.partners[at];
        return partner === undefined
          ? [{ schema: entry, keys: [name, at], left: undefined, right: value }]
          : differences(entry, valueAt(left, [partner]), value, "both", [name, partner]);
      }),
    ];
    return ofEntries.length > 0 ? ofEntries : [{ schema: property, keys: [name], left, right }];
  });
}

/**
 * The differences of the entries of a list without order; any other difference stays one. The label of an entry has its key in
 * place of its position, which means nothing: `tags["team"].value`. An entry that is a text is the difference itself.
 */
function entriesIn(change: LabelledDifference): readonly LabelledDifference[] {
  const { schema, keys, left, right, label } = change;
  const isSet = annotationsOf(schema).comparison === "set";
  if (!isSet || !Array.isArray(left) || !Array.isArray(right)) return [change];
  const entry = schemaAt(schema, 0);
  const { partners, gained } = pairInSet(schema, left, right);
  const labelAt = (value: unknown, at: number) => {
    if (!isObject(value)) return label;
    const name = entryName({ list: schema, value });
    return `${label}[${name === undefined ? at : JSON.stringify(name)}]`;
  };
  return [
    ...left.flatMap((value, at): readonly LabelledDifference[] => {
      const [partner, place] = [partners[at], { keys: [...keys, at], label: labelAt(value, at) }];
      if (partner === undefined) return [{ ...place, schema: entry, left: value, right: undefined }];
      return differences(entry, value, right[partner]).flatMap((inner) => {
        const path = pathOf(inner.keys);
        const innerLabel = `${place.label}${path === "" || path.startsWith("[") ? "" : "."}${path}`;
        return entriesIn({ ...inner, keys: [...place.keys, ...inner.keys], label: innerLabel });
      });
    }),
    ...gained.map((at) => ({
      schema: entry,
      keys: [...keys, at],
      left: undefined,
      right: right[at],
      label: labelAt(right[at], at),
    })),
  ];
}
