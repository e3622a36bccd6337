import type { TypeName } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { Declared, sessionOf } from "../drift/fixture";

/** The servers that users have, by what a title calls them. */
export const setups = {
  "both APIs of the document": { dialect: "neutral", apis: "both" },
  "the product's management API alone": { dialect: "clickhouse", apis: "management" },
  "an observability server alone": { dialect: "clickhouse", apis: "observability" },
} as const;

export type Setup = (typeof setups)[keyof typeof setups];

/** What a test of an object's life has: a sandbox, and what the engine does with declared objects. */
export interface Life {
  readonly sandbox: Sandbox;
  /** A session as a new process has it, and its warnings. */
  opened(): ReturnType<typeof sessionOf>;
  /** What is declared so, after `pulumi up`. */
  applied(type: TypeName, program: Data): Promise<Declared>;
  /** The same object after `pulumi up` of another program, and the properties that the preview names. */
  changed(before: Declared, program: Data): Promise<{ declared: Declared; paths: string[] }>;
  /** The bodies of all requests with a method. */
  bodiesOf(method: string): unknown[];
}

/** A sandbox of a setup for the tests of a suite, as new before each. */
export function useLife({ dialect, apis }: Setup): Life {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await createSandbox({ dialect, apis });
  });
  beforeEach(async () => {
    await sandbox.reset();
    sandbox.requests.length = 0;
  });
  after(() => sandbox.close());

  const opened = () => sessionOf(sandbox, { dialect, requestsPerSecond: "1000" });
  return {
    get sandbox() {
      return sandbox;
    },
    opened,
    async applied(type, program) {
      const declared = new Declared(type, program);
      await declared.up(opened().session);
      return declared;
    },
    async changed({ id, type, state, inputs }, program) {
      const declared = Object.assign(new Declared(type, program), { id, state, inputs });
      const changes = await declared.up(opened().session);
      return { declared, paths: changes.map(({ path }) => path) };
    },
    bodiesOf: (method) =>
      sandbox.requests.filter((request) => request.method === method).map(({ requestBody }) => requestBody),
  };
}
