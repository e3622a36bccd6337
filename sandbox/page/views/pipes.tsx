import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { nameColumn, RecordTable, type RecordView } from "../records";
import { Code, Empty, Parts, State } from "../table";
import type { ViewProps } from "../viewProps";

type Pipe = ConsoleSnapshot["pipes"][number];

const pipesOf = (ofKind: string): RecordView<Pipe> => ({
  title: `Pipes from ${ofKind}`,
  noun: "pipe",
  rows: ({ pipes }) => pipes.filter(({ kind }) => kind === ofKind),
  columns: [
    nameColumn,
    {
      heading: "State",
      cell: ({ state }) => <State tone={state === "Running" ? "good" : "warning"}>{state}</State>,
    },
    { heading: "Source", cell: ({ from }) => <Parts>{from}</Parts> },
    { heading: "Table", cell: ({ to }) => <Code>{to}</Code> },
    { heading: "Replicas", cell: ({ replicas }) => replicas, isNumber: true },
  ],
});

const endpoints: RecordView<ConsoleSnapshot["reversePrivateEndpoints"][number]> = {
  title: "Reverse private endpoints",
  noun: "endpoint",
  rows: ({ reversePrivateEndpoints }) => reversePrivateEndpoints,
  columns: [
    { heading: "Description", cell: ({ description }) => <strong dir="auto">{description}</strong> },
    {
      heading: "Status",
      cell: ({ status }) => <State tone={status === "Ready" ? "good" : "warning"}>{status}</State>,
    },
    { heading: "Type", cell: ({ type }) => <Parts>{type}</Parts> },
    { heading: "Endpoint", cell: ({ endpointId }) => <Code>{endpointId}</Code> },
    { heading: "DNS names", cell: ({ dnsNames }) => <Parts>{dnsNames.join(", ") || "none yet"}</Parts> },
  ],
};

const tunnels: RecordView<ConsoleSnapshot["sshTunnels"][number]> = {
  title: "SSH tunnels",
  noun: "tunnel",
  rows: ({ sshTunnels }) => sshTunnels,
  columns: [
    nameColumn,
    {
      heading: "Status",
      cell: ({ status }) => <State tone={status === "active" ? "good" : "warning"}>{status}</State>,
    },
    { heading: "Host", cell: ({ username, host, port }) => <Parts>{`${username}@${host}:${port}`}</Parts> },
  ],
};

export function Pipes({ snapshot, serviceId }: ViewProps) {
  const servicePipes = snapshot.pipes.filter((pipe) => pipe.serviceId === serviceId);
  const kinds = [...new Set(servicePipes.map(({ kind }) => kind))];
  return (
    <>
      <h1>Pipes</h1>
      {kinds.length === 0 && <Empty>This service has no pipes.</Empty>}
      {kinds.map((kind) => (
        <section key={kind}>
          <h2>{kind}</h2>
          <RecordTable view={pipesOf(kind)} snapshot={snapshot} serviceId={serviceId} />
        </section>
      ))}
      <section>
        <h2>Reverse private endpoints</h2>
        <RecordTable view={endpoints} snapshot={snapshot} serviceId={serviceId} />
      </section>
      <section>
        <h2>SSH tunnels</h2>
        <RecordTable view={tunnels} snapshot={snapshot} serviceId={serviceId} />
      </section>
    </>
  );
}
