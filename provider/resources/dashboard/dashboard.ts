import { dialects } from "../../api/dialect";
import { isOlder } from "../../api/serverVersion";
import { isUnchanged } from "../../lifecycle/check";
import { noteRead } from "../../lifecycle/holdings";
import { resourceOf } from "../../lifecycle/lifecycle";
import { type Context, inService } from "../../lifecycle/scope";
import { perSession, type Session } from "../../lifecycle/session";
import { isSeen, type State, sentPart } from "../../lifecycle/state";
import { shows } from "../../values/compare";
import { type Data, pick } from "../../values/data";
import { oneOf } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";
import { withLabels } from "../../values/validate";
import { alertResource } from "../alert/alert";
import { knownTileIds, losingTiles, noteTiles } from "../alert/alertTiles";
import { noteFates, noteRemoval, noteState } from "../alert/tileFates";
import { areNamed, lossesOfOthers, lostAlerts, refusals } from "./dashboardAdvice";
import { createBody, decode, updateBody, withoutId } from "./dashboardBody";
import { dashboardCollection } from "./dashboardCollection";
import { dashboardContainer } from "./dashboardContainers";
import { completeDashboard, dashboardDefaults } from "./dashboardDefaults";
import { dashboardFilter, declarableFilters, filterIdsIn, savedFilterValue } from "./dashboardFilters";
import {
  fractionFailures,
  gridFailures,
  layoutFailures,
  sizeWarnings,
  tileFailures,
  tileWarnings,
} from "./dashboardRules";
import { isRenamedFilter, isRenamedTile } from "./renames";
import { tile } from "./tile";
import { withTileChanges } from "./tileChanges";
import { promqlSince } from "./tileConfig";
import { contentFailures, contentWarnings } from "./tileContent";
import { leftoversIn, withMetricValues, withoutLeftovers } from "./tileLeftovers";
import {
  idAt,
  identified,
  isInPromql,
  keysOf,
  ownTiles,
  plannedTileIds,
  subjectOf,
  tileIdsIn,
  tilesIn,
} from "./tiles";

/**
 * Inputs of a dashboard.
 * @see "Update dashboard body", "Dashboard (observability API)" in the API document
 */
export const dashboardInputs = inService({
  /**
   * Adopts the existing dashboard with this id instead of creating one. Has no effect once the dashboard is in
   * state. While it is declared, the preview rejects changes that would replace the dashboard.
   */
  adoptId: Type.Optional(Type.String({ minLength: 1, sent: "never", replaces: true })),
  /** Name of the dashboard, up to 1024 characters. May be empty. */
  name: Type.String({ longest: 1024 }),
  /**
   * All tiles of the dashboard, up to 500, in reading order; an update removes tiles that are not declared. May be empty.
   */
  tiles: Type.Array(tile, { most: 500 }),
  /**
   * Members that the tiles have unless they declare their own, so that none repeats them. They are in the tiles of the state and
   * of requests.
   */
  defaults: Type.Optional(dashboardDefaults),
  /** Tags, in any order: up to 50 of 32 characters. */
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, longest: 32 }), {
      uniqueItems: true,
      comparison: "set",
      reset: [],
      most: 50,
    }),
  ),
  /** Filters above the dashboard, in their order. Needs `dialect: clickhouse`. Default: none. */
  filters: Type.Optional(Type.Array(dashboardFilter, { dialect: "clickhouse", reset: [] })),
  /** Query with which the dashboard is opened. Needs `dialect: clickhouse`. Default: none. */
  savedQuery: Type.Optional(Type.String({ dialect: "clickhouse", reset: null })),
  /** Language of `savedQuery`, `sql` or `lucene`. Needs `dialect: clickhouse`. Default: `lucene`. */
  savedQueryLanguage: Type.Optional(oneOf(["sql", "lucene"], { dialect: "clickhouse", default: "lucene" })),
  /** Conditions with which the dashboard is opened. Needs `dialect: clickhouse`. Default: none. */
  savedFilterValues: Type.Optional(Type.Array(savedFilterValue, { dialect: "clickhouse", reset: [] })),
  /** Groups of tiles, up to 50, in their order. Tiles name them as `containerId`. Needs `dialect: clickhouse`. */
  containers: Type.Optional(Type.Array(dashboardContainer, { dialect: "clickhouse", reset: [], most: 50 })),
});

