import type { TSchema } from "@sinclair/typebox";
import { type Before, judgementsOf, mergeWritten } from "../../../provider/lifecycle/merge";
import type { PropertyMap } from "../../../provider/values/data";

/** What an update knows of the object before it, whose state shows what the service did. */
export function before(state: PropertyMap, changed: Partial<Before> = {}): Before {
  return { looks: [state], state, normalized: {}, doubted: {}, body: state, ...changed };
}

/** Returns the normalizations (changed spellings of values) that a create records if the service answers `shown`. */
export const normalizationsOf = (of: TSchema, declared: PropertyMap, shown: PropertyMap) =>
  judgementsOf(mergeWritten(of, declared, shown)).normalized;
