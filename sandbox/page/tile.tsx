import { describeAlert, describeSeries, pictureClass, type Tile, type TileData } from "../../drawing";
import { type Values, valuesOf } from "../../drawing/chartValues";
import type { Markup } from "../../drawing/element";
import { formatNumber, shownSeries } from "../../drawing/format";
import { drawSketch } from "../../drawing/sketch";
import { drawBars, drawPie } from "../../drawing/tileContents";
import type { ConsoleSnapshot } from "../http/console/snapshot";
import { Chart } from "./chart";
import { useOpenForm } from "./dialog";
import { clockTime } from "./format";
import { kindNamed, objectForm } from "./kinds";
import { useTileData } from "./tileData";
import type { AlertRecord } from "./views/alerts";

interface TileProps {
  tile: Tile;
  snapshot: ConsoleSnapshot;
  serviceId: string;
  range: string;
  records: AlertRecord[];
  edit(): void;
}

export function TileCard({ tile, snapshot, serviceId, range, records, edit }: TileProps) {
  const open = useOpenForm();
  const sources = snapshot.sources.filter((source) => source.serviceId === serviceId);
  const data = useTileData(tile, serviceId, sources, range);
  return (
    <>
      <header>
        <h2 dir="auto" title={tile.name}>
          {tile.name}
        </h2>
        <button type="button" class="quiet" onClick={edit}>
          Edit<span class="hidden"> tile {tile.name}</span>
        </button>
      </header>
      <p class="what muted">
        {shownSeries(tile)
          .map((series) => `${describeSeries(series)}${series.where ? ` where ${series.where}` : ""}`)
          .join("; ")}
      </p>
      {records.map((record, index) => (
        <p key={record.id} class="alert">
          <button
            type="button"
            class={tile.alerts[index]?.firing ? "quiet bad" : "quiet"}
            dir="auto"
            onClick={() => open((now) => objectForm(kindNamed(now, "alerts"), { ...record }, now))}
          >
            {tile.alerts[index] && describeAlert(tile.alerts[index])}
          </button>
        </p>
      ))}
      <TileBody tile={tile} data={data} range={range} />
    </>
  );
}

function TileBody({ tile, data, range }: { tile: Tile; data: TileData | undefined; range: string }) {
  if (tile.kind === "text") return <p class="text">{tile.text}</p>;
  if (tile.kind === "other" || tile.query !== undefined || tile.series.length === 0)
    return <Sketch tile={tile} />;
  if (!data) return <p class="empty">Loading …</p>;
  if ("problem" in data) return <p class="empty">{data.problem}</p>;
  const values = valuesOf(tile, data.points);
  const [only, ...furtherValues] = values;
  if (!only) return <p class="empty">No events in this time range.</p>;
  if (tile.kind === "number" && furtherValues.length === 0) {
    return (
      <p class="figure">
        {formatNumber(only.total)} <span class="muted">in the last {range}</span>
      </p>
    );
  }
  const picture = tile.kindName === "pie" ? drawPie : tile.kindName === "bar" ? drawBars : undefined;
  if (tile.kind === "number" || tile.kind === "table")
    return (
      <>
        {picture && <Picture markup={picture(pictureBox, values)} />}
        <ValueTable values={values} label={tile.name} />
      </>
    );
  return (
    <Chart
      kind={tile.kind === "bar" ? "bar" : "line"}
      name={tile.name}
      values={values}
      data={data}
      alerts={tile.alerts}
      description={describeChart(tile, values)}
    />
  );
}

/**
 * Shows a sketch of a dashboard tile for which the sandbox has no sample data, such as a tile with a query in SQL, records or
 * patterns.
 */
function Sketch({ tile }: { tile: Tile }) {
  return (
    // A long query can be scrolled by keyboard only while it has the focus, so the section can get the focus.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section class="sketch" aria-label={`Sketch of ${tile.name}`} tabIndex={0}>
      <p class="muted">
        {tile.query === undefined
          ? `Without sample data: ${tile.kindName}`
          : "In SQL, which the sandbox does not run:"}
      </p>
      {tile.query !== undefined && <pre>{tile.query}</pre>}
      <Picture markup={drawSketch(pictureBox, tile)} />
    </section>
  );
}

const pictureBox = { left: 0, top: 0, width: 240, height: 100 };

function Picture({ markup }: { markup: Markup }) {
  return (
    <svg class={pictureClass} width={pictureBox.width} height={pictureBox.height} aria-hidden="true">
      {/* Inserting the markup of a tile's picture is safe, since the code that draws it escapes every text. */}
      <g dangerouslySetInnerHTML={{ __html: markup.source }} />
    </svg>
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

function describeChart(tile: Tile, values: Values[]): string {
  const lines = values.slice(0, 8).map(({ label, points }) => {
    const [time, highest] = points.reduce(
      (best, point) => (point[1] > best[1] ? point : best),
      [0, Number.NEGATIVE_INFINITY],
    );
    const latest = points.at(-1)?.[1] ?? 0;
    return `${label}: latest ${formatNumber(latest)}, highest ${formatNumber(highest)} at ${clockTime(time)}`;
  });
  return [`${tile.name}, chart over time`, ...lines, ...tile.alerts.map(describeAlert)].join(". ");
}
