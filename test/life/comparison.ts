import type { PropertyMap } from "../../provider/values/data";
import { annotationsOf, keysIn, schemaAt } from "../../provider/values/schema";
import { isWhole } from "../seed";
import type { Case } from "./everyType";

/**
 * The most property paths of a program that one test tries. Each kind of server tries others, and `ALL=1` all.
 */
const mostPlaces = 3;

/**
 * Makes the functions by which the life tests of a resource type select property paths to change, and compare records of the
 * service.
 */
export function comparisonOf({ resource, example, setup, writes }: Case, place: number) {
  const { shownAt = (path) => path } = example;
  const someOf = <Place>(places: readonly Place[], most = mostPlaces): Place[] => {
    const step = isWhole ? 1 : Math.ceil(places.length / most);
    return places.filter((_, at) => at % step === place % step);
  };
  const annotationsAt = (path: string) => annotationsOf(schemaAt(resource.inputs, keysIn(path)[0] ?? ""));
  /** Returns the property paths that a refresh reports as drift if another client changes the property at this path. */
  const driftAt = (path: string, program: PropertyMap) =>
    annotationsAt(path).shown === "never" ? [] : [shownAt(path, program, setup.dialect) ?? []].flat();
  /** Removes the properties in which two equal objects differ, such as ids and dates. */
  const comparable = (record: PropertyMap) =>
    telling(record, (name) => /^(id|createdAt|usedAt|key\w+)$/.test(name) || example.made?.includes(name));
  const asked = async () => (await writes()).map(({ operation }) => operation);
  return { someOf, annotationsAt, driftAt, comparable, asked };
}

/**
 * Matches warnings of the provider that do not let a test of a type's life fail: about deprecations, states of awaited objects,
 * and existing singletons.
 */
export const usual =
  /deprecated|^(scaling|backup configuration|scaling of database pipes) of service \S+ is there already|^service \S+ is (running|stopp(ing|ed)|provisioning|terminating)$|^reverse private endpoint \S+ (is \w+$|waits for the owner)|^pipe \S+ is \w+$/;

/**
 * Removes empty properties from a record of the sandbox before records are compared, since a record has more empty properties
 * after an update than after a create.
 */
export function telling(
  record: PropertyMap,
  isOther: (name: string) => boolean | undefined = () => false,
): PropertyMap {
  const isEmpty = (value: unknown) => !value || String(value) === "";
  const text = JSON.stringify(record, (name, value) =>
    name !== "" && (isEmpty(value) || isOther(name)) ? undefined : value,
  );
  return JSON.parse(text);
}
