import { createHash } from "node:crypto";
import type { Alert } from "../../api/answers.golden";
import { dialects } from "../../api/dialect";
import { MissingRoute } from "../../api/errors";
import { scopeOf } from "../../lifecycle/scope";
import { perSession, type Session } from "../../lifecycle/session";
import type { State } from "../../lifecycle/state";
import { isObject, isSameId, type PropertyMap } from "../../values/data";
import { shortened } from "../../values/printable";
import { joinPath } from "../../values/schema";
import { containsUnknown } from "../../values/unknown";
import type { Failure } from "../../values/validate";
import { deletesAlerts, losingTiles } from "../tiles/alertTiles";
import { subjectOf, tilesIn } from "../tiles/tiles";
import { lostMembers } from "./replacedEntries";

interface Validations {
  /** Whether the service has the route that validates dashboards, as the first validation request finds out. */
  serves?: Promise<boolean>;
  readonly answers: Map<string, Promise<Failure[]>>;
}

/** The service's answers to validation requests of dashboards, by the id of the service. */
const validationsOf = perSession(() => new Map<string, Validations>());

/**
 * Asks the service to validate a dashboard without writing it, and returns the reported failures.
 *
 * @param body the body of a create request
 */
export async function refusals(inputs: PropertyMap, body: PropertyMap, session: Session): Promise<Failure[]> {
  const { validatesDashboards } = dialects[session.settings.dialect];
  const { validateDashboards = validatesDashboards } = session.settings;
  if (!validateDashboards || containsUnknown(inputs)) return [];
  const scope = scopeOf("observability", inputs, session);
  const place = JSON.stringify(scope);
  const validations = validationsOf(session).get(place) ?? ({ answers: new Map() } as Validations);
  validationsOf(session).set(place, validations);
  const whole = { ...body, tiles: placesIn(body) };
  const key = createHash("sha256").update(JSON.stringify(whole)).digest("hex");
  const ask = async () => {
    const { errors } = await session.call("validateDashboard", scope, whole);
    return inWords(errors).map(({ path, message }) => ({
      path: pathIn(whole, path),
      message: shortened(message) + (isAboutSource(path, message) ? sourceAdvice : ""),
    }));
  };
  if (validations.serves === undefined) {
    const first = ask();
    validations.answers.set(key, first);
    validations.serves = first.then(
      () => true,
      (error) => !(error instanceof MissingRoute),
    );
  } else if (!(await validations.serves)) return [];
  const answer = validations.answers.get(key) ?? ask();
  validations.answers.set(key, answer);
  // If the validation request itself fails, nothing is known about the dashboard, so no failure is reported.
  return answer.catch(() => []);
}

interface Refusal {
  readonly path: string;
  readonly message: string;
}

/**
 * Matches the service's messages that only say which part of its JSON schema a dashboard breaks. They do not tell a user what
 * is wrong.
 */
const aboutSchemas = /\bmatch (?:"(?:then|else)" schema|exactly one schema in oneOf|a schema in anyOf)/;

/**
 * The service's messages that tell a user what is wrong with the dashboard. If none does, one general message for each path
 * takes their place.
 */
function inWords(errors: readonly Refusal[]): readonly Refusal[] {
  const telling = errors.filter(({ message }) => !aboutSchemas.test(message));
  if (telling.length > 0) return telling;
  const paths = new Set(errors.map(({ path }) => path));
  return [...paths].map((path) => ({
    path,
    message: "has a structure that the service does not accept; compare its properties with the API document",
  }));
}

const sourceAdvice = '; getSourceOutput({ name: "…" }).id is the id of the source with a name';

function isAboutSource(path: string, message: string): boolean {
  return path.endsWith("sourceId") || /source ids?\b/i.test(message);
}

/**
 * The tiles for a validation request, which has the form of a create request. If the program declares no containers, the tiles
 * name none, since the request does not have the containers of the existing dashboard.
 */
function placesIn({ tiles, containers }: PropertyMap): readonly PropertyMap[] {
  if (containers !== undefined) return tilesIn(tiles);
  return tilesIn(tiles).map(({ containerId, tabId, ...tile }) => tile);
}

