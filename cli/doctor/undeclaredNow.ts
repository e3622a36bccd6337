import { decode } from "../../provider/lifecycle/decode";
import type { Resource } from "../../provider/lifecycle/resource";
import type { Session } from "../../provider/lifecycle/session";
import { resources as definitions, type TypeName } from "../../provider/resources/registry";
import { isSameId, type PropertyMap, pick } from "../../provider/values/data";
import { managedIn } from "../drift/findDrift";
import type { StateResource } from "../engine/stack";
import { type Undeclared, undeclaredIn } from "../shared/undeclared";
import type { Examination } from "./examination";

/** The types of resource whose objects may have something that the program does not declare, and their inputs that tell it. */
const inputsThatTell: { readonly [Type in TypeName]?: readonly string[] } = {
  Service: ["ipAccessList", "keepOtherAddresses"],
  QueryEndpoint: ["openApiKeys", "keepOtherKeys"],
  Pipe: ["state"],
};

/**
 * What the objects of the stack have that the program does not declare, such as addresses of other people, from the objects
 * that `pipestack doctor` has read.
 */
export async function undeclaredNow(
  resources: readonly StateResource[],
  { findings, singletons }: Examination,
  session: Session,
): Promise<readonly Undeclared[]> {
  const { organizationId, serviceId } = session.settings;
  const isReadable = (type: string) =>
    findings.some(({ name, outcome }) => name === type && outcome === "readable");
  const found = managedIn(resources).map(async ({ type, resource: { urn, id = "", inputs = {} } }) => {
    const names = inputsThatTell[type as TypeName];
    if (!names || !isReadable(type)) return [];
    const definition: Resource = definitions[type as TypeName];
    const { list } = definition.operations;
    const only = isSameId(id, serviceId) ? singletons.get(type) : undefined;
    const live = list
      ? await session.lists
          .find(list, { organizationId, serviceId }, id)
          .catch((): PropertyMap | undefined => undefined)
      : only;
    if (!live) return [];
    const declared = pick(inputs, names);
    return [{ urn, type, inputs: declared, outputs: decode(definition, live, declared).outputs }];
  });
  return undeclaredIn((await Promise.all(found)).flat());
}
