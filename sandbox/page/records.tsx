import type { ComponentChildren, ComponentType } from "preact";
import type { ConsoleSnapshot } from "../http/console/snapshot";
import { type Form, newest, useOpenForm } from "./dialog";
import { type Column, Empty, Table } from "./table";
import type { ViewProps } from "./viewProps";

interface Shown {
  readonly id: string;
  readonly name?: string | null;
  /** Of a key without a name. */
  readonly keySuffix?: string;
  /** Absent for what belongs to the organization. */
  readonly serviceId?: string;
}

/** How the page shows records of one kind: a table, and forms that make, change or delete one. */
export interface RecordView<Row extends Shown> {
  readonly title: string;
  /** What buttons call one. */
  readonly noun: string;
  /** What to know about them. */
  readonly note?: string;
  readonly columns: readonly Column<Row>[];
  rows(snapshot: ConsoleSnapshot): readonly Row[];
  /** Default: that the service has none. */
  empty?(snapshot: ConsoleSnapshot, serviceId: string): ComponentChildren;
  /** The form of a new one; undefined where none can be made. */
  create?(snapshot: ConsoleSnapshot, serviceId: string): Form | undefined;
  /** The form of one; without `save` it only deletes. */
  form?(row: Row, snapshot: ConsoleSnapshot): Form;
}

/** The records of a service, or of the organization. */
export function Records<Row extends Shown>({
  view,
  snapshot,
  serviceId,
}: Pick<ViewProps, "snapshot" | "serviceId"> & { view: RecordView<Row> }) {
  const open = useOpenForm();
  const { title, noun, note, create, empty } = view;
  const rows = view
    .rows(snapshot)
    .filter((row) => row.serviceId === undefined || row.serviceId === serviceId);
  return (
    <>
      <div class="title">
        <h1>{title}</h1>
        {create?.(snapshot, serviceId) && (
          <button
            type="button"
            onClick={() => open((now) => create(now, serviceId) ?? { title: `New ${noun}`, fields: [] })}
          >
            New {noun}
          </button>
        )}
      </div>
      {note && <p class="muted">{note}</p>}
      {rows.length === 0 ? (
        <Empty>{empty?.(snapshot, serviceId) ?? `This service has no ${title.toLowerCase()}.`}</Empty>
      ) : (
        <RecordTable label={title} view={view} rows={rows} snapshot={snapshot} />
      )}
    </>
  );
}

/** A view of nothing but records. */
export function recordsOf<Row extends Shown>(view: RecordView<Row>): ComponentType<ViewProps> {
  return ({ snapshot, serviceId }) => <Records view={view} snapshot={snapshot} serviceId={serviceId} />;
}

/** Some records, each with a button that opens its form. */
export function RecordTable<Row extends Shown>({
  label,
  view: { noun, columns, form, rows: rowsOf },
  rows,
  snapshot,
}: {
  label: string;
  view: RecordView<Row>;
  rows: readonly Row[];
  snapshot: ConsoleSnapshot;
}) {
  const open = useOpenForm();
  const actions: Column<Row> = {
    heading: "",
    cell: (row) => (
      <button
        type="button"
        onClick={() => open((now) => form?.(newest(rowsOf(now), row), now) ?? { title: label, fields: [] })}
      >
        {form?.(row, snapshot).save ? "Edit" : "Delete"}
        <span class="hidden">
          {" "}
          {noun} {row.name || row.keySuffix}
        </span>
      </button>
    ),
  };
  return (
    <Table label={label} columns={form ? [...columns, actions] : columns} rows={rows} snapshot={snapshot} />
  );
}

/** The column of names. */
export const nameColumn = {
  heading: "Name",
  cell: ({ name }: { name: string | null }) => <strong dir="auto">{name || "(unnamed)"}</strong>,
};

/** The names and ids of records of a service, as a field offers them. */
export function choicesOf(
  records: readonly { readonly id: string; readonly serviceId: string; readonly name: string }[],
  serviceId: string,
) {
  return records
    .filter((record) => record.serviceId === serviceId)
    .map(({ id, name }) => ({ value: id, label: name }));
}
