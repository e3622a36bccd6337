import { typeNames } from "../../../provider/resources/registry";
import { examples } from "../resources/examples";
import type { Service } from "./faultyService";

/** Adds objects of another person to a sandbox, some with the same content as the objects of the tests. */
export function furnish(service: Service): void {
  for (const type of typeNames) examples[type].furnish?.(service);
}
