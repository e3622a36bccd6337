import { declarableOfToken, nameIn } from "../../provider/engine/names";
import type { Resource } from "../../provider/lifecycle/resource";
import { trackingOf } from "../../provider/lifecycle/state";
import { codesIn } from "../../provider/lifecycle/uncompared";
import { type DeclarableName, declarable } from "../../provider/resources/registry";
import { type Difference, pathOf } from "../../provider/values/compare";
import type { PropertyMap } from "../../provider/values/data";
import { isIgnored } from "../../provider/values/ignored";
import { annotationsOf, schemaAt } from "../../provider/values/schema";
import type { TSchema } from "../../provider/values/schemaBuilders";
import type { RefreshStep, StateResource } from "../engine/stack";
import { withEntries } from "../shared/entries";
import { hidden, isSecret } from "../shared/secrets";
import { type Undeclared, undeclaredIn } from "../shared/undeclared";
import { changesIn } from "./changes";

/** A finding of drift: a declared property whose value in the service differs, or a resource whose object is gone. */
export interface Drift {
  readonly urn: string;
  readonly type: DeclarableName;
  readonly name: string;
  readonly id: string | undefined;
  /** The address of the drifted object's page in the console; null if it has none, or the object is gone. */
  readonly url: string | null;
  readonly kind: "changed" | "deleted";
  /** The path of the drifted property, such as `tiles[2].w`, or of a lost or gained element; null for a gone resource. */
  readonly property: string | null;
  /** The path of the drifted property for people, such as `tiles["Errors"].w`. */
  readonly label: string | null;
  /** The drifted property's value in the last deployment; null if there was none. */
  readonly declared: unknown;
  /** The drifted property's value in the service; null if there is none. */
  readonly found: unknown;
}

/** A resource, or an alert of an `AlertSet`, that the refresh did not compare with the service. */
export interface Uncompared {
  readonly urn: string;
  readonly type: DeclarableName;
  /** The name of the resource in the program; with the key for an alert of an `AlertSet`, as in `all["errors"]`. */
  readonly name: string;
  readonly id: string;
  /**
   * Why the refresh did not compare the object. `new`: the object is so new that reads may not find it yet; `notRunning`: its
   * service does not run, and shows nothing of it.
   */
  readonly reason: "new" | "notRunning";
}

export interface Findings {
  readonly drift: readonly Drift[];
  /** The number of pipestack resources that the refresh compared. */
  readonly resources: number;
}

/**
 * The differences between the inputs of the last deployment and those that a refresh found. Values that the program ignores,
 * and resources that it only reads, do not count as drift.
 * @throws if the refresh skipped one of the resources
 */
export function findDrift(resources: readonly StateResource[], steps: readonly RefreshStep[]): Findings {
  const managed = managedIn(resources);
  const stepOf = new Map(steps.filter(({ old }) => !old?.delete).map((step) => [step.urn, step]));
  const drift = managed.flatMap(({ type, resource }) => {
    const step = stepOf.get(resource.urn);
    // Without this error, a Pulumi CLI that is too old to report the steps of a refresh would look like a service without
    // drift.
    if (!step) throw new Error(`the refresh skipped ${resource.urn}; use Pulumi CLI 3.250 or newer`);
    return driftOf(type, resource, step);
  });
  return { drift, resources: managed.length };
}

/**
 * The steps of a refresh, in which an object that a replacement has deleted counts as gone: the engine does not read it, and
 * shows it as it was.
 */
export function withReplacedGone(
  steps: readonly RefreshStep[],
  resources: readonly StateResource[],
): readonly RefreshStep[] {
  const gone = new Set(resources.flatMap(({ urn, pendingReplacement }) => (pendingReplacement ? [urn] : [])));
  return steps.map((step) => (gone.has(step.urn) && !step.old?.delete ? { ...step, new: null } : step));
}

/** The objects that the refresh did not compare, from the codes of its warnings. */
export function uncomparedIn(
  resources: readonly StateResource[],
  warnings: readonly string[],
): readonly Uncompared[] {
  const codes = codesIn(warnings).filter((code) => code.reason !== "noRoute");
  return managedIn(withEntries(resources)).flatMap(({ type, resource: { urn, id } }) => {
    const code = codes.find((each) => each.type === type && each.id === id);
    return code && id !== undefined ? [{ type, name: nameIn(urn), id, urn, reason: code.reason }] : [];
  });
}

/**
 * Whether the refresh could read none of the resources. The provider warns of resources that it cannot read, once per type or
 * for each object.
 */
