import type { Sandbox } from "../sandbox/index";
import { fillService, send } from "./serviceContents";

/** One resource in a state file of Terraform, with all its instances. */
interface TerraformResource {
  readonly module?: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly provider: string;
  readonly instances: readonly {
    readonly index_key?: string | number;
    readonly deposed?: string;
    readonly attributes: object;
  }[];
}

/** Fills the first service so that it has 40 objects of the kinds that Terraform can have. */
export async function fillForTerraform(sandbox: Sandbox): Promise<void> {
  await fillService(sandbox);
  const service = `/services/${sandbox.credentials.serviceId}`;
  const [source] = sandbox.store.sources.keys();
  for (let index = 0; index < 10; index++)
    await send(sandbox, "POST", `${service}/stack/saved-searches`, {
      ...{ name: `Slow requests of team ${index}`, sourceId: source, where: `team:${index}` },
    });
  const entry = { name: "night", weekdays: [1, 2], startHourUtc: 20, endHourUtc: 6, idleScaling: true };
  await send(sandbox, "POST", `${service}/scalingSchedule`, { entries: [entry] });
}

/** Passwords and addresses that the state has in plain text. */
export const terraformSecrets = {
  password: "pl4in-text-of-the-service",
  passwordOfConnection: "pl4in-text-of-the-connection",
};

/**
 * The state file that Terraform has of the first service of a sandbox, with the provider ClickHouse/clickhouse: boards by
 * their number, searches by a key, alerts in a module, and objects that no type of ours manages.
 */
export function terraformStateOf({ store, credentials: { serviceId } }: Sandbox): object {
  const service = {
    ...{ id: serviceId, name: "Warehouse", password: terraformSecrets.password, num_replicas: 3 },
    ...{ idle_scaling: true, query_api_endpoints: { roles: ["sql_console_read_only"], api_key_ids: [] } },
  };
  const many = (records: ReadonlyMap<string, { id: string; name?: string | null }>) => [...records.values()];
  const attributes = ({ id, name }: { id: string; name?: string | null }) => ({ id, name, team: null });
  const [webhooks, connections] = [many(store.webhooks), many(store.connections)];
  return {
    ...{
      version: 4,
      terraform_version: "1.14.2",
      serial: 12,
      lineage: "0c6d6f6a-0f4f-7f11-0d0c-3f0f9a7a3f55",
    },
    outputs: { password: { value: terraformSecrets.password, type: "string", sensitive: true } },
    resources: [
      managed("service", "main", [{ attributes: service }]),
      managed("service_scheduled_scaling", "nights", [
        { attributes: { id: serviceId, service_id: serviceId } },
      ]),
      managed(
        "clickstack_webhook",
        "on_call",
        webhooks.map(({ id }) => ({
          attributes: { id, url: store.webhooks.get(id)?.url, headers: { authorization: "Bearer s3cret" } },
        })),
      ),
      managed(
        "clickstack_connection",
        "main",
        connections.map((record) => ({
          attributes: { ...attributes(record), password: terraformSecrets.passwordOfConnection },
        })),
      ),
      ...many(store.sources).map((record) =>
        managed("clickstack_source", (record.name ?? "").toLowerCase(), [{ attributes: attributes(record) }]),
      ),
      managed(
        "clickstack_dashboard",
        "board",
        many(store.dashboards).map((record, index) => ({ index_key: index, attributes: attributes(record) })),
      ),
      managed(
        "clickstack_saved_search",
        "by_team",
        many(store.savedSearches).map((record, index) => ({
          ...{ index_key: `eu/${index}`, attributes: attributes(record) },
        })),
      ),
      ...many(store.alerts).map((record, index) =>
        managed(
          "clickstack_alert",
          `too_many_${index}`,
          [{ attributes: attributes(record) }],
          "module.alerts",
        ),
      ),
      managed("clickstack_team", "platform", [{ attributes: { id: "65f0c0ffeecafef00dba5e01" } }]),
      managed("role", "admins", [{ attributes: { id: serviceId } }]),
      { ...managed("role", "member", [{ attributes: { id: serviceId } }]), mode: "data" },
      { ...managed("role", "main", [{ attributes: { id: serviceId } }]), type: "aws_iam_role" },
    ],
    check_results: null,
  };
}

function managed(
  type: string,
  name: string,
  instances: TerraformResource["instances"],
  module?: string,
): TerraformResource {
  const provider = 'provider["registry.terraform.io/clickhouse/clickhouse"]';
  return {
    ...(module && { module }),
    mode: "managed",
    type: `clickhouse_${type}`,
    name,
    provider,
    instances,
  };
}
