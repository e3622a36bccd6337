import { readFile } from "node:fs/promises";
import type { Listing } from "../../../drawing";
import { MissingRoute } from "../../api/errors";
import { drawnPreview } from "../../lifecycle/drawnPreview";
import { scopeOf } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { isObject } from "../../values/data";
import type { Preview, Stack, StateResource } from "../engine/stack";
import { listingOf, listingOfPreview } from "./stackListing";

/** Dashboards and alerts, and the sources of data that are known without a request, with warnings for the user. */
export interface WarnedListing extends Listing {
  readonly warnings: readonly string[];
}

/** What the program declares, before anything of it exists. */
export async function fromProgram(stack: Stack): Promise<WarnedListing> {
  return listingOfPreview(await stack.preview({ [drawnPreview]: "true" }));
}

/** What the last deployment left. */
export async function fromState(stack: Stack): Promise<WarnedListing> {
  return { ...listingOf(await stack.resources()), warnings: [] };
}

/** What the service has, whoever made it. */
export async function fromService(session: Session): Promise<WarnedListing> {
  const place = scopeOf("observability", {}, session);
  const dashboards = await session.list("listDashboards", place);
  try {
    return { isLive: true, dashboards, alerts: await session.list("listAlerts", place), warnings: [] };
  } catch (error) {
    if (!(error instanceof MissingRoute)) throw error;
    const warnings = [`alerts are not drawn: ${error.message}`];
    return { isLive: true, dashboards, alerts: [], warnings };
  }
}

/** The sources of data of the service; none where they cannot be listed, since pictures show only their names. */
export async function sourcesIn(session: Session): Promise<readonly unknown[]> {
  return session.list("listSources", scopeOf("observability", {}, session)).catch(() => []);
}

/**
 * What a file holds that `pipestack draw --json`, `pulumi preview --json` or `pulumi stack export` has written.
 *
 * @throws when there is no such file, or it holds something else
 */
export async function fromFile(path: string): Promise<WarnedListing> {
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new Error(`cannot read ${path}: ${error.message}`);
  });
  const content = parsed(text);
  if (isObject(content)) {
    const { dashboards, alerts, sources, steps, deployment, isLive } = content;
    const list = (value: unknown) => (Array.isArray(value) ? value : []);
    if (Array.isArray(dashboards))
      return {
        ...{ dashboards, alerts: list(alerts), sources: list(sources), warnings: [] },
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

/** PowerShell writes a byte order mark. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
