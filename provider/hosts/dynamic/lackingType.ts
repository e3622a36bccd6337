import { packageVersion } from "../../values/version";
import { plainError } from "./plainErrors";

/**
 * The methods of a type that this version of the package lacks. A state that another version wrote may have resources of it, and
 * the engine would otherwise fail on the missing methods, with a message that names neither the type nor a remedy.
 */
function lacking(type: string): object {
  const fail = async () => {
    throw plainError(
      new Error(
        `the state has a resource of type ${type}, which pipestack ${packageVersion()} lacks: install the version that wrote the state, or a newer one; nothing was changed`,
      ),
      (message) => message,
    );
  };
  return { check: fail, diff: fail, create: fail, read: fail, update: fail, delete: fail };
}

/** Lets a host answer for any type by name, as the code in a Pulumi state asks for it, also for one that the host lacks. */
export function withLackingTypes<Host extends object>(host: Host): Host {
  const isType = (name: string | symbol): name is string => typeof name === "string" && /^[A-Z]/.test(name);
  return new Proxy(host, {
    get: (types, name) => Reflect.get(types, name) ?? (isType(name) ? lacking(name) : undefined),
  });
}
