import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { describeArea, readDashboards, type Tile } from "../../../drawing";
import { columnScale, findGaps, findOverlaps, rowScale } from "../../../drawing/grid";
import { gridsOf } from "../../../drawing/grids";
import type { Row } from "../../core/kinds";
import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { type Form, useOpenForm } from "../dialog";
import { jsonField, KindList, kindNamed, memberColumn, objectForm, objectIn } from "../kinds";
import { change } from "../requests";
import { type Column, Empty } from "../table";
import { TileCard } from "../tile";
import { ranges } from "../tileData";
import type { ViewProps } from "../viewProps";

type DashboardRecord = ConsoleSnapshot["dashboards"][number];

const rowHeight = 48;

const columns: readonly Column<Row>[] = [
  memberColumn("tags"),
  { heading: "Tiles", isNumber: true, cell: ({ tiles }) => (tiles as DashboardRecord["tiles"]).length },
  {
    heading: "Alerts",
    isNumber: true,
    cell: ({ id }, { alerts }) => alerts.filter(({ dashboard }) => dashboard === id).length,
  },
];

export function Dashboards({ snapshot, serviceId, route: { id } }: ViewProps) {
  if (id === "")
    return (
      <KindList
        kind={kindNamed(snapshot, "dashboards")}
        columns={columns}
        addressOf={({ id }) => `#/dashboards/${id}`}
        {...{ snapshot, serviceId }}
      />
    );
  const dashboard = snapshot.dashboards.find((dashboard) => dashboard.id === id);
  return dashboard ? <DashboardPage key={id} record={dashboard} snapshot={snapshot} /> : <DeletedDashboard />;
}

function DeletedDashboard() {
  return (
    <>
      <h1>Dashboard</h1>
      <Empty>
        This dashboard no longer exists. <a href="#/dashboards">All dashboards</a>
      </Empty>
    </>
  );
}

