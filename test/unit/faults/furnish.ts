import { typeNames } from "../../../provider/resources/registry";
import { examples } from "../resources/examples";
import type { Service } from "./service";

/** Puts objects into a sandbox that belong to somebody else, some of them with the content of those of the tests. */
export function furnish(service: Service): void {
  for (const type of typeNames) examples[type].furnish?.(service);
}
