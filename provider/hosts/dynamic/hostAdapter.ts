import type * as pulumi from "@pulumi/pulumi";
import { printableMessage } from "../../api/printable";
import type { Data } from "../../lifecycle/data";
import { diff } from "../../lifecycle/diff";
import {
  check,
  create,
  declaredIn,
  type Resource,
  read,
  remove,
  type State,
  sentPart,
  update,
} from "../../lifecycle/lifecycle";
import { undocumentedOperation } from "../../lifecycle/session";
import { configure, hostSession } from "./hostSession";
import { clean, fromHost, knownFromHost, pathsBeyondData, secret, toHost } from "./hostValues";
import { plainError, plainly } from "./plainErrors";

const mustBeData = "must be plain data, not an asset, an archive or a resource";

/** The class marks these itself, but a transformation may add or replace them after that. */
function withSecrets<Inputs extends object>({ secrets = [] }: Resource<Inputs>, inputs: Data): Data {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, secrets.includes(name) ? secret(value) : value]),
  );
}

/**
 * The methods that the engine's dynamic host calls, for one type of resource. They reduce what the lifecycle says to
 * what the host takes: it forwards no detailed diff, and breaks on values that are not plain JSON.
 */
export function hostProvider<Inputs extends object>(
  resource: Resource<Inputs>,
): pulumi.dynamic.ResourceProvider {
  return {
    async configure({ config }) {
      configure(config);
    },

    check: (before, declared) =>
      plainly(async () => {
        const session = hostSession();
        const properties = fromHost(declared);
        const { inputs, problems, warnings } = check(resource, fromHost(before), properties, session);
        for (const warning of warnings) session.warnOnce(warning);
        const beyondData = pathsBeyondData(properties).map((path) => ({ path, message: mustBeData }));
        return {
          inputs: withSecrets(resource, toHost(inputs)),
          // With the name of a property the engine would show its value, which may be a secret, and know no path inside it.
          failures: [...beyondData, ...problems].map(({ path, message }) => ({
            property: "",
            reason: printableMessage(`${path} ${message}`.trim()),
          })),
        };
      }),

    diff: (id, before, declared) =>
      plainly(async () => {
        const changes = diff(resource, id, fromHost(before), fromHost(declared), hostSession());
        const replaces = changes.filter(({ kind }) => kind === "replace").map(({ path }) => path);
        return { changes: changes.length > 0, replaces };
      }),

    async create(declared) {
      const { id, state, failure } = await plainly(() =>
        create(resource, knownFromHost(declared), hostSession()),
      );
      const outs = clean(state);
      if (!failure) return { id, outs };
      // The engine keeps the object in the state, and the next update goes on with it.
      const properties = { ...outs, __provider: (declared as Data).__provider };
      throw Object.assign(plainError(failure), { id, properties, reasons: [plainError(failure).message] });
    },

    read: (id, props) =>
      plainly(async () => {
        const state = knownFromHost(props ?? {});
        const session = hostSession();
        const found = await read(resource, id, state, session);
        if (found === "gone") {
          if (Object.keys(sentPart(resource, declaredIn(resource, state))).length === 0) {
            throw new Error(`${resource.type} ${id} does not exist in the service`);
          }
          return { id: "", props: {} };
        }
        if (found === "unseen") {
          session.warnOnce(
            `${resource.type}: drift cannot be seen, since reading it takes ${undocumentedOperation}`,
          );
          return { id, props: clean(state) };
        }
        // The engine keeps the inputs that it has where none come back, which saves much of what goes over the wire.
        const hasDrifted = JSON.stringify(found.inputs) !== JSON.stringify(declaredIn(resource, state));
        return { id, props: clean(found.state), ...(hasDrifted ? { inputs: clean(found.inputs) } : {}) };
      }),

    update: (id, before, declared) =>
      plainly(async () => {
        const state = await update(
          resource,
          id,
          knownFromHost(before),
          knownFromHost(declared),
          hostSession(),
        );
        return { outs: clean(state) };
      }),

    delete: (id, props) => plainly(() => remove(resource, id, knownFromHost(props) as State, hostSession())),
  };
}
