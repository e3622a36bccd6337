import type { Listing } from "../../drawing";
import { MissingRoute } from "../../provider/api/errors";
import { drawnPreview, tileReference } from "../../provider/engine/drawnPreview";
import { unknownText } from "../../provider/engine/engineValues";
import { typeOfToken } from "../../provider/engine/names";
import { decode } from "../../provider/lifecycle/decode";
import { urlOf } from "../../provider/lifecycle/page";
import { scopeOf } from "../../provider/lifecycle/scope";
import type { Session } from "../../provider/lifecycle/session";
import { resources, type TypeName } from "../../provider/resources/registry";
import { keysOf, type NamedTile } from "../../provider/resources/tiles/tiles";
import { isObject, type PropertyMap } from "../../provider/values/data";
import type { Preview, Stack, StateResource } from "../engine/stack";
import { withEntries } from "../shared/entries";
import { hidden, isSecret } from "../shared/secrets";
import { textOfFile } from "../shared/textFile";

/** Dashboards and alerts to draw, with the sources that are known without a request, and with warnings for the user. */
export interface WarnedListing extends Listing {
  readonly warnings: readonly string[];
  /** The saved searches that the program declares, which alerts may watch. */
  readonly searches: readonly unknown[];
}

export async function fromProgram(stack: Stack): Promise<WarnedListing> {
  return listingOfPreview(await stack.preview({ [drawnPreview]: "true" }));
}

export async function fromState(stack: Stack): Promise<WarnedListing> {
  return { ...listingOf(await stack.resources()), warnings: [] };
}

export async function fromService(session: Session): Promise<WarnedListing> {
  const place = scopeOf("observability", {}, session);
  const dashboards = (await session.lists.read("listDashboards", place)).map((dashboard) => ({
    ...dashboard,
    url: urlOf(resources.Dashboard, dashboard.id, {}, session),
  }));
  try {
    const alerts = (await session.lists.read("listAlerts", place)).map((alert) => ({
      ...alert,
      url: urlOf(resources.Alert, alert.id, decode(resources.Alert, alert).inputs, session),
    }));
    return { isLive: true, dashboards, alerts, searches: [], warnings: [] };
  } catch (error) {
    if (!(error instanceof MissingRoute)) throw error;
    const warnings = [`alerts are not drawn: ${error.message}`];
    return { isLive: true, dashboards, alerts: [], searches: [], warnings };
  }
}

/** The data sources of the service. None if they cannot be listed, since pictures only show their names. */
export async function sourcesIn(session: Session): Promise<readonly unknown[]> {
  return session.lists.read("listSources", scopeOf("observability", {}, session)).catch(() => []);
}

/** The dashboards in a file from `pipestack draw --json`, `pulumi preview --json` or `pulumi stack export`. */
export async function fromFile(path: string): Promise<WarnedListing> {
  const text = await textOfFile(path).catch((error: Error) => {
    throw new Error(`cannot read ${path}: ${error.message}`);
  });
  const content = parsed(text);
  if (isObject(content)) {
    const { dashboards, alerts, sources, steps, deployment, isLive } = content;
    const list = (value: unknown) => (Array.isArray(value) ? value : []);
    if (Array.isArray(dashboards))
      return {
        ...{ dashboards, alerts: list(alerts), sources: list(sources), searches: [], warnings: [] },
        isLive: isLive === true,
      };
    if (Array.isArray(steps)) return listingOfPreview(content as Preview);
    if (isObject(deployment) && Array.isArray(deployment.resources))
      return { ...listingOf(deployment.resources as StateResource[]), warnings: [] };
  }
  throw new Error(
    `${path} contains no dashboards; write it with "pipestack draw --json", "pulumi preview --json --show-sames" or "pulumi stack export"`,
  );
}

/** Parses the JSON of a file; returns undefined if the text is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The types of steps in a Pulumi preview that take a resource out of the state. The resources of all other steps remain. */
const removals = ["delete", "delete-replaced", "discard", "discard-replaced", "read-discard"];

/** The dashboards and alerts after an update, from its preview, with a warning if the preview does not show all resources. */
export function listingOfPreview({ steps: allSteps = [], changeSummary }: Preview): WarnedListing {
  const steps = allSteps.filter(isObject);
  const remaining = steps.filter(({ op, newState }) => isObject(newState) && !removals.includes(op));
  const states = new Map(remaining.map(({ urn, newState }) => [urn, newState as StateResource]));
  const before = new Map(
    remaining.flatMap(({ urn, oldState }) => (oldState ? [[urn, oldState] as const] : [])),
  );
  const unshown = (changeSummary?.same ?? 0) - steps.filter(({ op }) => op === "same").length;
  // The summary counts the stack itself as an unchanged resource. So a preview counts as incomplete only if it shows no
  // unchanged resource at all.
  const isWhole = unshown <= 0 || steps.some(({ op }) => op === "same");
  return {
    ...listingOf([...states.values()], before),
    warnings: isWhole ? [] : ["unchanged resources are not drawn: the preview was made without --show-sames"],
  };
}

