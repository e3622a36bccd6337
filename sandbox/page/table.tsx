import type { ComponentChildren } from "preact";

/** A column: its heading, and what a row shows in it. */
export interface Column<Row> {
  heading: string;
  cell(row: Row): ComponentChildren;
  /** Right-aligned, for figures. */
  isNumber?: boolean;
}

/** A table that becomes a list of cards where there is no room; the roles keep it a table for screen readers. */
export function Table<Row extends { id: string }>({
  label,
  columns,
  rows,
}: {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
}) {
  return (
    // biome-ignore-start lint/a11y: the styles for narrow screens would take the roles away
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
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y: see above
  );
}

/** What stands where there is nothing to show. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** A state in words, with a colour for those who see it. */
export function State({ children, tone }: { children: string; tone: "good" | "warning" | "bad" | "plain" }) {
  return <span class={`state ${tone}`}>{children}</span>;
}
