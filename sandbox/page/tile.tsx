import { type Alert, describeAlert, describeSeries, type Tile } from "../../drawing";
import { formatNumber } from "../../drawing/format";
import { type Values, valuesOf } from "../../drawing/values";
import type { ConsoleView } from "../src/console/view";
import { type AlertRecord, alertForm } from "./alertForm";
import { Chart } from "./chart";
import { useOpenForm } from "./dialog";
import { timeOfDay } from "./format";
import { isComparable, type SampleData, useTileData } from "./tileData";

interface TileProps {
  tile: Tile;
  view: ConsoleView;
  serviceId: string;
  range: string;
  /** The alerts on the tile as the sandbox holds them, in the order of `tile.alerts`. */
  records: AlertRecord[];
  change(): void;
}

/** A tile of a dashboard: what it shows, its alerts, and its live sample data. */
export function TileCard({ tile, view, serviceId, range, records, change }: TileProps) {
  const open = useOpenForm();
  const sources = view.sources.filter((source) => source.serviceId === serviceId);
  const data = useTileData(tile, serviceId, sources, range);
  return (
    <>
      <header>
        <h3 dir="auto" title={tile.name}>
          {tile.name}
        </h3>
        <button type="button" class="quiet" onClick={change}>
          Change<span class="hidden"> tile {tile.name}</span>
        </button>
      </header>
      <p class="what muted">
        {tile.series
          .map((series) => `${describeSeries(series)}${series.where ? ` where ${series.where}` : ""}`)
          .join("; ")}
      </p>
      {records.map((record, index) => (
        <p key={record.id} class="alert">
          <button type="button" class="quiet bad" dir="auto" onClick={() => open(alertForm(record, view))}>
            {tile.alerts[index] && describeAlert(tile.alerts[index])}
          </button>
        </p>
      ))}
      <TileBody tile={tile} data={data} range={range} />
    </>
  );
}

function TileBody({ tile, data, range }: { tile: Tile; data: SampleData | undefined; range: string }) {
  if (tile.kind === "text") return <p class="text">{tile.text}</p>;
  if (!data) return <p class="empty">Loading …</p>;
  if ("problem" in data) return <p class="empty">{data.problem}</p>;
  const values = valuesOf(tile, data.points);
  const [only, ...others] = values;
  if (!only) return <p class="empty">No events in this time.</p>;
  if (tile.kind === "number" && others.length === 0) {
    return (
      <p class="figure">
        {formatNumber(only.total)} <span class="muted">in the last {range}</span>
      </p>
    );
  }
  if (tile.kind === "number" || tile.kind === "table")
    return <ValueTable values={values} label={tile.name} />;
  const alerts = tile.alerts.filter(({ interval }) => isComparable(tile, range, interval));
  return (
    <Chart
      kind={tile.kind === "bar" ? "bar" : "line"}
      values={values}
      from={data.from}
      until={data.until}
      bucketLength={data.bucketLength}
      alerts={alerts}
      label={inWords(tile, values, alerts)}
    />
  );
}

function ValueTable({ values, label }: { values: Values[]; label: string }) {
  return (
    <div class="scroll">
      <table aria-label={label}>
        <tbody>
          {values.map(({ label: name, total }) => (
            <tr key={name}>
              <th scope="row" dir="auto">
                {name}
              </th>
              <td class="number">{formatNumber(total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What the picture shows, for those who do not see it. */
function inWords(tile: Tile, values: Values[], alerts: readonly Alert[]): string {
  const lines = values.slice(0, 8).map(({ label, points }) => {
    const [time, highest] = points.reduce(
      (best, point) => (point[1] > best[1] ? point : best),
      [0, Number.NEGATIVE_INFINITY],
    );
    const latest = points.at(-1)?.[1] ?? 0;
    return `${label}: latest ${formatNumber(latest)}, highest ${formatNumber(highest)} at ${timeOfDay(time).slice(0, 5)}`;
  });
  return [`${tile.name}, chart over time`, ...lines, ...alerts.map(describeAlert)].join(". ");
}
