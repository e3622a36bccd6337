import { unknown } from "../values/unknown";
import { checkWithServer } from "./check";
import { create } from "./create";
import { type Definition, isSingleton } from "./definition";
import { deleteObject } from "./delete";
import { diff, plan } from "./diff";
import { hasGoneWithService } from "./goneServices";
import type { Around, Steps } from "./life";
import { urlOf } from "./page";
import { read } from "./read";
import type { Resource } from "./resource";
import { deleteSingleton } from "./restore";
import { contextOf } from "./scope";
import type { Session } from "./session";
import type { State } from "./state";
import { takeoverFailures } from "./takeover";
import { update } from "./update";
import { awaitDeleted } from "./waiting";

/** Makes a resource type with its steps from a definition. */
export function resourceOf(definition: Definition): Resource {
  const steps: Steps = {
    check: async (olds, news, session) => {
      session.run.hasProgram = true;
      const checked = await checkWithServer(definition, olds, news, session);
      if (checked.failures.length > 0) return checked;
      return { ...checked, failures: await takeoverFailures(definition, olds, checked.inputs, session) };
    },
    diff: (id, state, inputs, session) => diff(definition, id, state, inputs, session),
    plan: (state, inputs) => plan(definition, state, inputs),
    create: (inputs, session) => create(definition, inputs, session),
    read: (id, state, session) =>
      read(definition, id, state, session).catch(async (error) => {
        if (await hasGoneWithService(definition, id, state, error, session)) return "gone" as const;
        throw error;
      }),
    update: (id, state, inputs, session) => update(definition, id, state, inputs, session),
    delete: async (id, state, session) => {
      if (isSingleton(definition)) return deleteSingleton(definition, id, state, session);
      await deleteObject(definition, id, state, session);
      if (definition.waiting)
        await awaitDeleted(definition, id, state, contextOf(definition, state, session));
    },
  };
  return { ...definition, ...surrounded(withUrl(definition, steps), definition.around) };
}

/** The steps of a type that does more at some of them. */
function surrounded(
  steps: Steps,
  { check, diff, plan, create, read, update, delete: remove }: Around = {},
): Steps {
  return {
    check: check ? (...args) => check(steps.check, ...args) : steps.check,
    diff: diff ? (...args) => diff(steps.diff, ...args) : steps.diff,
    plan: plan ? (...args) => plan(steps.plan, ...args) : steps.plan,
    create: create ? (...args) => create(steps.create, ...args) : steps.create,
    read: read ? (...args) => read(steps.read, ...args) : steps.read,
    update: update ? (...args) => update(steps.update, ...args) : steps.update,
    delete: remove ? (...args) => remove(steps.delete, ...args) : steps.delete,
  };
}

/** Adds the output `url` to states and plans, for types whose objects have a page in the web console. */
function withUrl(definition: Definition, steps: Steps): Steps {
  if (!definition.page) return steps;
  const named = (id: unknown, { url: _, ...state }: State, session: Session): State => {
    const url = urlOf(definition, id, state, session);
    return url === undefined ? state : { ...state, url };
  };
  return {
    ...steps,
    plan: (state, inputs, session, id = inputs.adoptId) => {
      const planned = steps.plan(state, inputs);
      return session ? named(id ?? unknown, planned, session) : planned;
    },
    create: async (inputs, session) => {
      const created = await steps.create(inputs, session);
      return { ...created, state: named(created.id, created.state, session) };
    },
    read: async (id, state, session) => {
      const live = await steps.read(id, state, session);
      return typeof live === "string" ? live : { ...live, state: named(id, live.state, session) };
    },
    update: async (id, state, inputs, session) =>
      named(id, await steps.update(id, state, inputs, session), session),
  };
}
