import type { ComponentChildren } from "preact";
import type { Kind, Row } from "../core/kinds";
import type { ConsoleSnapshot } from "../http/console/snapshot";
import { type Form, useOpenForm } from "./dialog";
import { dateTime } from "./format";
import { change, useChange } from "./requests";
import { type Column, Empty, Parts, State, Table } from "./table";
import type { ViewProps } from "./viewProps";

/** Finds a kind of objects by its name. Every sandbox has the kinds that the console's own views name. */
export function kindNamed({ kinds }: ConsoleSnapshot, name: string): Kind {
  return kinds.find((kind) => kind.name === name) as Kind;
}

function rowsOf(snapshot: ConsoleSnapshot, { name }: Kind): readonly Row[] {
  return snapshot[name as keyof ConsoleSnapshot] as readonly never[];
}

/** Writes a name of the API in words: `Query API endpoints` for `queryApiEndpoints`. */
export function titleOf(name: string): string {
  const words = name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\b(api|cdc|dns|ip|sql|ssh)\b/g, (word) => word.toUpperCase())
    .replace("clickhouse", "ClickHouse");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const lowered = (title: string) =>
  /^[A-Z]{2}|^ClickHouse/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);

function nounOf({ name }: Kind): string {
  const singular = name.replace(/ies$/, "y").replace(/(?<=ch)es$|(?<!Setting)s$/, "");
  return lowered(titleOf(singular));
}

function nameOf(row: Row, snapshot: ConsoleSnapshot): string {
  const { name, description, email, keySuffix, id, serviceId } = row;
  const service = id === serviceId && snapshot.services.find((one) => one.id === id)?.name;
  return String(name || description || email || service || (keySuffix ? `…${keySuffix}` : "(unnamed)"));
}

function pathOf(kind: Kind, serviceId = "", id = ""): string {
  const path = kind.path.replace(":serviceId", serviceId);
  return kind.isPart || id === "" ? path : `${path}/${id}`;
}

/** Makes a form's only field, which has an object as JSON. */
export function jsonField(value: object) {
  const text = JSON.stringify(value, undefined, 2);
  return [{ name: "json", label: "JSON", kind: "area", value: text } as const];
}

