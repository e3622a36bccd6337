import { formatNumber } from "../../../drawing/format";
import { parametersOf, type Timing } from "../../core/faults/definition";
import type { FaultKind } from "../../core/faults/kinds";
import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { type Form, useOpenForm } from "../dialog";
import { choice, type Field } from "../fields";
import { change, useChange } from "../requests";
import { type Column, Empty, Table } from "../table";
import type { ViewProps } from "../viewProps";

type ActiveFault = ConsoleSnapshot["faults"][number];

export function Faults({ snapshot }: ViewProps) {
  const open = useOpenForm();
  const [failure, run] = useChange();
  const clear = (path: string) => run(change("DELETE", path));
  const columns: Column<ActiveFault & { id: string }>[] = [
    {
      heading: "Fault",
      cell: ({ fault }, { faultKinds }) => (
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
    { heading: "Calls", cell: describeCalls },
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
        <button type="button" class="primary" onClick={() => open(faultForm)}>
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
          snapshot={snapshot}
          rows={snapshot.faults.map((active) => ({ ...active, id: String(active.id) }))}
        />
      )}
    </>
  );
}

const whenInWords: Readonly<Record<Timing, string>> = {
  before: "instead of the request",
  after: "after the request",
  later: "before the request is carried out later",
};

/** Describes the requests that an injected fault affects: `call 2, after the request`, `calls 10 to 12`, `each call`. */
function describeCalls({ fault: { kind, operation, api, seed, ...fault } }: ActiveFault): string {
  const { nth, from, to, probability, when, ...parameters } = fault;
  return [
    nth === undefined
      ? (from ?? to) === undefined
        ? "each call"
        : to === undefined
          ? `from call ${from} on`
          : `calls ${from ?? 1} to ${to}`
      : `call ${nth}`,
    ...(probability === undefined ? [] : [`${formatNumber(probability * 100)} % chance`]),
    ...(when === undefined ? [] : [whenInWords[when]]),
    ...Object.entries(parameters).map(([name, value]) =>
      typeof value === "number" ? `${value} ${name}` : value,
    ),
  ].join(", ");
}

const notSet = "";

/** Labels of the properties that any injected fault may have; the other properties are parameters of some kinds of faults. */
const labels: Readonly<Record<string, string>> = {
  nth: "Only this call, counted from now",
  api: "API",
  from: "First call",
  to: "Last call",
  probability: "Probability, 0 to 1",
  seed: "Seed of the random numbers",
};

function faultForm({ operations, writes, faultMembers, faultKinds }: ConsoleSnapshot): Form {
  return {
    title: "New fault",
    fields(entered) {
      const kind = (entered.kind ?? "500") as FaultKind;
      const { when: times, affectsConnections, affectsWrites } = faultKinds[kind];
      const when = times.find((time) => time === entered.when) ?? times[0];
      const fieldsOf = (names: readonly string[], isAdvanced: boolean) =>
        names.map((name) => ({ ...fieldOf(name, faultMembers[name]), isAdvanced }));
      return [
        choice(
          "kind",
          "Fault",
          Object.entries(faultKinds).map(([value, { description }]) => ({
            value,
            label: `${value} – ${description}`,
          })),
          "500",
        ),
        // A connection is made before its request is known, so faults of connections can only affect every operation.
        ...(affectsConnections
          ? []
          : [operationField(affectsWrites || when === "later" ? writes : operations)]),
        ...(times.length > 1 ? [whenField(times, when)] : []),
        ...fieldsOf(["nth", ...parametersOf(faultKinds[kind], when)], false),
        ...fieldsOf(affectsConnections ? ["api"] : ["api", "from", "to", "probability", "seed"], true),
      ];
    },
    save: (values) =>
      change("POST", "/faults", {
        operation: "*",
        ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== notSet)),
      }),
  };
}

function operationField(operations: readonly string[]): Field {
  return choice("operation", "Operation", [{ value: "*", label: "every request" }, ...operations]);
}

/**
 * Makes the form's field for the time at which an injected fault takes effect. The form does not send the default, which is the
 * first of the times that this kind of fault allows.
 */
function whenField(times: readonly Timing[], chosen: Timing | undefined): Field {
  const timeToSend = (time: Timing | undefined) => (time === times[0] ? undefined : time);
  const options = times.map((time) => ({ value: timeToSend(time) ?? notSet, label: whenInWords[time] }));
  return choice("when", "When", options, timeToSend(chosen) ?? notSet);
}

function fieldOf(name: string, member: ConsoleSnapshot["faultMembers"][string] | undefined): Field {
  const { type, minimum: min, maximum: max, description: hint, anyOf } = member ?? {};
  const label = labels[name];
  const shared = {
    name,
    value: notSet,
    ...(label ? { label } : { label: name.charAt(0).toUpperCase() + name.slice(1), hint }),
  };
  if (anyOf) {
    const options = [{ value: notSet, label: "any" }, ...anyOf.map((option) => option.const)];
    return { ...shared, kind: "select", options };
  }
  if (type === "string") return { ...shared, kind: "text" };
  return { ...shared, kind: "number", required: false, min, max, step: type === "integer" ? 1 : "any" };
}
