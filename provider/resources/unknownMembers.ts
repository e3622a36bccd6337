import { dialects } from "../api/dialect";
import type { Definition, Way } from "../lifecycle/definition";
import { perSession } from "../lifecycle/session";
import { isSeen } from "../lifecycle/state";
import type { Data } from "../values/data";

/**
 * Members of objects in answers that this version of the provider does not know, by the object's id. They are read before an
 * update, whose request repeats them.
 */
const unknownOf = perSession(() => new Map<string, Data>());

/**
 * Makes the updates of a resource repeat members that this version of the provider does not know: the request replaces the
 * whole object, and would otherwise clear them.
 */
export function keepingUnknown(definition: () => Pick<Definition, "inputs" | "outputs" | "operations">) {
  return (usual: Way): Way => ({
    ...usual,

    async look(moment, id, state, context) {
      const live = await usual.look(moment, id, state, context);
      if (moment === "beforeWrite" && isSeen(live)) {
        const { inputs, outputs } = definition();
        const members = { id: true, ...inputs.properties, ...outputs.properties };
        const unknown = Object.entries(live).filter(([name, value]) => !(name in members) && value !== null);
        unknownOf(context.session).set(id, Object.fromEntries(unknown));
      }
      return live;
    },

    send(id, body, context, state) {
      const { session } = context;
      // An update sends unknown members back only to servers of ClickHouse Cloud and HyperDX, which are known to accept all
      // members that their answers show.
      const isOfProduct = dialects[session.settings.dialect].hasTileConfig;
      const unknown = isOfProduct ? unknownOf(session).get(id) : undefined;
      return usual.send(id, { ...unknown, ...body }, context, state);
    },
  });
}
