import { createHash } from "node:crypto";
import { dialects } from "../../api/dialect";
import { MissingRoute } from "../../api/errors";
import { scopeOf } from "../../lifecycle/scope";
import { perSession, type Session } from "../../lifecycle/session";
import type { State } from "../../lifecycle/state";
import { type Data, isObject } from "../../values/data";
import { shortened } from "../../values/printable";
import { joinPath } from "../../values/schema";
import { containsUnknown } from "../../values/unknown";
import type { Failure } from "../../values/validate";
import { deletesAlerts, losingTiles } from "../alert/alertTiles";
import { subjectOf, tilesIn } from "./tiles";

/** The requests that previews make to a service in turn. */
interface Validations {
  /** Whether the service validates at all; set by the first request. */
  serves?: Promise<boolean>;
  readonly answers: Map<string, Promise<Failure[]>>;
}

/** The requests of previews, by service. */
const validationsOf = perSession(() => new Map<string, Validations>());

/**
 * The refusals of a dashboard by the service, which does not write it.
 *
 * @param body the body of a create
 */
export async function refusals(inputs: Data, body: Data, session: Session): Promise<Failure[]> {
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
    return errors.map(({ path, message }) => ({
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
  // Whether the service can be reached is no property of the dashboard.
  return answer.catch(() => []);
}

const sourceAdvice = '; getSourceOutput({ name: "…" }).id is the id of the source with a name';

function isAboutSource(path: string, message: string): boolean {
  return path.endsWith("sourceId") || /source ids?\b/i.test(message);
}

/** A create without containers has none that tiles could be in; an existing dashboard may have them. */
function placesIn({ tiles, containers }: Data): readonly Data[] {
  if (containers !== undefined) return tilesIn(tiles);
  return tilesIn(tiles).map(({ containerId, tabId, ...tile }) => tile);
}

/** `tiles.2.config.select` as `tiles[2].config.select`. */
function pathIn(body: Data, dotted: string): string {
  let inside: unknown = body;
  return dotted
    .split(".")
    .filter((part) => part !== "")
    .reduce((path, part) => {
      const key = Array.isArray(inside) ? Number(part) : part;
      inside = isObject(inside) || Array.isArray(inside) ? (inside as Data)[part] : undefined;
      return joinPath(path, key);
    }, "");
}

/**
 * Warnings of the alerts that the service deletes with an update of a dashboard.
 *
 * @param isTakeover whether the update takes the dashboard over: then a list that fails is named
 * @throws Error where a tile that stays is turned into one that the service allows no alerts. The program may declare them:
 *   it would learn of that too late, once they are gone
 */
export async function lostAlerts(
  inputs: Data,
  state: State,
  session: Session,
  isTakeover = false,
): Promise<string[]> {
  const { tiles } = inputs;
  // A tile that is not known yet may be any of those that exist.
  if (!Array.isArray(tiles) || tiles.some((tile) => typeof tile?.name !== "string")) return [];
  const subject = subjectOf(inputs);
  const refuses = deletesAlerts(session.settings);
  // In an update nobody decides any more.
  const losing = losingTiles(inputs, state).filter(
    ({ isTurned }) => (isTurned && refuses) || isTakeover || !session.hasWritten,
  );
  if (losing.length === 0) return [];
  // Nobody asked for a look at the alerts.
  const scope = scopeOf("observability", inputs, session);
  const alerts = await session.list("listAlerts", scope).catch((error) => {
    if (isTakeover)
      session.warnOnce(`${subject}: cannot tell which alerts go with its tiles: ${(error as Error).message}`);
    return [];
  });
  return losing.flatMap(({ id: tileId, name: tileName, kind, isTurned }) => {
    const names = alerts
      .filter((alert) => alert.tileId === tileId)
      .map(({ id, name }) => (typeof name === "string" ? `${JSON.stringify(name)} (${id})` : id));
    const tile = `the tile ${JSON.stringify(tileName)}`;
    if (isTurned && refuses && names.length > 0)
      throw new Error(
        `${subject}: ${tile} becomes a ${kind}, whose alerts the service deletes: ${names.join(", ")}; keep it a line, stacked_bar or number, or remove the alert in an update before this one`,
      );
    const end = kind === undefined ? "which it removes" : `a ${kind}, which carries no alerts`;
    return names.map(
      (alert) => `${subject}: with this update the service deletes the alert ${alert} of ${tile}, ${end}`,
    );
  });
}