export function isNothingSeen(resources: readonly StateResource[], warnings: readonly string[]): boolean {
  const managed = managedIn(resources);
  const codes = codesIn(warnings);
  const uncompared = new Set(uncomparedIn(resources, warnings).map(({ urn }) => urn));
  const isUnseen = ({ type, resource: { urn } }: (typeof managed)[number]) => {
    const { entries }: Resource = declarable[type];
    const read = entries?.of.type ?? type;
    return uncompared.has(urn) || codes.some((each) => each.reason === "noRoute" && each.type === read);
  };
  return managed.length > 0 && managed.every(isUnseen);
}

/** Warnings that name the secrets that are not compared, if there are any. */
export function notCompared(resources: readonly StateResource[]): string[] {
  const names = managedIn(resources).flatMap(({ type, resource }) =>
    standInsOf(resource).map((name) => `${name} of ${type} ${nameIn(resource.urn)}`),
  );
  if (names.length === 0) return [];
  return [
    `not compared: ${names.join(", ")}, since an import leaves no secrets in the state; "pulumi refresh" or "pulumi up" puts them there`,
  ];
}

/** The resources of pipestack that a program manages, without those that it only reads or that wait to be deleted. */
export function managedIn(resources: readonly StateResource[]) {
  return resources.flatMap((resource) => {
    const type = declarableOfToken(resource.type);
    return type && !resource.delete && !resource.external ? [{ type, resource }] : [];
  });
}

/** What the refresh has found of the objects of the program that the program does not declare, and that is no drift. */
export function undeclaredFindings(
  resources: readonly StateResource[],
  steps: readonly RefreshStep[],
): readonly Undeclared[] {
  const found = new Map(steps.flatMap((step) => (step.old?.delete ? [] : [[step.urn, step.new] as const])));
  return undeclaredIn(
    managedIn(resources).map(({ type, resource: { urn, inputs = {} } }) => ({
      ...{ urn, type, inputs },
      outputs: found.get(urn)?.outputs ?? {},
    })),
  );
}

/** The inputs of an imported resource for which the Pulumi state holds a placeholder instead of the secret. */
function standInsOf({ outputs = {} }: StateResource): readonly string[] {
  const { standIns } = trackingOf(outputs);
  return Array.isArray(standIns) ? standIns : [];
}

function driftOf(
  type: DeclarableName,
  resource: StateResource,
  { op, old, new: live, diffs }: RefreshStep,
): Drift[] {
  const { urn } = resource;
  const drift = { urn, type, name: nameIn(urn), id: resource.id, url: pageIn(type, live) };
  if (!live) {
    return [{ ...drift, kind: "deleted", property: null, label: null, declared: null, found: null }];
  }

  const schema = declarable[type].inputs;
  const [before, now] = [old?.inputs ?? {}, live.inputs ?? {}];
  // The inputs in a Pulumi state also contain `__provider` and repeated outputs, which are no properties of the object.
  const isProperty = (name: string) => name in schema.properties;
  const secrets = Object.keys(before).filter((name) => isProperty(name) && isSecret(before[name]));
  const isVisible = (name: string) => isProperty(name) && !secrets.includes(name);
  const visible = (inputs: PropertyMap) =>
    Object.fromEntries(Object.entries(inputs).filter(([name]) => isVisible(name)));
  const differences = changesIn(schema, visible(before), visible(now));
  // The values of secrets are not known here, so the engine tells which secrets have changed. It names none of an object in the
  // dynamic host whose last update has not ended: there any of them may have.
  const isUnnamed = diffs === undefined && op !== "same" && differences.length === 0;
  const standIns = standInsOf(resource);
  const isCompared = (name: string) =>
    !standIns.includes(name) && annotationsOf(schemaAt(schema, name)).shown !== "never";
  const changedSecrets = secrets.filter((name) => (isUnnamed || diffs?.includes(name)) && isCompared(name));
  const ignored = resource.ignoreChanges ?? [];
  return [
    ...differences.map((difference) => ({
      property: pathOf(difference.keys),
      label: difference.label,
      declared: visibleValue(schema, difference, difference.left),
      found: visibleValue(schema, difference, difference.right),
    })),
    ...changedSecrets.map((name) => ({ property: name, label: name, declared: hidden, found: hidden })),
  ]
    .filter(({ property }) => !isIgnored(property, ignored))
    .map((difference) => ({ ...drift, kind: "changed" as const, ...difference }));
}

/** The address of the drifted object's page. In a type whose objects have no pages, the output `url` has another meaning. */
function pageIn(type: DeclarableName, live: RefreshStep["new"]): string | null {
  const { page }: Resource = declarable[type];
  const url = live?.outputs?.url;
  return page && typeof url === "string" && /^https?:\/\//.test(url) && URL.canParse(url)
    ? new URL(url).href
    : null;
}

function visibleValue(schema: TSchema, { keys }: Difference, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  let place = schema;
  for (const key of keys) {
    place = schemaAt(place, key);
    if (annotationsOf(place).secret) return hidden;
  }
  return value;
}
