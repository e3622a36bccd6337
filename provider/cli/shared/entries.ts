import { declarableOfToken } from "../../hosts/names";
import type { Resource } from "../../lifecycle/resource";
import { declarable } from "../../resources/registry";
import { isObject } from "../../values/data";
import type { StateResource } from "../engine/stack";

/** Resources, each set of them followed by its entries as if these were resources: `all["errors"]` of the set `all`. */
export function withEntries(resources: readonly StateResource[]): StateResource[] {
  return resources.flatMap((resource) => {
    const name = declarableOfToken(resource.type);
    const type: Resource | undefined = name && declarable[name];
    const { urn, type: token, inputs, outputs } = resource;
    const ids = isObject(outputs?.ids) ? outputs.ids : {};
    // A refresh may have found entries that the inputs do not have, or the other way round.
    const entries = type?.entries?.declaredIn({ ...inputs, ...outputs }) ?? [];
    return [
      resource,
      ...entries.map(({ key, inputs: members }) => ({
        ...resource,
        urn: `${urn}[${JSON.stringify(key)}]`,
        type: token.replace(type?.type ?? "", type?.entries?.of.type ?? ""),
        id: typeof ids[key] === "string" ? ids[key] : undefined,
        inputs: members,
        outputs: members,
      })),
    ];
  });
}