export const dashboardOutputs = Type.Object({
  /**
   * Id of each tile by its name, for alerts: `dashboard.tileIds["Errors"]`. Further tiles of the same name are
   * `Errors (2)` and so on.
   */
  tileIds: Type.Record(Type.String(), Type.String(), { volatile: true }),
  /** Id of each filter by its name, on servers that have filters; further ones of the same name are numbered. */
  filterIds: Type.Optional(Type.Record(Type.String(), Type.String(), { volatile: true })),
  /** Address of the dashboard's page. Absent where the address of the product's pages is not known: set `pageUrl`. */
  url: Type.Optional(Type.String({ volatile: true, sent: "never" })),
});

type Inputs = Static<typeof dashboardInputs>;

/** Whether a program has declared dashboards in this run: a plain refresh runs no program. */
const runOf = perSession(() => ({ hasProgram: false }));

const dashboards = resourceOf<Inputs>({
  ...dashboardCollection,
  inputs: dashboardInputs,
  outputs: dashboardOutputs,
  scope: "observability",

  page: (id) => ["dashboards", id],

  complete: completeDashboard,

  failures: (declared, olds, settings) => [
    ...tileFailures(declared.tiles),
    ...layoutFailures(declared, olds),
    ...fractionFailures(declared.tiles, settings),
    ...contentFailures(declared.tiles, settings),
    ...(declared.savedQueryLanguage !== undefined && declared.savedQuery === undefined
      ? [{ path: "savedQueryLanguage", message: "needs savedQuery" }]
      : []),
    ...(dialects[settings.dialect].enforcesLimits ? gridFailures(declared.tiles) : []),
  ],

  warnings(declared, settings) {
    const warnings = [
      ...tileWarnings(declared.tiles),
      ...contentWarnings(declared.tiles, settings),
      ...sizeWarnings(dashboardInputs, declared, settings),
    ];
    return warnings.map((warning) => `${subjectOf(declared)}: ${warning}`);
  },

  isLike: (live, body) =>
    live.name !== undefined && shows(dashboardInputs, { tags: [], ...outlineOf(body) }, outlineOf(live)),

  // An update replaces all tiles, and the service deletes the alerts of each tile whose id is missing in the request.
  // So declared tiles get the ids that they have.
  pair(object, state, now) {
    const [declared, ids] = [tilesIn(object.tiles), tileIdsIn(state)];
    const [before, liveTiles] = [state.tiles, now?.tiles].map((tiles) =>
      ownTiles(tilesIn(tiles), declared, ids),
    );
    return {
      ...object,
      ...(object.tiles === undefined
        ? {}
        : { tiles: identified(object.tiles, before ?? [], ids, isRenamedTile, liveTiles) }),
      ...(object.filters === undefined
        ? {}
        : {
            filters: identified(
              object.filters,
              declarableFilters(state),
              filterIdsIn(state),
              isRenamedFilter,
            ),
          }),
    };
  },

  encode: (body, settings, current, state = {}) =>
    current ? updateBody(body, settings, current, state) : createBody(body, settings),

  decode,

  // The service hides tiles that its API cannot describe, and an update removes all tiles that the request lacks. So
  // the user is warned before.
  way: (usual) => ({
    ...usual,
    create: async (body, inputs, context) =>
      usual.create(await withMetricValues(body, context.session), inputs, context),
    send: async (id, body, context) => usual.send(id, await withMetricValues(body, context.session), context),
    async look(moment, id, state, context) {
      const answer = await usual.look(moment, id, state, context);
      if (moment === "beforeWrite" && isSeen(answer)) await warnOfHidden(id, answer, state, context);
      return answer;
    },
  }),

  deletedAlong: lostAlerts,

  users: () => [
    {
      definition: alertResource,
      members: ["dashboardId", "dashboard"],
      isDeletedToo: true,
    },
  ],

  // An import declares no ids: tiles and filters keep theirs by their names.
  declaration: (live) => ({
    ...live,
    tiles: ownTiles(tilesIn(live.tiles), [], {}).map(withoutId).map(withoutLeftovers),
    ...(live.filters === undefined ? {} : { filters: declarableFilters(live).map(withoutId) }),
  }),

  leftOut: leftoversIn,
});

