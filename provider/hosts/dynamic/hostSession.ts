import type * as pulumi from "@pulumi/pulumi";
import { fromEnvironment, resolveSettings } from "../../api/settings";
import { Session } from "../../lifecycle/session";
import { explicitKey, stackKey } from "./settingKeys";

let session: Session | undefined;

/**
 * Takes in the configuration of this host process. A process serves one provider instance, so all its resources share
 * one session: one client, one pace, one list for all reads.
 *
 * The host does not wait for this to end before it uses the provider, and keeps the provider after a failure: so
 * nothing is looked at here, settings are read when the first one is needed.
 */
export function configure(config: pulumi.dynamic.Config): void {
  session ??= new Session(
    () =>
      resolveSettings([
        (name) => config.get(explicitKey(name)),
        fromEnvironment,
        (name) => config.get(stackKey(name)),
      ]),
    // What the host process prints shows under the stack.
    {
      warn: (message) => console.error(`warning: pipestack: ${message}`),
      info: (message) => console.error(`pipestack: ${message}`),
    },
  );
}

export function hostSession(): Session {
  if (!session) throw new Error("the engine's host did not configure the provider");
  return session;
}
