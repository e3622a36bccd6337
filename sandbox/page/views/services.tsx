import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { type Form, newest, useOpenForm } from "../dialog";
import { checkbox, numberField, textField } from "../fields";
import { change } from "../requests";
import type { ViewProps } from "../viewProps";

type Service = ConsoleSnapshot["services"][number];

export function Services({ snapshot }: ViewProps) {
  return (
    <>
      <h1>Services</h1>
      <div class="cards">
        {snapshot.services.map((service) => (
          <ServiceCard key={service.id} service={service} snapshot={snapshot} />
        ))}
      </div>
    </>
  );
}

function ServiceCard({ service, snapshot }: { service: Service; snapshot: ConsoleSnapshot }) {
  const open = useOpenForm();
  const endpoint = snapshot.queryEndpoints.find(({ serviceId }) => serviceId === service.id);
  const keyNames = endpoint?.openApiKeys.map((id) => {
    const key = snapshot.keys.find((candidate) => candidate.id === id);
    return key ? key.name || `…${key.keySuffix}` : "deleted key";
  });
  return (
    <section class="card" aria-label={service.name}>
      <header>
        <h2 dir="auto">{service.name}</h2>
        <p class="muted">
          Version {service.engineVersion}
          {service.isPrimary && ", first service of its warehouse"}
          {service.state && `, ${service.state.replaceAll("_", " ")}`}
        </p>
        <p class="mono muted">{service.id}</p>
      </header>
      <h3>Scaling</h3>
      <dl>
        <dt>Replicas</dt>
        <dd>{service.numReplicas}</dd>
        <dt>Memory per replica</dt>
        <dd>
          {service.minReplicaMemoryGb}–{service.maxReplicaMemoryGb} GB
        </dd>
        <dt>Scales to zero</dt>
        <dd>{service.idleScaling ? `after ${service.idleTimeoutMinutes} min idle` : "never"}</dd>
      </dl>
      <p>
        <button type="button" onClick={() => open(({ services }) => scalingForm(newest(services, service)))}>
          Edit scaling
        </button>
      </p>
      <h3>Query endpoint</h3>
      {endpoint ? (
        <dl>
          <dt>Roles</dt>
          <dd>{endpoint.roles.join(", ") || "none"}</dd>
          <dt>Keys</dt>
          <dd dir="auto">{keyNames?.join(", ") || "none"}</dd>
          <dt>Allowed origins</dt>
          <dd>{endpoint.allowedOrigins || "none"}</dd>
        </dl>
      ) : (
        <p class="muted">Not configured.</p>
      )}
      <p>
        <button type="button" onClick={() => open((now) => queryEndpointForm(service, now))}>
          {endpoint ? "Edit query endpoint" : "New query endpoint"}
        </button>
      </p>
      <h3>Connections</h3>
      <ul class="plain">
        {service.endpoints.map(({ protocol, host, port }) => (
          <li key={protocol} class="mono">
            {protocol}://{host}:{port}
          </li>
        ))}
      </ul>
    </section>
  );
}

function scalingForm(service: Service): Form {
  const memory = { min: 8, max: 356, step: 4 };
  const { numReplicas, minReplicaMemoryGb, maxReplicaMemoryGb, idleScaling, idleTimeoutMinutes } = service;
  return {
    title: `Scaling of ${service.name}`,
    fields: [
      numberField("numReplicas", "Replicas", numReplicas, { min: 1, max: 50 }),
      numberField("minReplicaMemoryGb", "Minimum memory per replica (GB)", minReplicaMemoryGb, memory),
      numberField("maxReplicaMemoryGb", "Maximum memory per replica (GB)", maxReplicaMemoryGb, memory),
      checkbox("idleScaling", "Scale to zero when idle", idleScaling),
      numberField("idleTimeoutMinutes", "Idle time before scaling to zero (minutes)", idleTimeoutMinutes, {
        min: 5,
      }),
    ],
    save: (values) => change("PATCH", `/services/${service.id}/replicaScaling`, values),
  };
}

function queryEndpointForm({ id, name }: Service, { queryEndpoints, keys }: ConsoleSnapshot): Form {
  const endpoint = queryEndpoints.find(({ serviceId }) => serviceId === id);
  const path = `/services/${id}/serviceQueryEndpoint`;
  const roles = ["sql_console_read_only", "sql_console_admin"] as const;
  const usable = keys.map((key) => ({ id: key.id, label: `Key ${key.name || `…${key.keySuffix}`}` }));
  return {
    title: `Query endpoint of ${name}`,
    fields: [
      ...roles.map((role) => checkbox(role, role, endpoint?.roles.includes(role) ?? false)),
      ...usable.map(({ id, label }) => checkbox(id, label, endpoint?.openApiKeys.includes(id) ?? false)),
      textField("allowedOrigins", "Allowed origins, separated by commas", endpoint?.allowedOrigins ?? ""),
    ],
    save: ({ allowedOrigins, ...values }) =>
      change("POST", path, {
        roles: roles.filter((role) => values[role]),
        // A deleted API key is not among the options for a query endpoint, since the service refuses it.
        openApiKeys: usable.map(({ id }) => id).filter((id) => values[id]),
        allowedOrigins,
      }),
    ...(endpoint && {
      removal: {
        label: "Delete query endpoint",
        question: "Nobody will be able to query the service through it.",
        run: () => change("DELETE", path),
      },
    }),
  };
}