/** Warns of tiles that the service hides, and that the update would remove. */
async function warnOfHidden(id: string, answer: Data, state: State, { session }: Context): Promise<void> {
  const [live, tiles] = [tilesIn(answer.tiles), tilesIn(state.tiles)];
  const count = ownTiles(live, tiles, tileIdsIn(state)).length;
  if (!Array.isArray(answer.tiles) || count >= tiles.length) return;
  const version = await session.serverVersion();
  // A server that shows a tile with PromQL hides no tiles.
  if (live.some(isInPromql) || (version !== undefined && !isOlder(version, promqlSince))) return;
  session.warnOnce(
    `dashboard ${id}: the service shows ${count} of ${tiles.length} tiles; if it hides the others, as it does tiles with PromQL before version ${promqlSince}, the update replaces them`,
  );
}

/** The steps of a dashboard's life. */
export const dashboardResource: typeof dashboards = {
  ...dashboards,

  // Adds to the check what only the service can find: in a preview, it validates the dashboard.
  async check(olds, news, session) {
    runOf(session).hasProgram = true;
    const checked = await dashboards.check(olds, news, session);
    const { inputs } = checked;
    // The service validates only in previews, which never write: in an update it checks the request itself.
    if (checked.failures.length > 0 || session.hasWritten || isUnchanged(dashboards, olds, inputs))
      return checked;
    const body = createBody(sentPart(dashboards, inputs), session.settings);
    const failures = await refusals(inputs, await withMetricValues(body, session), session);
    return { ...checked, failures: withLabels(failures, inputs) };
  },

  // Adds to the diff which alerts an update would delete: only a state has the ids of the tiles.
  async diff(id, state, inputs, session) {
    const changes = await dashboards.diff(id, state, inputs, session);
    const tileIds = knownTileIds(inputs.tiles, state);
    noteTiles(inputs, tileIds, session);
    noteState(id, state, session);
    // A plain refresh compares states without a program.
    if (!runOf(session).hasProgram) return changes;
    noteFates(id, fatesIn(inputs, state, tileIds), session);
    if (changes.length === 0) return changes;
    for (const warning of await lossesOfOthers(inputs, state, id, session)) session.warnOnce(warning);
    return withTileChanges(changes, inputs, state, tileIds, session);
  },

  // Alerts on tiles depend on the tiles' ids. The id of a new, renamed or unknown tile is unknown in a preview.
  plan: (state, inputs, session, id) => ({
    ...dashboards.plan(state, inputs, session, id),
    ...plannedTileIds(inputs, state ?? {}),
    ...inputs,
  }),

  async read(id, state, session) {
    noteState(id, state, session);
    if (!session.settings.refreshBeforeUpdate) noteRead(dashboards, id, session);
    return dashboards.read(id, state, session);
  },

  async create(inputs, session) {
    const created = await dashboards.create(inputs, session);
    noteWritten(inputs, created.state, session);
    return created;
  },

  async update(id, state, inputs, session) {
    const updated = await dashboards.update(id, state, inputs, session);
    noteRemoval(id, session);
    noteWritten(inputs, updated, session);
    return updated;
  },
};

/**
 * Which tiles of the state the program keeps and which it removes. If the name of a declared tile is unknown, it may be
 * any tile of the state.
 */
function fatesIn(inputs: Data, state: State, ids: readonly (string | undefined)[]) {
  const losing = areNamed(inputs.tiles) ? losingTiles(inputs, state) : [];
  return {
    staying: ids.filter((id) => id !== undefined),
    leaving: losing.flatMap(({ id, kind }) => (kind === undefined ? [id] : [])),
  };
}

/** Notes the ids of new tiles, for the alerts on them that are checked later. */
function noteWritten(inputs: Data, state: State, session: Session): void {
  const keys = keysOf(tilesIn(inputs.tiles));
  noteTiles(
    inputs,
    keys.map((key) => idAt(tileIdsIn(state), key)),
    session,
  );
}

/**
 * The members of a dashboard that all servers answer as they were sent. Newer servers turn `series` into `config`, so
 * `series` may be missing.
 */
function outlineOf({ name, tags, tiles, ...further }: Data): Data {
  const places = tilesIn(tiles).map((tile) => pick(tile, ["name", "x", "y", "w", "h", "asRatio", "series"]));
  const lists = pick(further, ["filters", "savedQuery", "savedFilterValues", "containers"]);
  return { name, ...pick({ tags }, ["tags"]), ...lists, ...(Array.isArray(tiles) ? { tiles: places } : {}) };
}
