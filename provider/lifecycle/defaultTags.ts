import type { Settings } from "../api/settingsSchema";
import { isAbsent } from "../values/compare";
import { isObject, type PropertyMap } from "../values/data";
import { annotationsOf } from "../values/schema";
import type { TObject } from "../values/schemaBuilders";

/**
 * Adds the tags of the setting `defaultTags` to the inputs of a resource whose type has tags, in front of its own. A tag of the program
 * with the same key has precedence. So the tags are inputs like others: previews show them, and a refresh compares them.
 *
 * @param olds the inputs in the Pulumi state: an object whose tags no update changes keeps the default tags that it has
 */
export function withDefaultTags(
  { properties }: TObject,
  inputs: PropertyMap,
  { defaultTags }: Pick<Settings, "defaultTags">,
  olds: PropertyMap,
): PropertyMap {
  const given = Object.entries(defaultTags ?? {});
  if (given.length === 0) return inputs;
  const tagged = Object.entries(properties).flatMap(([name, schema]) => {
    const { defaultTags: form, noDefaultTagsBeside: fixing } = annotationsOf(schema);
    const own = inputs[name];
    if (form === undefined || (form === "textsIfDeclared" && isAbsent(own))) return [];
    const list: unknown = own ?? [];
    if (!Array.isArray(list)) return [];
    const missing = given.filter(([key]) => !list.some((tag) => keyOf(tag) === key));
    if (fixing !== undefined && !isAbsent(inputs[fixing])) {
      const former = inputs[fixing] === olds[fixing] && Array.isArray(olds[name]) ? olds[name] : [];
      const kept = former.filter((tag) => missing.some(([key]) => keyOf(tag) === key));
      return kept.length > 0 ? [[name, [...kept, ...list]] as const] : [];
    }
    const added = missing.map(([key, value]) => (form === "pairs" ? { key, value } : `${key}:${value}`));
    return [[name, [...added, ...list]] as const];
  });
  return { ...inputs, ...Object.fromEntries(tagged) };
}

function keyOf(tag: unknown): unknown {
  if (typeof tag === "string") return tag.split(":", 1)[0];
  return isObject(tag) ? tag.key : undefined;
}
