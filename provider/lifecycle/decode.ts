import { defaultsIn, shows } from "../values/compare";
import { type PropertyMap, pick } from "../values/data";
import { annotationsOf } from "../values/schema";
import type { TObject } from "../values/schemaBuilders";
import type { Definition } from "./definition";
import type { LiveState } from "./state";

type Decoding = Pick<Definition, "inputs" | "outputs" | "decode" | "formOf" | "idIn">;

/**
 * The inputs and outputs that an answer of the API shows.
 *
 * @param declared the inputs in whose form the live ones are shown. Default: none, so the form of an import
 * @param reference for a read the Pulumi state, for a write the body that was sent
 * @param former values whose lists have the entries that the program declared before, or whose removal is owed. Where a program
 * owns only its own entries of a list, these count as its own, too
 */
export function decode(
  resource: Decoding,
  answer: PropertyMap,
  declared: PropertyMap = {},
  reference: PropertyMap = {},
  former?: PropertyMap,
): LiveState {
  const own = resource.decode ? decodedOnce(resource.decode, answer) : answer;
  const live = resource.formOf?.(own, declared, reference, former) ?? own;
  return {
    inputs: pick(live, shownNames(resource.inputs, resource.idIn !== undefined)),
    outputs: pick(live, shownNames(resource.outputs, true)),
  };
}

/** For each type with names of its own, the decoded members of the answers that have been looked at. */
const decodedBy = new WeakMap<object, WeakMap<PropertyMap, PropertyMap>>();

/** An answer is decoded once, however many forms of it are compared. */
function decodedOnce(decode: (answer: PropertyMap) => PropertyMap, answer: PropertyMap): PropertyMap {
  const known = decodedBy.get(decode) ?? new WeakMap<PropertyMap, PropertyMap>();
  decodedBy.set(decode, known);
  const decoded = known.get(answer) ?? decode(answer);
  known.set(answer, decoded);
  return decoded;
}

const namesBySchema = new WeakMap<TObject, readonly string[]>();

/**
 * The members of a schema that answers show.
 *
 * @param isIdentity whether members that no request sends may be shown, since the id of the object is made of them
 */
function shownNames(schema: TObject, isIdentity: boolean): readonly string[] {
  const known = namesBySchema.get(schema);
  if (known) return known;
  const shown = Object.entries(schema.properties).filter(([, member]) => {
    const { sent: requests, shown: answers, renewable } = annotationsOf(member);
    const isGone = answers === "never" || (answers === "atCreation" && !renewable);
    return !isGone && (isIdentity || requests !== "never");
  });
  const names = shown.map(([name]) => name);
  namesBySchema.set(schema, names);
  return names;
}

/** Whether an object that the API lists may come from a create request with the given body. */
export function isLike(resource: Definition, object: PropertyMap, body: PropertyMap): boolean {
  if (resource.isLike) return resource.isLike(object, body);
  return shows(
    resource.inputs,
    { ...defaultsIn(resource.inputs), ...body },
    decode(resource, object, body, body).inputs,
  );
}
