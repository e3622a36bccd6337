import { dialects } from "../../api/dialect";
import { enums } from "../../api/enums.golden";
import { isOlder } from "../../api/serverVersion";
import { isUnchanged } from "../../lifecycle/check";
import type { Look } from "../../lifecycle/definition";
import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import { adoptable, inService } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { isSeen, type State, sentPart } from "../../lifecycle/state";
import { updateOf } from "../../lifecycle/write";
import { shows } from "../../values/compare";
import { type PropertyMap, pick } from "../../values/data";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import { withLabels } from "../../values/validate";
import { knownTileIds, losingTiles, noteTiles } from "../tiles/alertTiles";
import { dashboardCollection } from "../tiles/dashboardCollection";
import { isRenamedFilter, isRenamedTile } from "../tiles/renames";
import { tile } from "../tiles/tile";
import { withTileChanges } from "../tiles/tileChanges";
import { promqlSince } from "../tiles/tileConfig";
import { contentFailures, contentWarnings } from "../tiles/tileContent";
import { leftoversIn, withMetricValues, withoutLeftovers } from "../tiles/tileLeftovers";
import { noteFates, noteState, noteUpdate } from "../tiles/tileRemovals";
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
} from "../tiles/tiles";
import { areNamed, lossesOfOthers, lostAlerts, refusals } from "./dashboardAdvice";
import { createBody, liveDashboard, updateBody, withoutId } from "./dashboardBody";
import { dashboardContainer } from "./dashboardContainers";
import { completeDashboard, dashboardDefaults } from "./dashboardDefaults";
import {
  dashboardFilter,
  declarableFilters,
  filterIdsIn,
  hasDeclarableValues,
  savedFilterValue,
} from "./dashboardFilters";
import {
  fractionFailures,
  gridFailures,
  layoutFailures,
  sizeWarnings,
  tileFailures,
  tileWarnings,
} from "./dashboardRules";

/**
 * Inputs of a dashboard.
 * @see "Update dashboard body", "Dashboard (observability API)" in the API document
 */
export const dashboardInputs = inService({
  /**
   * Adopts the existing dashboard with this id instead of creating one. Has no effect once the dashboard is in the Pulumi
   * state. While `adoptId` is declared, the preview rejects changes that would replace the dashboard.
   */
  adoptId: adoptable,
  /** Name of the dashboard, up to 1024 characters. May be empty. */
  name: Type.String({ longest: 1024 }),
  /** All tiles of the dashboard, up to 500, in reading order; an update removes tiles that are not declared. May be empty. */
  tiles: Type.Array(tile, { most: 500 }),
  /**
   * Properties that each tile of the dashboard gets unless it declares its own, so that the program need not repeat them. The
   * Pulumi state and the requests hold them in the tiles.
   */
  defaults: Type.Optional(dashboardDefaults),
  /** Tags of the dashboard, in any order: up to 50, each of up to 32 characters. */
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, longest: 32 }), {
      uniqueItems: true,
      comparison: "set",
      reset: [],
      most: 50,
      defaultTags: "texts",
    }),
  ),
  /** Filters above the dashboard, in their order. Needs `dialect: clickhouse`. Default: none. */
  filters: Type.Optional(Type.Array(dashboardFilter, { dialect: "clickhouse", reset: [] })),
  /** Search query that is set when somebody opens the dashboard. Needs `dialect: clickhouse`. Default: none. */
  savedQuery: Type.Optional(Type.String({ dialect: "clickhouse", reset: null })),
  /** Language of `savedQuery`, `sql` or `lucene`. Needs `dialect: clickhouse`. Default: `lucene`. */
  savedQueryLanguage: Type.Optional(oneOf(enums.whereLanguage, { dialect: "clickhouse", default: "lucene" })),
  /**
   * Values and conditions of the filters that are set when somebody opens the dashboard. Needs `dialect: clickhouse`. Default:
   * none.
   */
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
  /**
   * Id of each filter by its name, on servers whose dashboards have filters; further filters of the same name are numbered:
   * `Region (2)`.
   */
  filterIds: Type.Optional(Type.Record(Type.String(), Type.String(), { volatile: true })),
  /**
   * Address of the dashboard's page in the console. Absent if the provider does not know where the console is: set the
   * provider's `pageUrl`.
   */
  url: Type.Optional(Type.String({ volatile: true, sent: "never" })),
});

