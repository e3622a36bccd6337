import { useState } from "preact/hooks";
import { formatNumber } from "../../../drawing/format";
import type { ConsoleView } from "../../src/console/view";
import { faultKinds } from "../../src/faults/kinds";
import { operationNames } from "../../src/operations";
import type { ViewProps } from "../app";
import { type Field, type Form, useOpenForm } from "../dialog";
import { change } from "../requests";
import { type Column, Empty, Table } from "../table";

type ActiveFault = ConsoleView["faults"][number];

/** What goes wrong in the sandbox, on purpose. */
export function Faults({ view }: ViewProps) {
  const open = useOpenForm();
  const [problem, setProblem] = useState("");
  const clear = (path: string) =>
    change("DELETE", path).then(
      () => setProblem(""),
      (error: Error) => setProblem(error.message),
    );
  const columns: Column<ActiveFault & { id: string }>[] = [
    {
      heading: "What happens",
      cell: ({ fault }) => (
        <>
          <strong>{fault.kind}</strong> <span class="muted">{faultKinds[fault.kind].description}</span>
        </>
      ),
    },
    {
      heading: "To what",
      cell: ({ fault: { operation, api } }) =>
        `${operation === "*" ? "every request" : operation}${api ? ` to ${api}` : ""}`,
    },
    { heading: "When", cell: ({ fault }) => describeCalls(fault) },
    { heading: "Happened", cell: ({ seen, met }) => `${met} of ${seen}`, isNumber: true },
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
        <button type="button" class="primary" onClick={() => open(faultForm)}>
          Set a fault
        </button>
        {view.faults.length > 1 && (
          <button type="button" onClick={() => clear("/faults")}>
            Clear all
          </button>
        )}
      </div>
      <p class="muted">
        Lets calls of programs go wrong, to see what they make of it. The console is not affected.
      </p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {view.faults.length === 0 ? (
        <Empty>Nothing goes wrong now.</Empty>
      ) : (
        <Table
          label="Faults"
          columns={columns}
          rows={view.faults.map((active) => ({ ...active, id: String(active.id) }))}
        />
      )}
    </>
  );
}

/** `call 2, after it was carried out`, `calls 10 to 12`, `each call`. */
function describeCalls({ nth, from, to, probability, when, ...parameters }: ActiveFault["fault"]): string {
  const { seconds, milliseconds, megabytes, location } = parameters;
  const until = to === undefined ? " on" : ` to ${to}`;
  return [
    nth === undefined
      ? (from ?? to) === undefined
        ? "each call"
        : `calls ${from ?? 1}${until}`
      : `call ${nth}`,
    ...(probability === undefined ? [] : [`in ${formatNumber(probability * 100)} %`]),
    ...(when === undefined ? [] : [when === "after" ? "once it was carried out" : "in place of it"]),
    ...(seconds === undefined ? [] : [`${seconds} s`]),
    ...(milliseconds === undefined ? [] : [`${milliseconds} ms`]),
    ...(megabytes === undefined ? [] : [`${megabytes} MB`]),
    ...(location === undefined ? [] : [location]),
  ].join(", ");
}

const unsaid = "";

function optional(name: string, label: string, limits: Pick<Field, "min" | "max" | "step"> = {}): Field {
  return { name, label, kind: "number", value: unsaid, required: false, ...limits };
}

const faultForm: Form = {
  title: "Set a fault",
  fields: [
    {
      name: "kind",
      label: "What happens",
      kind: "select",
      value: "500",
      options: Object.entries(faultKinds).map(([value, { description }]) => ({
        value,
        label: `${value} – ${description}`,
      })),
    },
    {
      name: "operation",
      label: "To which operation",
      kind: "select",
      value: "*",
      options: [{ value: "*", label: "every request" }, ...operationNames],
    },
    {
      name: "api",
      label: "On which API",
      kind: "select",
      value: unsaid,
      options: [{ value: unsaid, label: "both" }, "management", "observability"],
    },
    optional("nth", "Only to this call, counted from now", { min: 1 }),
    optional("from", "From this call on", { min: 1 }),
    optional("to", "Up to this call", { min: 1 }),
    optional("probability", "To each of these calls by chance, 0 to 1", { min: 0, max: 1, step: "any" }),
    optional("seed", "Seed of the chances: the same one makes the same chances"),
    {
      name: "when",
      label: "When",
      kind: "select",
      value: unsaid,
      options: [
        { value: unsaid, label: "as is usual for it" },
        { value: "before", label: "in place of what was asked for" },
        { value: "after", label: "once that was carried out" },
      ],
    },
    optional("seconds", "Seconds to wait (429, 503)", { min: 0, step: "any" }),
    optional("milliseconds", "Milliseconds (delay, refused)", { min: 1 }),
  ],
  save: (values) =>
    change(
      "POST",
      "/faults",
      Object.fromEntries(Object.entries(values).filter(([, value]) => value !== unsaid)),
    ),
};
