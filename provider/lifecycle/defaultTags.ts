import type { Settings } from "../api/settingsSchema";
import { isAbsent } from "../values/compare";
import { isObject, type PropertyMap } from "../values/data";
import { annotationsOf } from "../values/schema";
import type { TObject } from "../values/schemaBuilders";

/**
 * Adds the tags of the setting `defaultTags` to the inputs of a resource whose type has tags, in front of its own. A tag of the program
 * with the same key has precedence. So the tags are inputs like others: previews show them, and a refresh compares them.
 */
export function withDefaultTags(
  { properties }: TObject,
  inputs: PropertyMap,
  { defaultTags }: Pick<Settings, "defaultTags">,
): PropertyMap {
  const given = Object.entries(defaultTags ?? {});
  if (given.length === 0) return inputs;
  const tagged = Object.entries(properties).flatMap(([name, schema]) => {
    const { defaultTags: form, noDefaultTagsBeside: fixing } = annotationsOf(schema);
    const own = inputs[name];
    if (form === undefined || (form === "textsIfDeclared" && isAbsent(own))) return [];
    if (fixing !== undefined && !isAbsent(inputs[fixing])) return [];
    const list: unknown = own ?? [];
    if (!Array.isArray(list)) return [];
    const added = given
      .filter(([key]) => !list.some((tag) => keyOf(tag) === key))
      .map(([key, value]) => (form === "pairs" ? { key, value } : `${key}:${value}`));
    return [[name, [...added, ...list]] as const];
  });
  return { ...inputs, ...Object.fromEntries(tagged) };
}

function keyOf(tag: unknown): unknown {
  if (typeof tag === "string") return tag.split(":", 1)[0];
  return isObject(tag) ? tag.key : undefined;
}
