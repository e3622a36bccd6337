import { signature, unknownText } from "../../provider/engine/engineValues";
import { declarableOfToken, nameIn } from "../../provider/engine/names";
import type { Resource } from "../../provider/lifecycle/resource";
import { declarable, type TypeName } from "../../provider/resources/registry";
import { isObject } from "../../provider/values/data";
import type { StateResource } from "../engine/stack";
import { isSecret } from "./secrets";

/** Types of objects in sets (alerts of an `AlertSet`) whose ids a Pulumi state lacks, with the reasons as ends of sentences. */
export function unknownEntries(resources: readonly StateResource[]): [type: TypeName, reason: string][] {
  return resources.flatMap(({ urn, type: token, outputs }): [TypeName, string][] => {
    const name = declarableOfToken(token);
    const type: Resource | undefined = name && declarable[name];
    if (!type?.entries) return [];
    const isTold =
      isObject(outputs?.ids) && !isSecret(outputs.ids) && Object.values(outputs.ids).every(isPlainId);
    if (isTold) return [];
    const reason = isSecret(outputs?.ids) ? "are secret" : "are not known";
    return [[type.entries.of.type as TypeName, `set ${nameIn(urn)} has, whose ids ${reason} in the state`]];
  });
}

function isPlainId(id: unknown): boolean {
  return typeof id === "string" && id !== unknownText;
}

/** Resources in which each `AlertSet` is followed by its alerts as if they were resources: `all["errors"]` in the set `all`. */
export function withEntries(resources: readonly StateResource[]): StateResource[] {
  return resources.flatMap((resource) => {
    const name = declarableOfToken(resource.type);
    const type: Resource | undefined = name && declarable[name];
    const { urn, type: token, inputs, outputs } = resource;
    if (!type?.entries) return [resource];
    const ids = isObject(outputs?.ids) && !isSecret(outputs.ids) ? outputs.ids : {};
    // After a refresh, the alerts among the outputs of an `AlertSet` may differ from those among its inputs. Of secret alerts,
    // only the ids can be read.
    const declared = type.entries
      .declaredIn({ ...inputs, ...outputs })
      .filter(({ key }) => key !== signature);
    const keys = new Set(declared.map(({ key }) => key));
    const undeclared = Object.keys(ids).flatMap((key) => (keys.has(key) ? [] : [{ key, inputs: {} }]));
    const entries = [...declared, ...undeclared];
    return [
      resource,
      ...entries.map(({ key, inputs: members }) => ({
        ...resource,
        urn: `${urn}[${JSON.stringify(key)}]`,
        type: token.replace(type.type, type.entries?.of.type ?? ""),
        id: typeof ids[key] === "string" ? ids[key] : undefined,
        inputs: members,
        outputs: members,
      })),
    ];
  });
}
