import { serviceResource } from "../../resources/service/service";
import type { serviceInputs, serviceOutputs } from "../../resources/service/serviceInputs";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link Service}. */
export interface ServiceArgs extends InputsOf<typeof serviceInputs> {}

export interface Service extends OutputsOf<typeof serviceInputs, typeof serviceOutputs> {}

/**
 * A service of ClickHouse Cloud. A create waits until the service runs, and `deletionProtection` protects its data. Needs
 * `dialect: clickhouse`.
 *
 * A service is billed from its creation on. An update that fails while it waits keeps the service, and the next update goes on
 * waiting. A create fails if a service with the same name, cloud and region exists, whatever its age.
 *
 * A change of `provider`, `region`, `dataWarehouseId`, `isReadonly`, `hasTransparentDataEncryption`, `complianceType`, `byocId`
 * or `profile` replaces the service by an empty one; `deletionProtection` refuses that, and the deletion, until an update of
 * its own sets it to false. Everything else is updated in place. Addresses and tags that others have added stay.
 *
 * What belongs to a service depends on its `id`, and so is created once the service runs.
 *
 * `Service.get` reads a service whose password stays unknown.
 * @example
 * ```typescript
 * const service = new pipestack.Service("lake", {
 *   provider: "aws",
 *   region: "eu-central-1",
 *   ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
 *   minReplicaMemoryGb: 16,
 *   maxReplicaMemoryGb: 64,
 * });
 * const endpoint = new pipestack.QueryEndpoint("queries", {
 *   serviceId: service.id,
 *   roles: ["sql_console_read_only"],
 *   openApiKeys: [],
 * });
 * export const password = service.generatedPassword;
 * ```
 */
export class Service extends managedResource<ServiceArgs>(serviceResource) {}
