import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { InputPropertiesError } from "@pulumi/pulumi/proto/errors_pb";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { printableMessage } from "../../values/printable";
import { InvalidInputs } from "../../values/validate";

/** The error of a create or update carried out in part: the engine puts its result into the state for the next update. */
export class DoneInPart extends Error {
  constructor(
    readonly id: string,
    readonly properties: Struct,
    readonly refreshBeforeUpdate: boolean,
    override readonly cause: Error,
  ) {
    super(cause.message);
  }
}

export function toServiceError(error: unknown): Partial<ServiceError> {
  const details = printableMessage(error instanceof Error ? error.message : String(error));
  if (process.env.PIPESTACK_DEBUG && error instanceof Error) console.error(error.stack);
  if (error instanceof InvalidInputs) return invalidInputs(error);
  if (!(error instanceof DoneInPart)) return { code: status.UNKNOWN, details };
  const failure = new ErrorResourceInitFailed()
    .setId(error.id)
    .setProperties(error.properties)
    .setRefreshBeforeUpdate(error.refreshBeforeUpdate)
    .setReasonsList([details]);
  return withDetail(status.UNKNOWN, details, failure, "ErrorResourceInitFailed");
}

/** The gRPC error for invalid inputs of a component: the engine shows each failure beside the component. */
function invalidInputs({ failures }: InvalidInputs): Partial<ServiceError> {
  const detail = new InputPropertiesError();
  for (const { path, message, hint = "" } of failures) {
    const fault = new InputPropertiesError.PropertyError();
    detail.addErrors(fault.setPropertyPath(path).setReason(printableMessage(`${message}${hint}`)));
  }
  return withDetail(status.INVALID_ARGUMENT, "invalid inputs", detail, "InputPropertiesError");
}

function withDetail(
  code: status,
  details: string,
  detail: { serializeBinary(): Uint8Array },
  name: string,
): Partial<ServiceError> {
  const any = new Any();
  any.pack(detail.serializeBinary(), `pulumirpc.${name}`);
  const rich = new Status().setCode(code).setMessage(details).setDetailsList([any]);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(rich.serializeBinary()));
  return { code, details, metadata };
}
