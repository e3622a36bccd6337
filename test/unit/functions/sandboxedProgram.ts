import * as pulumi from "@pulumi/pulumi";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../../sandbox/index";
import { settingsOf } from "../../serviceContents";
import { withoutEnvironment } from "../hosts/dynamic/hostProcess";

export function resolved<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => {
    output.apply((value) => resolve(value));
  });
}

export function requestsTo(sandbox: Sandbox): string[] {
  return sandbox.requests.map(({ method, path }) => `${method} ${path.split("/").pop()}`);
}

export interface SandboxedProgram {
  readonly sandbox: Sandbox;
}

/** Starts a new sandbox and configures a stack for it before each test of the surrounding `describe` block. */
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
    // Provider functions with equal settings share a session, so each test gets another time limit and with it a session of its
    // own.
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
