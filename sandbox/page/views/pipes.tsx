import type { ConsoleView } from "../../src/console/view";
import type { ViewProps } from "../app";
import { type Column, Empty, State, Table } from "../table";

type Pipe = ConsoleView["pipes"][number];
type Endpoint = ConsoleView["reversePrivateEndpoints"][number];

const pipeColumns: Column<Pipe>[] = [
  { heading: "Name", cell: ({ name }) => <strong dir="auto">{name}</strong> },
  {
    heading: "State",
    cell: ({ state }) => <State tone={state === "Running" ? "good" : "warning"}>{state}</State>,
  },
  { heading: "From", cell: ({ from }) => from },
  { heading: "Into", cell: ({ to }) => <span class="mono">{to}</span> },
  { heading: "Replicas", cell: ({ replicas }) => replicas, isNumber: true },
];

const endpointColumns: Column<Endpoint>[] = [
  { heading: "Description", cell: ({ description }) => <strong dir="auto">{description}</strong> },
  {
    heading: "Status",
    cell: ({ status }) => <State tone={status === "Ready" ? "good" : "warning"}>{status}</State>,
  },
  { heading: "Type", cell: ({ type }) => type },
  { heading: "Endpoint", cell: ({ endpointId }) => <span class="mono">{endpointId}</span> },
  { heading: "Names", cell: ({ dnsNames }) => dnsNames.join(", ") || "none yet" },
];

/** What loads data into the service, by kind of source, and over which private connections. */
export function Pipes({ view, serviceId }: ViewProps) {
  const ofService = <Row extends { serviceId: string }>(rows: Row[]) =>
    rows.filter((row) => row.serviceId === serviceId);
  const pipes = ofService(view.pipes);
  const endpoints = ofService(view.reversePrivateEndpoints);
  const kinds = [...new Set(pipes.map(({ kind }) => kind))];
  return (
    <>
      <h1>Pipes</h1>
      {kinds.length === 0 && <Empty>This service has no pipes.</Empty>}
      {kinds.map((kind) => (
        <section key={kind}>
          <h2>{kind}</h2>
          <Table
            label={`Pipes from ${kind}`}
            columns={pipeColumns}
            rows={pipes.filter((pipe) => pipe.kind === kind)}
          />
        </section>
      ))}
      <section>
        <h2>Reverse private endpoints</h2>
        {endpoints.length === 0 ? (
          <Empty>This service has no reverse private endpoints.</Empty>
        ) : (
          <Table label="Reverse private endpoints" columns={endpointColumns} rows={endpoints} />
        )}
      </section>
    </>
  );
}
