import { useState } from "preact/hooks";
import { formatNumber } from "../../../drawing/format";
import type { ConsoleSnapshot } from "../../src/console/snapshot";
import { faultKinds } from "../../src/faults/kinds";
import { type Field, type Form, useOpenForm } from "../dialog";
import { change } from "../requests";
import { type Column, Empty, Table } from "../table";
import type { ViewProps } from "../viewProps";

type ActiveFault = ConsoleSnapshot["faults"][number];

/** The faults that are set. */
export function Faults({ snapshot }: ViewProps) {
  const open = useOpenForm();
  const [failure, setFailure] = useState("");
  const clear = (path: string) =>
    change("DELETE", path).then(
      () => setFailure(""),
      (error: Error) => setFailure(error.message),
    );
  const columns: Column<ActiveFault & { id: string }>[] = [
    {
      heading: "Fault",
      cell: ({ fault }) => (
        <>
          <strong>{fault.kind}</strong> <span class="muted">{faultKinds[fault.kind].description}</span>
        </>
      ),
    },
    {
      heading: "Affects",
      cell: ({ fault: { operation, api } }) =>
        `${operation === "*" ? "every request" : operation}${api ? `, ${api} API` : ""}`,
    },
    { heading: "Calls", cell: ({ fault }) => describeCalls(fault) },
    { heading: "Injected", cell: ({ matched, injected }) => `${injected} of ${matched}`, isNumber: true },
    {
      heading: "",
      cell: ({ id, fault }) => (
        <button type="button" onClick={() => clear(`/faults/${id}`)}>
          Clear<span class="hidden"> fault {fault.kind}</span>
        </button>
      ),
    },
  ];
  return (
    <>
      <div class="title">
        <h1>Faults</h1>
        <button type="button" class="primary" onClick={() => open(faultForm(snapshot))}>
          Add fault
        </button>
        {snapshot.faults.length > 1 && (
          <button type="button" onClick={() => clear("/faults")}>
            Clear all
          </button>
        )}
      </div>
      <p class="muted">
        Faults make calls of a program fail, to show how it reacts. They do not affect the console.
      </p>
      {failure && (
        <p class="problem" role="alert">
          {failure}
        </p>
      )}
      {snapshot.faults.length === 0 ? (
        <Empty>No faults are set.</Empty>
      ) : (
        <Table
          label="Faults"
          columns={columns}
          rows={snapshot.faults.map((active) => ({ ...active, id: String(active.id) }))}
        />
      )}
    </>
  );
}

/** `call 2, after the request`, `calls 10 to 12`, `each call`. */
function describeCalls({ nth, from, to, probability, when, ...parameters }: ActiveFault["fault"]): string {
  const { seconds, milliseconds, requests, megabytes, location } = parameters;
  return [
    nth === undefined
      ? (from ?? to) === undefined
        ? "each call"
        : to === undefined
          ? `from call ${from} on`
          : `calls ${from ?? 1} to ${to}`
      : `call ${nth}`,
    ...(probability === undefined ? [] : [`${formatNumber(probability * 100)} % chance`]),
    ...(when === undefined ? [] : [timings[when]]),
    ...(seconds === undefined ? [] : [`${seconds} s`]),
    ...(milliseconds === undefined ? [] : [`${milliseconds} ms`]),
    ...(requests === undefined ? [] : [`${requests} further requests`]),
    ...(megabytes === undefined ? [] : [`${megabytes} MB`]),
    ...(location === undefined ? [] : [location]),
  ].join(", ");
}

const timings = {
  before: "instead of the request",
  after: "after the request",
  later: "before the request is carried out later",
};

const notSet = "";

function optional(name: string, label: string, limits: Pick<Field, "min" | "max" | "step"> = {}): Field {
  return { name, label, kind: "number", value: notSet, required: false, ...limits };
}

const faultForm = ({ operations }: ConsoleSnapshot): Form => ({
  title: "Add fault",
  fields: [
    {
      name: "kind",
      label: "Fault",
      kind: "select",
      value: "500",
      options: Object.entries(faultKinds).map(([value, { description }]) => ({
        value,
        label: `${value} – ${description}`,
      })),
    },
    {
      name: "operation",
      label: "Operation",
      kind: "select",
      value: "*",
      options: [{ value: "*", label: "every request" }, ...operations],
    },
    {
      name: "api",
      label: "API",
      kind: "select",
      value: notSet,
      options: [{ value: notSet, label: "both" }, "management", "observability"],
    },
    optional("nth", "Only this call, counted from now", { min: 1 }),
    optional("from", "First call", { min: 1 }),
    optional("to", "Last call", { min: 1 }),
    optional("probability", "Probability, 0 to 1", { min: 0, max: 1, step: "any" }),
    optional("seed", "Seed of the random numbers"),
    {
      name: "when",
      label: "When",
      kind: "select",
      value: notSet,
      options: [
        { value: notSet, label: "default of the fault" },
        { value: "before", label: "instead of the request" },
        { value: "after", label: "after the request was carried out" },
        { value: "later", label: "before the request is carried out later" },
      ],
    },
    optional("seconds", "Retry after, in seconds (429, 503)", { min: 0, step: "any" }),
    optional("milliseconds", "Duration in milliseconds (delay, refused, stale, later)", { min: 1 }),
    optional("requests", "Duration in further requests (stale, later)", { min: 1 }),
  ],
  save: (values) =>
    change(
      "POST",
      "/faults",
      Object.fromEntries(Object.entries(values).filter(([, value]) => value !== notSet)),
    ),
});
