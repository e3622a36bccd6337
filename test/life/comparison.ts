import { expect } from "chai";
import { secretsOf } from "../../provider/lifecycle/definition";
import { type PropertyMap, pick } from "../../provider/values/data";
import { annotationsOf, keysIn, schemaAt } from "../../provider/values/schema";
import { expectNoLeaks, type Named } from "../secrets";
import { isWhole } from "../seed";
import { withoutSecrets } from "../simulation/actors/secrets";
import type { JsonObject } from "../unit/resources/example";
import type { Case } from "./everyType";
import type { Managed } from "./managed";
import { type Change, changesOf } from "./variations";

const triedPaths = new Map<string, Set<string>>();

/** Makes the functions by which the life tests of a resource type compare records of the service. */
export function comparisonOf({ type, resource, example, setup, writes, isValid }: Case) {
  const { shownAt = (path) => path } = example;
  /**
   * Returns the property paths that a test has tried already on servers of this dialect, so that no two of these try the same
   * path. With `ALL=1` each server tries all.
   */
  const triedBy = (test: string): Set<string> => {
    const key = [test, type, setup.dialect].join();
    const tried = (!isWhole && triedPaths.get(key)) || new Set<string>();
    triedPaths.set(key, tried);
    return tried;
  };
  const knownChanges = new Map<string, readonly Change[]>();
  /** Returns what `changesOf` finds for a program. It takes long, since each change is checked, so it is looked for once. */
  const changesIn = (program: JsonObject): readonly Change[] => {
    const key = JSON.stringify(program);
    const found = knownChanges.get(key) ?? changesOf(resource.inputs, program, isValid, example.alternatives);
    knownChanges.set(key, found);
    return found;
  };
  const annotationsAt = (path: string) => annotationsOf(schemaAt(resource.inputs, keysIn(path)[0] ?? ""));
  /** Returns the property paths that a refresh reports as drift if another client changes the property at this path. */
  const driftAt = (path: string, program: PropertyMap) =>
    annotationsAt(path).shown === "never" ? [] : [shownAt(path, program, setup.dialect) ?? []].flat();
  /** Removes the properties in which two equal objects differ, such as ids and dates. */
  const comparable = (record: PropertyMap) =>
    telling(record, (name) => /^(id|createdAt|usedAt|key\w+)$/.test(name) || example.made?.includes(name));
  /** Expects that an import of an object shows no change, and no secret in plain text. */
  const expectImport = async (managed: Managed, what: string) => {
    const { paths, stored } = await managed.imported();
    expect(paths, `the import of ${what}`).to.deep.equal([]);
    expectNoSecrets(withoutSecrets(managed.inputs) as PropertyMap, { [`the import of ${what}`]: stored });
  };
  const expectNoSecrets = (program: PropertyMap, places: Named) =>
    expectNoLeaks(textsIn(pick(program, secretsOf(resource))), places);
  const asked = async () => (await writes()).map(({ operation }) => operation);
  return { triedBy, changesIn, annotationsAt, driftAt, comparable, expectImport, expectNoSecrets, asked };
}

/**
 * Matches warnings of the provider that do not let a test of a type's life fail: about deprecations, states of awaited objects,
 * existing singletons, and the limit of the tests, whose time is virtual, so that a second of it has many requests.
 */
export const usual =
  /deprecated|^waiting for the limit of 1000 requests in 1 s|^(scaling of service|(backup|snapshot) configuration of service|replica-aware routing of service|scaling of database pipes of service|settings of organization) \S+ is there already|^service \S+ is (running|stopp(ing|ed)|provisioning|terminating)$|^reverse private endpoint \S+ (is \w+$|waits for the owner)|^pipe \S+ is \w+$|^Postgres service \S+ is [a-z ]+$|^(version \d+ of )?UDF .+ is (building|provisioning|deprovisioning|not shown yet)$/;

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

/** Returns those of a program's secret texts that are long enough to be searched for in the Pulumi state. */
function textsIn(value: unknown, name = "it"): { [name: string]: string } {
  if (typeof value === "string") return value.length < 12 ? {} : { [name]: value };
  if (typeof value !== "object" || value === null) return {};
  return Object.assign({}, ...Object.entries(value).map(([member, inner]) => textsIn(inner, member)));
}