/**
 * Dashboards, alerts, saved searches and sources among the resources of a stack, in the form in which the service lists them.
 * An unknown id is replaced by the URN of the resource that it comes from.
 */
export function listingOf(
  resources: readonly StateResource[],
  before: ReadonlyMap<string, StateResource> = new Map(),
): Omit<WarnedListing, "warnings"> {
  // The engine lists resources in varying order, so they are sorted to make the pictures the same each time.
  const inOrder = withEntries(resources.filter(isObject)).sort((a, b) => (a.urn < b.urn ? -1 : 1));
  const of = (type: TypeName) =>
    inOrder.filter((resource) => typeOfToken(resource.type) === type && !resource.delete);
  const tileIds = new Map<string, string>();
  const dashboards = of("Dashboard").map((resource) => {
    const { urn } = resource;
    const old = before.get(urn);
    const members = membersOf(resource, old);
    const idsByTile = {
      ...(old?.outputs?.tileIds as object),
      ...(resource.outputs?.tileIds as object),
    } as PropertyMap;
    const tiles = Array.isArray(members.tiles) ? members.tiles.filter(isObject) : [];
    const keys = keysOf(tiles as readonly NamedTile[]);
    return {
      ...members,
      ...pageIn(resource, old),
      urn,
      id: resource.id || old?.id || urn,
      tiles: tiles.map((tile, index) => {
        const reference = tileReference(urn, keys[index] ?? "");
        const id = [tile.id, idsByTile[keys[index] ?? ""]].find(isKnownText) ?? reference;
        tileIds.set(reference, id);
        return { ...tile, id };
      }),
    };
  });

  const searches = of("SavedSearch").map((resource) => {
    const old = before.get(resource.urn);
    return { ...membersOf(resource, old), urn: resource.urn, id: resource.id || old?.id || resource.urn };
  });
  const searchIds = new Map(searches.map(({ urn, id }) => [urn, id]));
  const byId = new Map([...dashboards].reverse().map((dashboard) => [dashboard.id, dashboard]));
  const byUrn = new Map(dashboards.map((dashboard) => [dashboard.urn, dashboard]));
  const byTile = new Map(
    dashboards.flatMap((dashboard) => dashboard.tiles.map(({ id }) => [id, dashboard] as const)),
  );
  const alerts = of("Alert").map((resource) => {
    const old = before.get(resource.urn);
    const { dashboardId, tileId, ...members } = membersOf(resource, old);
    const { propertyDependencies, urn } = resource;
    const sources = ["dashboardId", "tileId"].flatMap((input) => propertyDependencies?.[input] ?? []);
    const [search] = propertyDependencies?.savedSearch ?? [];
    const searchId = search === undefined ? undefined : searchIds.get(search);
    const reference = isKnownText(tileId) ? tileIds.get(tileId) : undefined;
    const formerly = old?.inputs?.tileId;
    const source = sources.map((urn) => byUrn.get(urn)).find((candidate) => candidate !== undefined);
    const dashboard =
      byId.get(dashboardId as string) ??
      (reference === undefined ? undefined : byTile.get(reference)) ??
      source;
    const isThere = (id: unknown) => dashboard !== undefined && byTile.get(id as string) === dashboard;
    return {
      ...{ ...members, ...pageIn(resource, old), urn, id: resource.id || old?.id },
      ...(searchId !== undefined && { savedSearch: searchId }),
      dashboardId: dashboard?.id ?? dashboardId,
      tileId: reference ?? (tileId === unknownText && isThere(formerly) ? formerly : tileId),
    };
  });
  const sources = of("Source").map(({ id, inputs, outputs }) => ({
    id,
    name: inputs?.name ?? outputs?.name,
  }));
  return { dashboards, alerts, searches, sources };
}

/**
 * The properties that a program declares of a resource, or those read from the service if the program only reads the resource.
 * The firing state of an alert is left out, since it is from an earlier time, and so are secrets.
 */
function membersOf(
  { external, inputs, outputs }: StateResource,
  old: StateResource | undefined,
): PropertyMap {
  const read = external ? { ...old?.outputs, ...outputs } : {};
  const { __provider, __tracking, tracking, tileIds, state, ...members } = {
    ...read,
    ...inputs,
  } as PropertyMap;
  return withoutSecrets(members) as PropertyMap;
}

/**
 * The address of the object's page in the console. If a preview does not know it, the address in the Pulumi state before the
 * update.
 */
function pageIn({ outputs }: StateResource, old: StateResource | undefined): PropertyMap {
  return { url: [outputs?.url, old?.outputs?.url].find(isKnownText) };
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  const members = Object.entries(value);
  // A secret is an object with the engine's mark of a secret. An object that only contains secrets is not hidden as a whole.
  if (isSecret(value) && !members.some(([, member]) => isSecret(member))) return hidden;
  return Object.fromEntries(members.map(([name, member]) => [name, withoutSecrets(member)]));
}

function isKnownText(value: unknown): value is string {
  return typeof value === "string" && value !== unknownText;
}
