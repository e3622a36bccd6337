import * as pulumi from "@pulumi/pulumi";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../../sandbox/index";
import { settingsOf } from "../../serviceContents";
import { withoutEnvironment } from "../hosts/dynamic/hostProcess";

export function resolved<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => {
    output.apply((value) => resolve(value));
  });
}

/** What a sandbox was asked for: the method and the end of the path of each request. */
export function requestsTo(sandbox: Sandbox): string[] {
  return sandbox.requests.map(({ method, path }) => `${method} ${path.split("/").pop()}`);
}

/** What a program has in each test: a fresh sandbox that its stack is configured for. */
export interface SandboxedProgram {
  readonly sandbox: Sandbox;
}

/** Sets up a program for each test of the suite that calls this. */
export function sandboxedProgram(dialect: SandboxOptions["dialect"] = "neutral"): SandboxedProgram {
  const program = {} as { sandbox: Sandbox };
  let sessions = 0;
  let restoreEnvironment: () => void;

  before(async () => {
    restoreEnvironment = withoutEnvironment();
    program.sandbox = await createSandbox({ dialect });
  });

  beforeEach(async () => {
    await program.sandbox.reset();
    // Functions with the same settings share a session; these have one for each test.
    const timeoutSeconds = String(20 + ++sessions / 1000);
    const settings = Object.entries({ ...settingsOf(program.sandbox), dialect, timeoutSeconds });
    pulumi.runtime.setAllConfig(
      Object.fromEntries(settings.map(([name, value]) => [`pipestack:${name}`, value])),
    );
  });

  after(async () => {
    pulumi.runtime.setAllConfig({});
    restoreEnvironment();
    await program.sandbox.close();
  });

  return program;
}