/** Reads the JSON that the user of the console entered. @throws Error if it is none, or no object */
export function objectIn({ json }: { readonly [name: string]: unknown }): object {
  let value: unknown;
  try {
    value = JSON.parse(String(json));
  } catch (error) {
    throw new Error(`This is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("The JSON must be an object.");
  return value;
}

/** Makes the console's form for an object, with its newest version if it has changed since the page showed it. */
export function objectForm(kind: Kind, opened: Row, snapshot: ConsoleSnapshot): Form {
  const row = rowsOf(snapshot, kind).find(({ id }) => id === opened.id) ?? opened;
  const noun = nounOf(kind);
  const { id, serviceId, ...members } = row;
  return {
    title: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${nameOf(row, snapshot)}`,
    fields: jsonField(members),
    save: async (values, before) =>
      change("PUT", `/objects/${kind.name}/${row.id}`, { from: objectIn(before), to: objectIn(values) }),
    ...(kind.isDeletable && {
      removal: {
        label: `Delete ${noun}`,
        question: "Objects that refer to it may be deleted with it, or no longer work.",
        run: () => change("DELETE", pathOf(kind, row.serviceId, row.id)),
      },
    }),
  };
}

interface KindListProps extends Pick<ViewProps, "snapshot" | "serviceId"> {
  kind: Kind;
  /** Whether the list stands below another list on the console's page, so that it gets a smaller heading. */
  isSecond?: boolean;
  /** The columns after the name. If absent, they follow from the objects. */
  columns?: readonly Column<Row>[];
  /** The JSON with which a new object begins. If absent, it has what the request for it requires. */
  sample?: unknown;
  /** The address of an object's own page. */
  addressOf?(row: Row): string;
}

/** Lists the objects of a kind that the service or the organization has, with the buttons that change them. */
export function KindList({ kind, snapshot, serviceId, isSecond, columns, sample, addressOf }: KindListProps) {
  const open = useOpenForm();
  const [failure, run] = useChange();
  const { name, creation, commands } = kind;
  const [title, noun] = [titleOf(name), nounOf(kind)];
  const rows = rowsOf(snapshot, kind).filter(
    (row) => row.serviceId === undefined || row.serviceId === serviceId,
  );
  const newForm = ({ method }: NonNullable<Kind["creation"]>): Form => ({
    title: `New ${noun}`,
    fields: jsonField((sample ?? withIds(creation?.body, snapshot, serviceId)) as object),
    save: (values) => change(method, pathOf(kind, serviceId), objectIn(values)),
  });
  const nameColumn: Column<Row> = {
    heading: "Name",
    cell: (row) => {
      const text = <strong dir="auto">{nameOf(row, snapshot)}</strong>;
      return (
        <>
          {addressOf ? <a href={addressOf(row)}>{text}</a> : text}
          {row.id !== row.serviceId && <span class="mono muted id">{row.id}</span>}
        </>
      );
    },
  };
  const actions: Column<Row> = {
    heading: "",
    cell: (row) => (
      <>
        <Button
          label="Edit"
          about={`${noun} ${nameOf(row, snapshot)}`}
          press={() => open((now) => objectForm(kind, row, now))}
        />
        {commands.map((command) => (
          <Button
            key={command}
            label={titleOf(command)}
            about={`${noun} ${nameOf(row, snapshot)}`}
            press={() => run(change("PATCH", `${pathOf(kind, row.serviceId, row.id)}/state`, { command }))}
          />
        ))}
      </>
    ),
  };
  return (
    <>
      <div class="title">
        {isSecond ? <h2>{title}</h2> : <h1>{title}</h1>}
        {creation && !(kind.isPart && rows.length > 0) && (
          <button type="button" onClick={() => open(() => newForm(creation))}>
            New {noun}
          </button>
        )}
      </div>
      {failure && (
        <p class="problem" role="alert">
          {failure}
        </p>
      )}
      {rows.length === 0 ? (
        <Empty>
          {kind.path.includes(":serviceId") ? "This service" : "The organization"} has no {lowered(title)}.
        </Empty>
      ) : (
        <Table
          label={title}
          columns={[nameColumn, ...(columns ?? columnsOf(kind, rows)), actions]}
          rows={rows}
          snapshot={snapshot}
        />
      )}
    </>
  );
}

function Button({ label, about, press }: { label: string; about: string; press(): void }) {
  return (
    <button type="button" onClick={press}>
      {label}
      <span class="hidden"> {about}</span>
    </button>
  );
}

const stateIn = ({ state, status }: Row) => state ?? status;

export const stateColumn: Column<Row> = {
  heading: "State",
  cell(row) {
    const state = String(stateIn(row));
    const isGood = /^(running|enabled|active|ready|completed)$/i.test(state);
    const isPlain = /^(ok|inactive)$/i.test(state);
    const isBad = /^(alert|failed|degraded|error)$/i.test(state);
    return (
      <State tone={isBad ? "bad" : isGood ? "good" : isPlain ? "plain" : "warning"}>
        {state.replaceAll("_", " ")}
      </State>
    );
  },
};

const toldElsewhere = /^(id|serviceId|name|email|state|status|keySuffix|createdAt|updatedAt)$/;

/** The number of columns that the table of a kind has at most, if the kind does not name them. */
const mostColumns = 4;

function columnsOf({ columns }: Kind, rows: readonly Row[]): Column<Row>[] {
  const isSimple = (value: unknown) => typeof value !== "object" || Array.isArray(value);
  const members = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const first = () =>
    members
      .filter((name) => !toldElsewhere.test(name) && rows.some((row) => isSimple(row[name])))
      .slice(0, mostColumns);
  return [
    ...(rows.some((row) => stateIn(row) !== undefined) ? [stateColumn] : []),
    ...(columns?.filter((name) => members.includes(name)) ?? first()).map((name) => memberColumn(name)),
  ];
}

export function memberColumn(name: string): Column<Row> {
  return {
    heading: titleOf(name.replace(/Ids?$/, "")),
    cell: (row, snapshot) => (
      <Value>{textOf(row[name], snapshot) || (/At$/.test(name) ? "never" : "none")}</Value>
    ),
  };
}

const longestText = 120;

function Value({ children }: { children: string }): ComponentChildren {
  const text = children.length > longestText ? `${children.slice(0, longestText)} …` : children;
  return (
    <span dir="auto">
      <Parts>{text}</Parts>
    </span>
  );
}

/** Describes a value of an object in words: ids by the names of their objects, and of objects the first values. */
function textOf(value: unknown, snapshot: ConsoleSnapshot): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((item) => textOf(item, snapshot)).join(", ");
  if (typeof value === "object") {
    const parts = Object.entries(value).flatMap(([name, member]) => {
      const text = textOf(member, snapshot);
      if (text === "" || text === "[redacted]" || typeof member === "boolean") return [];
      return typeof member === "string" ? text : `${titleOf(name).toLowerCase()} ${text}`;
    });
    return parts.slice(0, 3).join(" ");
  }
  if (typeof value !== "string") return String(value);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return dateTime(value);
  if (!/^[\da-f-]{24,36}$/.test(value)) return value;
  const named = snapshot.kinds.flatMap((kind) => rowsOf(snapshot, kind)).find(({ id }) => id === value);
  return named ? nameOf(named, snapshot) : value;
}

/** Fills the ids of a new object in, each with that of the first object which the service has of the kind. */
function withIds(sample: unknown, snapshot: ConsoleSnapshot, serviceId: string): unknown {
  if (typeof sample !== "object" || sample === null) return sample;
  if (Array.isArray(sample)) return sample.map((item) => withIds(item, snapshot, serviceId));
  const members = Object.entries(sample).map(([name, value]) => {
    const kind = snapshot.kinds.find(({ name: kind }) =>
      [`${name}s`, name.replace(/Id$/, "s")].includes(kind),
    );
    const first = kind && rowsOf(snapshot, kind).find((row) => (row.serviceId ?? serviceId) === serviceId);
    return [name, value === "" && first ? first.id : withIds(value, snapshot, serviceId)];
  });
  return Object.fromEntries(members);
}
