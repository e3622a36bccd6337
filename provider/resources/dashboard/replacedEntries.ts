import { scopeOf } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import type { State } from "../../lifecycle/state";
import { isEmpty, pathOf, withoutDefaults } from "../../values/compare";
import { isObject, ownMember, type PropertyMap } from "../../values/data";
import { type Keys, pairEntries } from "../../values/pairing";
import { schemaAt } from "../../values/schema";
import type { TSchema } from "../../values/schemaBuilders";
import { quoted } from "../../values/wording";
import { isRenamedFilter, isRenamedTile } from "../tiles/renames";
import { dashboardTile } from "../tiles/tile";
import { idAt, keysOf, matchIds, tileIdsIn, tilesIn } from "../tiles/tiles";
import { dashboardFilter, declarableFilters, filterIdsIn } from "./dashboardFilters";

/** A tile or filter that the program declares in the place of a former one. */
interface Replaced {
  readonly noun: "tile" | "filter";
  readonly schema: TSchema;
  readonly name: unknown;
  readonly former: PropertyMap;
  readonly formerId: string;
}

/**
 * Describes what other people have set in tiles and filters that the program replaces, in sentences without a full stop. The
 * dashboards are listed only if the program replaces any tile or filter.
 */
export async function lostMembers(
  inputs: PropertyMap,
  state: State,
  id: string,
  session: Session,
): Promise<string[]> {
  const replaced = replacedIn(inputs, state);
  if (replaced.length === 0) return [];
  // The list of dashboards is needed only for a warning, so its failure does not fail the dashboard's operation.
  const live = await session.lists
    .find("listDashboards", scopeOf("observability", inputs, session), id)
    .catch(() => undefined);
  return replaced.flatMap(({ noun, schema, name, former, formerId }) => {
    const found = tilesIn(live?.[`${noun}s`]).find((entry) => entry.id === formerId);
    // Servers return `series` in another form than they were sent, so they cannot be compared.
    const paths = found && former.series === undefined ? setBeside(schema, former, found).map(pathOf) : [];
    return paths.length === 0
      ? []
      : `the ${noun} ${quoted(name)} takes the place of ${quoted(former.name)}, with which goes what somebody has set of it: ${paths.join(", ")}`;
  });
}

function replacedIn(inputs: PropertyMap, state: State): Replaced[] {
  const lists = [
    {
      ...({ noun: "tile", schema: dashboardTile, isRename: isRenamedTile } as const),
      ...{ declared: tilesIn(inputs.tiles), formers: tilesIn(state.tiles), ids: tileIdsIn(state) },
    },
    {
      ...({ noun: "filter", schema: dashboardFilter, isRename: isRenamedFilter } as const),
      ...{ declared: tilesIn(inputs.filters), formers: declarableFilters(state), ids: filterIdsIn(state) },
    },
  ];
  return lists.flatMap(({ noun, schema, isRename, declared, formers, ids }) => {
    const keys = keysOf(formers);
    const matched = matchIds(declared, formers, ids, isRename);
    return declared.flatMap(({ name }, index): Replaced[] => {
      const [former, formerId] = [formers[index], idAt(ids, keys[index] ?? "")];
      const isGone = matched[index] === undefined && formerId !== undefined && !matched.includes(formerId);
      return former && isGone ? [{ noun, schema, name, former, formerId }] : [];
    });
  });
}

/** The paths of the members that somebody has set in a tile or filter on the service, and that the program does not declare. */
function setBeside(schema: TSchema, declared: unknown, live: unknown, keys: Keys = []): Keys[] {
  if (Array.isArray(declared) && Array.isArray(live)) {
    const entry = schemaAt(schema, 0);
    return pairEntries(entry, declared, live).flatMap((at, index) =>
      at === undefined ? [] : setBeside(entry, declared[index], live[at], [...keys, index]),
    );
  }
  if (!isObject(declared) || !isObject(live)) return [];
  const { id: _, ...members } = withoutDefaults(schema, live);
  const known = Object.entries(members).filter(([name]) => name in (schema.properties ?? {}));
  return known.flatMap(([name, value]) => {
    const before = ownMember(declared, name);
    if (before !== undefined) return setBeside(schemaAt(schema, name), before, value, [...keys, name]);
    return isEmpty(value) || isFilledIn(name, value) ? [] : [[...keys, name]];
  });
}

/**
 * Whether servers fill in this member of a tile or filter by themselves, such as a language. Its value then does not show that
 * a person has set it.
 */
function isFilledIn(name: string, value: unknown): boolean {
  return typeof value === "boolean" || name === "type" || (name === "whereLanguage" && value === "lucene");
}
