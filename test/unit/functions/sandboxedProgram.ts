import * as pulumi from "@pulumi/pulumi";
import { createSandbox, type Sandbox } from "../../../sandbox/src";
import { settingsOf } from "../../serviceContents";
import { freshIndex, withoutEnvironment } from "../hosts/dynamic/freshProvider";

/** The value of an output. */
export function known<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => {
    output.apply((value) => resolve(value));
  });
}

/** What a program has in each test: the package as just loaded, and a fresh sandbox that its stack is configured for. */
export interface SandboxedProgram {
  readonly sandbox: Sandbox;
  readonly pipestack: ReturnType<typeof freshIndex>;
}

/** Sets up a program for each test of the suite that calls this. */
export function sandboxedProgram(): SandboxedProgram {
  const program = {} as { sandbox: Sandbox; pipestack: ReturnType<typeof freshIndex> };
  let restoreEnvironment: () => void;

  before(async () => {
    restoreEnvironment = withoutEnvironment();
    program.sandbox = await createSandbox();
  });

  beforeEach(async () => {
    await program.sandbox.reset();
    const settings = Object.entries(settingsOf(program.sandbox));
    pulumi.runtime.setAllConfig(
      Object.fromEntries(settings.map(([name, value]) => [`pipestack:${name}`, value])),
    );
    program.pipestack = freshIndex();
  });

  after(async () => {
    pulumi.runtime.setAllConfig({});
    restoreEnvironment();
    await program.sandbox.close();
  });

  return program;
}
