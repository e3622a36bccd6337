import { resources, type TypeName, typeNames } from "../../provider/resources/registry";
import { isObject, type PropertyMap } from "../../provider/values/data";

/** An object of this provider that a Terraform resource manages, whole or in part. */
export interface Counterpart {
  readonly type: TypeName;
  readonly id: string;
  /** The id of the object's service, if Terraform's resource names it. */
  readonly serviceId?: string;
  /** Whether the object is only a part of the Terraform resource. */
  readonly isPart?: boolean;
  /** Whether the Terraform resource only adds to an object that another Terraform resource manages. */
  readonly isAddition?: boolean;
}

type Replacement = string | ((values: PropertyMap) => readonly Counterpart[]);

/**
 * What replaces the resources of Terraform's provider ClickHouse/clickhouse: a function that returns the objects, or the reason
 * why there are none. The other types of ClickStack are not listed, since their names are those of this provider's types.
 */
const replacements: { readonly [type: string]: Replacement } = {
  clickhouse_service: serviceOf,
  clickhouse_service_private_endpoints_attachment: ({ service_id, private_endpoint_ids }) =>
    texts(private_endpoint_ids).flatMap((id) =>
      objectIn(service_id, "PrivateEndpoint", join(service_id, id)),
    ),
  clickhouse_private_endpoint_registration:
    "the service registers an endpoint when it is attached, and Terraform's resource does nothing any more",
  clickhouse_service_scheduled_scaling: ({ service_id }) => singleton("ServiceScalingSchedule", service_id),
  clickhouse_service_transparent_data_encryption_key_association: ({ service_id }) =>
    object("Service", service_id, { isAddition: true }),
  clickhouse_service_upgrade_window: ({ service_id }) => singleton("UpgradeWindow", service_id),
  clickhouse_service_clickhouse_settings:
    "an import would take all settings of the service, those of others, too; declare them as ServiceSettings yourself",
  clickhouse_query_api_endpoint: ({ id, service_id }) => objectIn(service_id, "QueryApiEndpoint", id),
  clickhouse_saved_query: ({ id, service_id }) => objectIn(service_id, "SavedQuery", id),
  // The source declares its links itself, with those of Terraform's resource. If the state has no such source, its links are
  // imported alone, as a SourceLinks.
  clickhouse_clickstack_source_links: ({ source_id }) => object("Source", source_id, { isAddition: true }),
  clickhouse_organization_settings: ({ id }) => object("OrganizationSettings", id),
  clickhouse_postgres_service: ({ id }) => object("PostgresService", id),
  clickhouse_role: ({ id }) => object("Role", id),
  clickhouse_role_assignment: ({ role_id, api_key_ids, user_ids }) =>
    [
      ...texts(api_key_ids).map((id) => join("apikey", id)),
      ...texts(user_ids).map((id) => join("user", id)),
    ].flatMap((actor) => object("RoleAssignment", join(role_id, actor))),
  clickhouse_api_key: ({ id }) => object("ApiKey", id),
  clickhouse_clickpipe: ({ id, service_id }) => objectIn(service_id, "Pipe", id),
  clickhouse_clickpipe_cdc_infrastructure: ({ service_id }) => singleton("PipeCdcScaling", service_id),
  clickhouse_udf: ({ function_name }) => object("Udf", function_name),
  clickhouse_udf_attachment: ({ function_name, service_id }) =>
    objectIn(service_id, "UdfAttachment", join(function_name, service_id)),
  clickhouse_clickpipes_ssh_key: ({ id, service_id }) => objectIn(service_id, "SshTunnel", id),
  clickhouse_clickpipes_reverse_private_endpoint: ({ id, service_id }) =>
    objectIn(service_id, "ReversePrivateEndpoint", id),
  clickhouse_clickpipes_reverse_private_endpoint_custom_private_dns: ({
    service_id,
    reverse_private_endpoint_id,
  }) => objectIn(service_id, "ReversePrivateEndpoint", reverse_private_endpoint_id, { isAddition: true }),
};

/** The objects that replace a Terraform resource, or the reason why none does; undefined for one of another product. */
export function replacementOf(
  type: string,
  values: PropertyMap,
): readonly Counterpart[] | string | undefined {
  if (!/^(clickhouse|clickstack)_/.test(type)) return undefined;
  const replacement =
    (Object.hasOwn(replacements, type) ? replacements[type] : undefined) ??
    ofClickstack(type) ??
    "no type of pipestack manages them";
  if (typeof replacement === "string") return replacement;
  const counterparts = replacement(values);
  return counterparts.length > 0 ? counterparts : "the file names no object of theirs";
}

/** What replaces Terraform's `clickhouse_service`: the service, and its parts that have resource types of their own. */
function serviceOf({ id, backup_configuration, query_api_endpoints }: PropertyMap): Counterpart[] {
  const part = { isPart: true };
  return [
    ...object("Service", id),
    ...singleton("ServiceScaling", id, part),
    ...(isObject(backup_configuration) ? singleton("BackupConfiguration", id, part) : []),
    ...(isObject(query_api_endpoints) ? singleton("QueryEndpoint", id, part) : []),
  ];
}

/**
 * What replaces a ClickStack resource of Terraform, such as `clickstack_alert`: several Terraform providers name these types
 * alike.
 */
function ofClickstack(type: string): Replacement | undefined {
  const [, noun] = /^(?:clickhouse_)?clickstack_(\w+)$/.exec(type) ?? [];
  const name = typeNames.find(
    (name) => resources[name].scope === "observability" && snakeCase(name) === noun,
  );
  return name && (({ id }) => object(name, id));
}

type Flags = Pick<Counterpart, "isPart" | "isAddition">;

/** The object with the given id; none if Terraform's state has no id, since Terraform has not created the object yet. */
function object(type: TypeName, id: unknown, more: Flags & { serviceId?: string } = {}): Counterpart[] {
  return isText(id) ? [{ type, id, ...more }] : [];
}

function objectIn(serviceId: unknown, type: TypeName, id: unknown, flags: Flags = {}): Counterpart[] {
  return isText(serviceId) ? object(type, id, { ...flags, serviceId }) : [];
}

/** An object that each service has only once, such as its scaling, and whose id is the service's. */
function singleton(type: TypeName, serviceId: unknown, flags: Flags = {}): Counterpart[] {
  return objectIn(serviceId, type, serviceId, flags);
}

/** An id made of several parts, such as `<role>:user:<user>`. */
function join(...parts: readonly unknown[]): string | undefined {
  return parts.every(isText) ? parts.join(":") : undefined;
}

function texts(list: unknown): string[] {
  return Array.isArray(list) ? list.filter(isText) : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Converts a name to snake case: `SavedSearch` to `saved_search`. */
export function snakeCase(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, "_$&").toLowerCase();
}