function DashboardPage({ record, snapshot }: { record: DashboardRecord; snapshot: ConsoleSnapshot }) {
  const open = useOpenForm();
  const [range, setRange] = useState<string>(ranges["24 h"]);
  const alerts = snapshot.alerts.filter(({ dashboard }) => dashboard === record.id);
  const [dashboard] = readDashboards({ dashboards: [record], alerts, sources: snapshot.sources }).dashboards;
  if (!dashboard) return <DeletedDashboard />;
  return (
    <>
      <p class="path">
        <a href="#/dashboards">Dashboards</a>
      </p>
      <div class="title">
        <h1 dir="auto">{dashboard.name}</h1>
        {dashboard.tags.map((tag) => (
          <span key={tag} class="tag" dir="auto">
            {tag}
          </span>
        ))}
        <button
          type="button"
          onClick={() => open((now) => objectForm(kindNamed(now, "dashboards"), { ...record }, now))}
        >
          Edit<span class="hidden"> dashboard</span>
        </button>
        <button
          type="button"
          onClick={() => open(({ dashboards, sources }) => newTileForm(newest(dashboards, record), sources))}
        >
          New tile
        </button>
        <fieldset class="ranges">
          <legend class="hidden">Time range</legend>
          {Object.entries(ranges).map(([label, length]) => (
            <label key={length}>
              <input
                type="radio"
                name="range"
                class="hidden"
                checked={range === length}
                onChange={() => setRange(length)}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
      </div>
      {dashboard.tiles.length === 0 ? (
        <Empty>This dashboard has no tiles.</Empty>
      ) : (
        gridsOf(dashboard).map(({ title = "", tiles }) => (
          <Fragment key={title}>
            {title && (
              <h2>
                <bdi>{title}</bdi>
              </h2>
            )}
            <Grid record={record} snapshot={snapshot} tiles={tiles} range={range} />
          </Fragment>
        ))
      )}
    </>
  );
}

/** Shows the tiles of a dashboard at their places on the grid, or one below the other on narrow screens. */
function Grid({
  record,
  snapshot,
  tiles,
  range,
}: {
  record: DashboardRecord;
  snapshot: ConsoleSnapshot;
  tiles: readonly Tile[];
  range: string;
}) {
  const open = useOpenForm();
  const areas = tiles.flatMap(({ area }) => area ?? []);
  const rows = rowScale(areas, rowHeight);
  const columns = columnScale(areas, 1);
  const overlaps = findOverlaps(tiles, ({ area }) => area);
  const gaps = findGaps(areas);
  const across = (position: number) => `${(100 * columns.at(position)) / columns.length}%`;
  const placed = ({ x, y, w, h }: NonNullable<Tile["area"]>) => ({
    "--left": across(x),
    "--width": `calc(${across(x + w)} - ${across(x)})`,
    "--top": `${rows.at(y)}px`,
    "--height": `${rows.at(y + h) - rows.at(y)}px`,
  });
  const inReadingOrder = [...tiles].sort(
    (a, b) => (a.area?.y ?? 0) - (b.area?.y ?? 0) || (a.area?.x ?? 0) - (b.area?.x ?? 0),
  );
  return (
    <>
      <div class="grid" style={{ "--height": `${rows.length}px` }}>
        {gaps.map((gap) => (
          <div key={describeArea(gap)} class="gap" style={placed(gap)} aria-hidden="true" />
        ))}
        {inReadingOrder.map((tile) => (
          <div key={tile.id} class="cell" style={tile.area && placed(tile.area)}>
            <article class="tile" aria-label={tile.name}>
              <TileCard
                tile={tile}
                snapshot={snapshot}
                serviceId={record.serviceId}
                range={range}
                records={snapshot.alerts.filter(
                  ({ dashboard, tileId }) => dashboard === record.id && tileId === tile.id,
                )}
                edit={() => open(({ dashboards }) => tileForm(newest(dashboards, record), tile))}
              />
            </article>
          </div>
        ))}
        {overlaps.map(({ first, second, area }) => (
          <div key={`${first.id} ${second.id}`} class="overlap" style={placed(area)} aria-hidden="true" />
        ))}
      </div>
      {overlaps.length + gaps.length > 0 && (
        <ul class="notes">
          {overlaps.map(({ first, second, area }) => (
            <li key={`${first.id} ${second.id}`} class="warning">
              <bdi>{first.name}</bdi> and <bdi>{second.name}</bdi> overlap ({describeArea(area)})
            </li>
          ))}
          {gaps.map((gap) => (
            <li key={describeArea(gap)} class="muted">
              Empty: {describeArea(gap)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Finds the newest version of a dashboard, or the last version of one that is gone. */
const newest = (dashboards: readonly DashboardRecord[], record: DashboardRecord) =>
  dashboards.find(({ id }) => id === record.id) ?? record;

type TileRecord = DashboardRecord["tiles"][number];

function saveTiles(record: DashboardRecord, tiles: Omit<TileRecord, "id">[]): Promise<void> {
  return change("PUT", `/services/${record.serviceId}/dashboards/${record.id}`, { name: record.name, tiles });
}

function tileForm(record: DashboardRecord, { id, name, alerts }: Tile): Form {
  const tile = record.tiles.find((candidate) => candidate.id === id);
  const otherTiles = record.tiles.filter((candidate) => candidate.id !== id);
  return {
    title: `Tile ${name}`,
    fields: jsonField(tile ?? {}),
    save: async (values) => {
      const changed = objectIn(values) as TileRecord;
      await saveTiles(
        record,
        record.tiles.map((candidate) => (candidate.id === id ? changed : candidate)),
      );
    },
    removal: {
      label: "Delete tile",
      question: alerts.length === 0 ? "This removes it from the dashboard." : "This also deletes its alerts.",
      run: () => saveTiles(record, otherTiles),
    },
  };
}

/**
 * Makes the form of a new tile, which counts the events of a source over time and is placed below the dashboard's other tiles.
 */
function newTileForm(record: DashboardRecord, sources: ConsoleSnapshot["sources"]): Form {
  const y = Math.max(0, ...record.tiles.map(({ y, h }) => y + h));
  const sourceId = sources.find(({ serviceId }) => serviceId === record.serviceId)?.id;
  const count = { type: "time", sourceId, aggFn: "count", where: "SeverityText:error", groupBy: [] };
  return {
    title: "New tile",
    fields: jsonField({
      ...{ name: "Errors", x: 0, y, w: 12, h: 6 },
      series: [{ ...count, whereLanguage: "lucene" }],
    }),
    save: async (values) => saveTiles(record, [...record.tiles, objectIn(values) as TileRecord]),
  };
}
