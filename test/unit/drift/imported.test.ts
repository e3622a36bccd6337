import { expect } from "chai";
import fc from "fast-check";
import { check } from "../../../provider/lifecycle/check";
import { diff } from "../../../provider/lifecycle/diff";
import { importObject } from "../../../provider/lifecycle/read";
import { type Resource, resourceKey } from "../../../provider/lifecycle/resource";
import { resources, typeNames } from "../../../provider/resources/registry";
import { createSandbox, rewriteNames, type Sandbox } from "../../../sandbox/index";
import { examples } from "../resources/examples";
import { Declared, sessionOf } from "./fixture";

describe("an object that is imported", () => {
  let sandbox: Sandbox;

  before(async () => {
    sandbox = await createSandbox();
  });
  after(() => sandbox.close());

  for (const type of typeNames) {
    it(`${type}: is a valid program that shows no change then, and none after a refresh, whatever the server answers`, async () => {
      const resource: Resource = resources[type];
      await fc.assert(
        fc.asyncProperty(
          examples[type].randomPrograms(sandbox),
          fc.subarray(rewriteNames.filter((name) => name !== "laggingScaling")),
          async (program, rewrites) => {
            await sandbox.reset();
            sandbox.rewrites.clear();
            const made = new Declared(type, program);
            await made.up(sessionOf(sandbox).session);
            for (const rewrite of rewrites) sandbox.rewrites.add(rewrite);

            const { session } = sessionOf(sandbox);
            const found = await importObject(resource, made.id, {}, session);
            if (typeof found === "string") throw new Error(found);
            expect(resourceKey(resource, found.id)).to.equal(resourceKey(resource, made.id));
            const { inputs, failures } = check(
              resource,
              {},
              JSON.parse(JSON.stringify(found.inputs)),
              session,
            );
            // A `config` has stricter rules than the series that it stands for.
            fc.pre(failures.length === 0 || !rewrites.includes("seriesAsConfig"));
            expect(failures).to.deep.equal([]);
            expect(diff(resource, found.id, found.state, inputs, session)).to.deep.equal([]);

            const refreshed = await resource.read(found.id, found.state, sessionOf(sandbox).session);
            if (typeof refreshed === "string") throw new Error(refreshed);
            expect(diff(resource, found.id, refreshed.state, inputs, session), "refreshed").to.deep.equal([]);
          },
        ),
        { numRuns: 40 },
      );
    }).timeout(60_000);
  }
});
