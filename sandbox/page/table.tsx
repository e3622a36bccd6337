import { type ComponentChildren, Fragment } from "preact";
import type { ConsoleSnapshot } from "../http/console/snapshot";

export interface Column<Row> {
  heading: string;
  cell(row: Row, snapshot: ConsoleSnapshot): ComponentChildren;
  /** Whether the table column contains numbers, which are aligned to the right. */
  isNumber?: boolean;
}

/**
 * Shows a table of the console that becomes a list of cards on narrow screens. Its ARIA roles keep it a table for screen
 * readers.
 */
export function Table<Row extends { id: string }>({
  label,
  columns,
  rows,
  snapshot,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  snapshot: ConsoleSnapshot;
}) {
  return (
    // biome-ignore-start lint/a11y: the styles for narrow screens would remove the roles
    <table class="list" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ heading, isNumber }) => (
            <th key={heading} role="columnheader" scope="col" class={isNumber ? "number" : undefined}>
              {heading || <span class="hidden">Actions</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={row.id} role="row">
            {columns.map(({ heading, cell, isNumber }) => (
              <td key={heading} role="cell" data-heading={heading} class={isNumber ? "number" : undefined}>
                {cell(row, snapshot)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y: see above
  );
}

/** Shows a name such as `broker-1.example.com`, which may be broken into lines after each of its parts. */
export function Parts({ children }: { children: string }) {
  return (
    <>
      {children.split(/(?<=[._/:,@-])/).map((part, index) => (
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

export function State({ children, tone }: { children: string; tone: "good" | "warning" | "bad" | "plain" }) {
  return <span class={`state ${tone}`}>{children}</span>;
}