/** Rewrites a path in an answer of the service, `tiles.2.config.select`, as `tiles[2].config.select`. */
function pathIn(body: PropertyMap, dotted: string): string {
  let inside: unknown = body;
  return dotted
    .split(".")
    .filter((part) => part !== "")
    .reduce((path, part) => {
      const key = Array.isArray(inside) ? Number(part) : part;
      inside = isObject(inside) || Array.isArray(inside) ? (inside as PropertyMap)[part] : undefined;
      return joinPath(path, key);
    }, "");
}

/** Whether the names of all declared tiles are known. A tile of unknown name may be any existing tile. */
export function areNamed(tiles: unknown): tiles is readonly PropertyMap[] {
  return Array.isArray(tiles) && tiles.every((tile) => typeof tile?.name === "string");
}

/**
 * Warns of what an update takes from other people: their alerts on removed tiles, and what they have set in a tile or filter
 * that the program replaces.
 *
 * @throws Error if something would be lost and the setting `onConflict` is `fail`, and as {@link lostAlerts} does
 */
export async function lossesOfOthers(
  inputs: PropertyMap,
  state: State,
  id: string,
  session: Session,
): Promise<string[]> {
  if (!areNamed(inputs.tiles)) return [];
  const subject = subjectOf(inputs);
  const isStrict = session.settings.onConflict === "fail";
  const lost = await alertsLost(inputs, state, id, session);
  const losses = [...lost, ...(await lostMembers(inputs, state, id, session))];
  if (!isStrict || losses.length === 0) return losses.map((loss) => `${subject}: ${loss}`);
  const isSure = lost.length === 0 || session.run.wasRead({ type: "Dashboard" }, id);
  const advice = isSure ? "" : '; with "--refresh" the alerts of this stack do not count';
  throw new Error(
    `${subject}: ${losses.join("; ")}; nothing was written, since onConflict is "fail": declare the id of the former tile to keep it, or set "warn" for this update${advice}`,
  );
}

/**
 * Warns of the alerts that the service deletes when the program adopts an existing dashboard.
 *
 * @throws Error if a tile with alerts turns into a kind that cannot carry any: the service would delete even declared alerts
 */
export async function lostAlerts(inputs: PropertyMap, state: State, session: Session): Promise<string[]> {
  if (!areNamed(inputs.tiles)) return [];
  const subject = subjectOf(inputs);
  return (await alertsLost(inputs, state, String(inputs.adoptId), session)).map(
    (loss) => `${subject}: ${loss}`,
  );
}

/**
 * Warns of the alerts that the service deletes with an update. Alerts that a refresh has read are left out: they belong to this
 * stack, whose preview already shows what happens to them.
 */
async function alertsLost(
  inputs: PropertyMap,
  state: State,
  id: string,
  session: Session,
): Promise<string[]> {
  const refuses = deletesAlerts(session.settings);
  const losing = losingTiles(inputs, state);
  if (losing.length === 0) return [];
  const scope = scopeOf("observability", inputs, session);
  const asOf = session.hasWritten ? "write" : "run";
  const all = await session.lists.read("listAlerts", scope, { asOf }).catch((error: Error) => error);
  if (all instanceof Error)
    return [`cannot tell which alerts the service deletes with its tiles: ${all.message}`];
  const isHere = ({ dashboardId, dashboard = id }: PropertyMap) => isSameId(dashboardId ?? dashboard, id);
  return losing.flatMap(({ id: tileId, name, kind, isTurned }) => {
    const tile = `the tile ${JSON.stringify(name)}`;
    const alerts = all.filter(
      (alert) =>
        alert.tileId === tileId &&
        isHere(alert) &&
        !session.run.isDeleted({ type: "Alert" }, String(alert.id)),
    );
    if (isTurned && refuses && alerts.length > 0)
      throw new Error(
        `${subjectOf(inputs)}: ${tile} becomes a ${kind}, whose alerts the service deletes: ${alerts.map(alertLabel).join(", ")}; keep it a line, stacked_bar or number, or remove the alert in an update before this one`,
      );
    const end = kind === undefined ? "which it removes" : `a ${kind}, which carries no alerts`;
    const others = alerts.filter((alert) => !session.run.wasRead({ type: "Alert" }, String(alert.id)));
    return others.map(
      (alert) => `with this update the service deletes the alert ${alertLabel(alert)} of ${tile}, ${end}`,
    );
  });
}

function alertLabel({ id, name }: Alert): string {
  return typeof name === "string" ? `${JSON.stringify(name)} (${id})` : String(id);
}
