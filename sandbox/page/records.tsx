import type { ComponentChildren, ComponentType } from "preact";
import type { ConsoleSnapshot } from "../http/console/snapshot";
import { type Form, newest, useOpenForm } from "./dialog";
import type { Field, FieldValues } from "./fields";
import { change } from "./requests";
import { type Column, Empty, Table } from "./table";
import type { ViewProps } from "./viewProps";

interface RecordRow {
  readonly id: string;
  readonly name?: string | null;
  /** The last characters of an API key, which the console shows if the key has no name. */
  readonly keySuffix?: string;
  readonly serviceId?: string;
}

/** How the console shows records of one type: a table, and forms that create, change or delete a record. */
export interface RecordView<Row extends RecordRow> {
  readonly title: string;
  /** The noun for a record of the type on the console's buttons and forms. */
  readonly noun: string;
  readonly note?: string;
  /**
   * The columns of the table that lists the records in the console. A column that is only the name of a property shows the
   * property.
   */
  readonly columns: readonly (Column<Row> | (keyof Row & string))[];
  rows(snapshot: ConsoleSnapshot): readonly Row[];
  /** The text for an empty table in the console. By default it says that the service has no records of the type. */
  empty?(snapshot: ConsoleSnapshot, serviceId: string): ComponentChildren;
  /**
   * The path of the type's records in the API, below the path of their service or organization. Absent if the console cannot
   * change these records.
   */
  readonly path?: string;
  readonly isOfOrganization?: boolean;
  /** Whether the body of an update has only changed properties. If false, it has all properties of the record. */
  readonly isPatched?: boolean;
  readonly newNote?: string;
  /** Makes the fields of the console's form for a new record; undefined if none can be created. */
  newFields?(snapshot: ConsoleSnapshot, serviceId: string): readonly Field[] | undefined;
  /** Makes the fields of the console's form for an existing record. If absent, the record can only be deleted. */
  fields?(row: Row, snapshot: ConsoleSnapshot): readonly Field[];
  /** Makes the request body from the values that the user entered into the form. If absent, the body has these values. */
  bodyOf?(values: FieldValues, snapshot: ConsoleSnapshot, row?: Row): object;
  /** The question that the user of the console has to confirm before a record is deleted. */
  readonly question?: string;
  deleted?(): void;
}

function addressOf(
  { path, isOfOrganization }: { readonly path?: string; readonly isOfOrganization?: boolean },
  serviceId = "",
): string {
  return `${isOfOrganization ? "" : `/services/${serviceId}`}/${path}`;
}

function newForm<Row extends RecordRow>(
  view: RecordView<Row>,
  snapshot: ConsoleSnapshot,
  serviceId: string,
): Form {
  return {
    title: `New ${view.noun}`,
    note: view.newNote,
    fields: view.newFields?.(snapshot, serviceId) ?? [],
    save: (values) => change("POST", addressOf(view, serviceId), view.bodyOf?.(values, snapshot) ?? values),
  };
}

/** Makes the console's form of an existing record, with its newest version if it has changed since the page showed it. */
export function formOf<Row extends RecordRow>(
  view: RecordView<Row>,
  staleRow: Row,
  snapshot: ConsoleSnapshot,
): Form {
  const row = newest(view.rows(snapshot), staleRow);
  const { noun, bodyOf, isPatched, question = "" } = view;
  const address = `${addressOf(view, row.serviceId)}/${row.id}`;
  const fields = view.fields?.(row, snapshot);
  const name = row.name || (row.keySuffix === undefined ? "(unnamed)" : `…${row.keySuffix}`);
  return {
    title: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${name}`,
    fields: fields ?? [],
    ...(fields && {
      save: (values) =>
        change(isPatched ? "PATCH" : "PUT", address, bodyOf?.(values, snapshot, row) ?? values),
    }),
    removal: {
      label: `Delete ${noun}`,
      question,
      async run() {
        await change("DELETE", address);
        view.deleted?.();
      },
    },
  };
}

export function RecordList<Row extends RecordRow>({
  view,
  snapshot,
  serviceId,
  isSecond,
}: Pick<ViewProps, "snapshot" | "serviceId"> & {
  view: RecordView<Row>;
  /** Whether the list stands below another list of records on the console's page, so that it gets a smaller heading. */
  isSecond?: boolean;
}) {
  const open = useOpenForm();
  const { title, noun, note } = view;
  return (
    <>
      <div class="title">
        {isSecond ? <h2>{title}</h2> : <h1>{title}</h1>}
        {view.newFields?.(snapshot, serviceId) && (
          <button type="button" onClick={() => open((now) => newForm(view, now, serviceId))}>
            New {noun}
          </button>
        )}
      </div>
      {note && <p class="muted">{note}</p>}
      <RecordTable view={view} snapshot={snapshot} serviceId={serviceId} />
    </>
  );
}

export function recordsOf<Row extends RecordRow>(view: RecordView<Row>): ComponentType<ViewProps> {
  return ({ snapshot, serviceId }) => <RecordList view={view} snapshot={snapshot} serviceId={serviceId} />;
}

export function RecordTable<Row extends RecordRow>({
  view,
  snapshot,
  serviceId,
}: Pick<ViewProps, "snapshot" | "serviceId"> & { view: RecordView<Row> }) {
  const open = useOpenForm();
  const { title, noun, empty } = view;
  const isHere = (row: Row) => row.serviceId === undefined || row.serviceId === serviceId;
  const rows = view.rows(snapshot).filter(isHere);
  if (rows.length === 0)
    return (
      <Empty>
        {empty?.(snapshot, serviceId) ??
          `This service has no ${title.charAt(0).toLowerCase()}${title.slice(1)}.`}
      </Empty>
    );
  const actions: Column<Row> = {
    heading: "",
    cell: (row) => (
      <button type="button" onClick={() => open((now) => formOf(view, row, now))}>
        {view.fields ? "Edit" : "Delete"}
        <span class="hidden">
          {" "}
          {noun} {row.name || row.keySuffix}
        </span>
      </button>
    ),
  };
  const columns = view.columns.map((column) =>
    typeof column === "string" ? memberColumn<Row>(column) : column,
  );
  return (
    <Table
      label={title}
      columns={view.question === undefined ? columns : [...columns, actions]}
      rows={rows}
      snapshot={snapshot}
    />
  );
}

/** Makes a table column that shows a property of records, with a heading made of its name: `Last used` for `lastUsed`. */
function memberColumn<Row>(name: keyof Row & string): Column<Row> {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return {
    heading: words.charAt(0).toUpperCase() + words.slice(1),
    cell: (row) => {
      const value: unknown = row[name];
      return (
        <span dir="auto">{(Array.isArray(value) ? value.join(", ") : String(value ?? "")) || "none"}</span>
      );
    },
  };
}

export const nameColumn = {
  heading: "Name",
  cell: ({ name }: { name: string | null }) => <strong dir="auto">{name || "(unnamed)"}</strong>,
};

export function usersColumn<Row, User>(
  heading: string,
  usersIn: (snapshot: ConsoleSnapshot) => readonly User[],
  uses: (user: User, row: Row) => boolean,
): Column<Row> {
  return {
    heading,
    isNumber: true,
    cell: (row, snapshot) => usersIn(snapshot).filter((user) => uses(user, row)).length,
  };
}

/** Lists the options of a form's field that refers to records of a service: their names and ids. */
export function choicesOf(
  records: readonly { readonly id: string; readonly serviceId: string; readonly name: string }[],
  serviceId: string,
) {
  return records
    .filter((record) => record.serviceId === serviceId)
    .map(({ id, name }) => ({ value: id, label: name }));
}
