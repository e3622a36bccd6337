import * as pulumi from "@pulumi/pulumi";
import { secretSettings } from "../../api/settingsSchema";
import { stackKey } from "../names";

/** Only the process of a program knows which values of the configuration are encrypted. The SDK does not declare it. */
const { isConfigSecret } = pulumi.runtime as { readonly isConfigSecret?: (key: string) => boolean };

/** The runs of programs that were warned: a process may run those of several stacks, each with an engine of its own. */
const warned = new WeakSet<object>();

/** Warns, once in a run, of credentials that the stack's configuration holds in plain text, as its state then does. */
export function warnOfPlainCredentials(): void {
  const engine = pulumi.runtime.getMonitor();
  if (!isConfigSecret || !engine || warned.has(engine)) return;
  warned.add(engine);
  const config = new pulumi.Config("pipestack");
  for (const name of secretSettings) {
    const key = stackKey(name);
    if (isConfigSecret(key) || config.get(name) === undefined) continue;
    void pulumi.log.warn(
      `${key} is plain text in the configuration and in the state of the stack: replace the credential, then set it with "pulumi config set --secret ${key}"`,
    );
  }
}
