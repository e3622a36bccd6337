import {
  type udfAttachmentInputs,
  type udfAttachmentOutputs,
  udfAttachmentResource,
} from "../../resources/udfAttachment/udfAttachment";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link UdfAttachment}. */
export interface UdfAttachmentArgs extends InputsOf<typeof udfAttachmentInputs> {}

export interface UdfAttachment extends OutputsOf<typeof udfAttachmentInputs, typeof udfAttachmentOutputs> {}

/**
 * Attaches a version of a {@link Udf} to a service of ClickHouse Cloud, so that its queries can call the function: a beta feature, which
 * the product may still change. The `id` is the name of the function, a colon, and the id of the service. Needs `dialect: clickhouse`.
 *
 * A service runs one version of a function. With the output `version` of the function it follows each new one; a number keeps it at
 * that, or brings an older version back. A create and an update wait until the service runs the function. If it was attached already,
 * the resource adopts that, and names the version that it replaces.
 *
 * Another function, organization or service replaces the attachment. Destroying it takes the function off the service.
 * @example
 * ```typescript
 * new pipestack.UdfAttachment("domain-of", { functionName: "domain_of", version: 3 });
 * ```
 */
export class UdfAttachment extends managedResource<UdfAttachmentArgs>(udfAttachmentResource) {}
