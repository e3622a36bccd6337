import { CheckRequest } from "@pulumi/pulumi/proto/provider_pb";
import { nameIn } from "../../engine/names";
import { withDefaultName } from "../../lifecycle/check";
import type { Definition } from "../../lifecycle/definition";
import type { PropertyMap } from "../../values/data";
import type { Failure } from "../../values/validate";
import type { Received } from "./wireValues";

const { DISABLE } = CheckRequest.AutonamingOptions.Mode;

/**
 * Fills in the name of an object that a program leaves out: the resource's name, or the engine's proposal by the configuration
 * `pulumi:autonaming`. The proposal may differ at each check, so an existing object keeps its name.
 * @param olds the inputs in the Pulumi state; empty for a new resource and for a replacement
 */
export function withAutomaticName(
  resource: Pick<Definition, "namedBy">,
  request: CheckRequest,
  olds: Received,
  declared: PropertyMap,
): { readonly declared: PropertyMap; readonly failures: readonly Failure[] } {
  const { namedBy } = resource;
  const autonaming = request.getAutonaming();
  const named = (name: string) => withDefaultName(resource, name, declared);
  if (!autonaming || !namedBy || (declared[namedBy] ?? undefined) !== undefined)
    return { declared: named(nameIn(request.getUrn())), failures: [] };
  if (autonaming.getMode() === DISABLE) {
    const message = "is required, since pulumi:autonaming disables automatic names";
    return { declared: named(nameIn(request.getUrn())), failures: [{ path: namedBy, message }] };
  }
  const formerName = olds.data[namedBy];
  return {
    declared: named(typeof formerName === "string" ? formerName : autonaming.getProposedName()),
    failures: [],
  };
}
