import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { nameColumn } from "../records";
import { Code, type Column, Empty, Parts, State, Table } from "../table";
import type { ViewProps } from "../viewProps";

const pipeColumns: Column<ConsoleSnapshot["pipes"][number]>[] = [
  nameColumn,
  {
    heading: "State",
    cell: ({ state }) => <State tone={state === "Running" ? "good" : "warning"}>{state}</State>,
  },
  { heading: "Source", cell: ({ from }) => <Parts>{from}</Parts> },
  { heading: "Table", cell: ({ to }) => <Code>{to}</Code> },
  { heading: "Replicas", cell: ({ replicas }) => replicas, isNumber: true },
];

const endpointColumns: Column<ConsoleSnapshot["reversePrivateEndpoints"][number]>[] = [
  { heading: "Description", cell: ({ description }) => <strong dir="auto">{description}</strong> },
  {
    heading: "Status",
    cell: ({ status }) => <State tone={status === "Ready" ? "good" : "warning"}>{status}</State>,
  },
  { heading: "Type", cell: ({ type }) => <Parts>{type}</Parts> },
  { heading: "Endpoint", cell: ({ endpointId }) => <Code>{endpointId}</Code> },
  { heading: "DNS names", cell: ({ dnsNames }) => <Parts>{dnsNames.join(", ") || "none yet"}</Parts> },
];

/** The pipes of the service by kind of source, and its reverse private endpoints. */
export function Pipes({ snapshot, serviceId }: ViewProps) {
  const ofService = <Row extends { serviceId: string }>(rows: Row[]) =>
    rows.filter((row) => row.serviceId === serviceId);
  const pipes = ofService(snapshot.pipes);
  const endpoints = ofService(snapshot.reversePrivateEndpoints);
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
            snapshot={snapshot}
          />
        </section>
      ))}
      <section>
        <h2>Reverse private endpoints</h2>
        {endpoints.length === 0 ? (
          <Empty>This service has no reverse private endpoints.</Empty>
        ) : (
          <Table
            label="Reverse private endpoints"
            columns={endpointColumns}
            rows={endpoints}
            snapshot={snapshot}
          />
        )}
      </section>
    </>
  );
}
