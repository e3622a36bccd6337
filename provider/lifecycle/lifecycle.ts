import { checkWithServer } from "./check";
import { create } from "./create";
import { deleteObject } from "./delete";
import { diff, plan } from "./diff";
import { read } from "./read";
import type { Definition, Resource } from "./resource";
import { update } from "./update";

/** A type of resource with the steps that follow from its definition. A type that does more at a step wraps it. */
export function resourceOf<Inputs extends object>(definition: Definition<Inputs>): Resource<Inputs> {
  return {
    ...definition,
    check: (olds, news, session) => checkWithServer(definition, olds, news, session),
    diff: async (id, state, inputs, session) => diff(definition, id, state, inputs, session),
    plan: (state, inputs) => plan(definition, state, inputs),
    create: (inputs, session) => create(definition, inputs, session),
    read: (id, state, session) => read(definition, id, state, session),
    update: (id, state, inputs, session) => update(definition, id, state, inputs, session),
    delete: (id, state, session) => deleteObject(definition, id, state, session),
  };
}