export const dashboardResource: Resource = resourceOf({
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

  // An update replaces all tiles, and the service deletes the alerts of each tile whose id is missing in the request. So the
  // request repeats the ids that the declared tiles already have.
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

  formOf: liveDashboard,

  // The service hides tiles that its API cannot describe, such as tiles in PromQL, and an update of the dashboard removes them.
  async look(look, usual) {
    const answer = await usual(look);
    if (look.moment === "beforeWrite" && isSeen(answer)) await warnOfHidden(answer, look);
    return answer;
  },

  creation: async ({ body, ...creating }, usual) =>
    usual({ ...creating, body: await withMetricValues(body, creating.context.session) }),

  steps: ({ desired }) => [
    {
      ...updateOf(dashboardResource, desired),
      body: ({ context }) => withMetricValues(desired, context.session),
    },
  ],

  uses: {
    Connection: "Sources and charts of a deleted connection show nothing",
    Source: "Tiles on a deleted source show nothing, and the service refuses to update their dashboard",
  },

  cascadeWarnings: lostAlerts,

  // `pulumi import` declares tiles and filters without ids, which the provider finds by their names.
  declaration({ savedFilterValues, ...live }, _outputs, leaveOut) {
    for (const path of leftoversIn(live)) leaveOut(path);
    const isDeclarable = hasDeclarableValues({ savedFilterValues });
    if (!isDeclarable) leaveOut("savedFilterValues");
    return {
      ...live,
      ...(savedFilterValues !== undefined && isDeclarable ? { savedFilterValues } : {}),
      tiles: ownTiles(tilesIn(live.tiles), [], {}).map(withoutId).map(withoutLeftovers),
      ...(live.filters === undefined ? {} : { filters: declarableFilters(live).map(withoutId) }),
    };
  },

  around: {
    // In a preview, the service also validates the dashboard, and finds failures that the provider cannot find.
    async check(usual, olds, news, session) {
      const checked = await usual(olds, news, session);
      const { inputs } = checked;
      // An update needs no validation: if the dashboard is invalid, the write request itself fails.
      if (checked.failures.length > 0 || session.hasWritten || isUnchanged(dashboardResource, olds, inputs))
        return checked;
      const body = createBody(sentPart(dashboardResource, inputs), session.settings);
      const failures = await refusals(inputs, await withMetricValues(body, session), session);
      return { ...checked, failures: withLabels(failures, inputs) };
    },

    // Unlike the check, the diff knows the ids of the tiles, and so the alerts that an update would delete.
    async diff(usual, id, state, inputs, session) {
      const changes = await usual(id, state, inputs, session);
      const tileIds = knownTileIds(inputs.tiles, state);
      noteTiles(id, inputs, tileIds, session);
      noteState(id, state, session);
      // `pulumi refresh` runs no program and compares two Pulumi states. No update follows, so there is nothing to warn of.
      if (!session.run.hasProgram) return changes;
      noteFates(id, fatesIn(inputs, state, tileIds), session);
      if (changes.length === 0) return changes;
      for (const warning of await lossesOfOthers(inputs, state, id, session)) session.warnOnce(warning);
      return withTileChanges(changes, inputs, state, tileIds, session);
    },

    // Alerts refer to tiles by their ids. A preview does not know the id of a tile that is new, renamed or of unknown name.
    plan: (usual, state, inputs, session, id) => ({
      ...usual(state, inputs, session, id),
      ...plannedTileIds(inputs, state ?? {}),
      ...inputs,
    }),

    async read(usual, id, state, session) {
      noteState(id, state, session);
      if (!session.settings.refreshBeforeUpdate) session.run.noteRead(dashboardResource, id);
      return usual(id, state, session);
    },

    async create(usual, inputs, session) {
      const created = await usual(inputs, session);
      noteWritten(created.id, inputs, created.state, session);
      return created;
    },

    async update(usual, id, state, inputs, session) {
      const updated = await usual(id, state, inputs, session);
      noteUpdate(id, updated, session);
      noteWritten(id, inputs, updated, session);
      return updated;
    },
  },
});

/** Warns that an update of the dashboard may remove tiles which the service hides. */
async function warnOfHidden(answer: PropertyMap, { id, state, context: { session } }: Look): Promise<void> {
  const [live, tiles] = [tilesIn(answer.tiles), tilesIn(state.tiles)];
  const count = ownTiles(live, tiles, tileIdsIn(state)).length;
  if (!Array.isArray(answer.tiles) || count >= tiles.length) return;
  const version = await session.serverVersion();
  // A server whose API shows tiles in PromQL hides no tiles.
  if (live.some(isInPromql) || (version !== undefined && !isOlder(version, promqlSince))) return;
  session.warnOnce(
    `dashboard ${id}: the service shows ${count} of its ${tiles.length} tiles. The others were deleted, or the service hides them, as it hides tiles with PromQL before version ${promqlSince}; the update replaces hidden tiles`,
  );
}

/**
 * Which tiles of the Pulumi state the program keeps, and which it removes. A declared tile of unknown name may be any of them.
 */
function fatesIn(inputs: PropertyMap, state: State, ids: readonly (string | undefined)[]) {
  const losing = areNamed(inputs.tiles) ? losingTiles(inputs, state) : [];
  return {
    staying: ids.filter((id) => id !== undefined),
    leaving: losing.flatMap(({ id, kind }) => (kind === undefined ? [id] : [])),
  };
}

/** Remembers the ids of a dashboard's new tiles, for the later checks of alerts that watch them. */
function noteWritten(id: string, inputs: PropertyMap, state: State, session: Session): void {
  const keys = keysOf(tilesIn(inputs.tiles));
  noteTiles(
    id,
    inputs,
    keys.map((key) => idAt(tileIdsIn(state), key)),
    session,
  );
}

/**
 * The members of a dashboard that all servers return as they were sent. The `config` of a tile is left out, since newer servers
 * make it from `series`.
 */
function outlineOf({ name, tags, tiles, ...further }: PropertyMap): PropertyMap {
  const places = tilesIn(tiles).map((tile) => pick(tile, ["name", "x", "y", "w", "h", "asRatio", "series"]));
  const lists = pick(further, ["filters", "savedQuery", "savedFilterValues", "containers"]);
  return { name, ...pick({ tags }, ["tags"]), ...lists, ...(Array.isArray(tiles) ? { tiles: places } : {}) };
}
