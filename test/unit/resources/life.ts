import type { TypeName } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { Declared, sessionOf } from "../drift/fixture";

export const setups = {
  "both APIs of the document": { dialect: "neutral", apis: "both" },
  "the product's management API alone": { dialect: "clickhouse", apis: "management" },
  "an observability server alone": { dialect: "clickhouse", apis: "observability" },
} as const;

export type Setup = (typeof setups)[keyof typeof setups];

/** A sandbox and the engine's steps, for tests that take an object from its creation to its deletion. */
export interface Life {
  readonly sandbox: Sandbox;
  /** Opens a session as a new provider process would, and collects its warnings. */
  opened(): ReturnType<typeof sessionOf>;
  applied(type: TypeName, program: PropertyMap): Promise<Declared>;
  /**
   * Runs `pulumi up` with another program for an object. Returns the changed object and the property paths that the preview
   * named.
   */
  changed(before: Declared, program: PropertyMap): Promise<{ declared: Declared; paths: string[] }>;
  bodiesOf(method: string): unknown[];
}

/** Provides a sandbox for the tests of a `describe` block, and resets it before each test. */
export function useLife({ dialect, apis }: Setup): Life {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await createSandbox({ dialect, apis });
  });
  beforeEach(async () => {
    await sandbox.reset();
    await sandbox.faults.clear();
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
