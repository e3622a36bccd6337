import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect } from "chai";
import type { Sandbox } from "../../../sandbox/index";
import { useFixture } from "../fixture";
import { examples, projectIn, warning } from "./examplePrograms";
import { goVariables, useLanguages } from "./languageHosts";

/** Examples that exist in other languages than TypeScript, with the number of their resources. */
const stacks: readonly {
  readonly example: "service" | "pipes" | "roles" | "query-api" | "overview";
  readonly created: number;
  readonly isOnlyInPython?: boolean;
  readonly environment?: { readonly [name: string]: string };
  readonly sandbox?: { readonly stateMilliseconds: number };
  readonly config?: { readonly [name: string]: string };
  readonly secrets?: { readonly [name: string]: string };
  /**
   * Changes fixed values in the example's YAML program: in other languages, the program reads them from the stack's
   * configuration.
   */
  readonly inYaml?: (program: string) => string;
  readonly records: (sandbox: Sandbox) => number;
}[] = [
  {
    example: "service",
    created: 7,
    sandbox: { stateMilliseconds: 300 },
    config: { protected: "false" },
    inYaml: (program) => program.replace("deletionProtection: true", "deletionProtection: false"),
    records: ({ store }) => store.services.size,
  },
  {
    example: "pipes",
    created: 4,
    sandbox: { stateMilliseconds: 300 },
    secrets: {
      kafkaPassword: "secret of kafka",
      registryPassword: "secret of registry",
      postgresPassword: "secret of postgres",
    },
    records: ({ store }) => store.pipes.size,
  },
  { example: "roles", created: 4, records: ({ store }) => store.keys.size },
  {
    example: "query-api",
    created: 5,
    // Only a self-hosted server accepts alerts with an inline chart.
    environment: { PIPESTACK_OBSERVABILITY_VIA: "observability" },
    records: ({ store }) => store.queryApiEndpoints.size,
  },
  {
    example: "overview",
    created: 1,
    isOnlyInPython: true,
    records: ({ store }) => store.dashboards.size,
  },
];

for (const { example, created, sandbox, config = {}, secrets = {}, inYaml, records, ...further } of stacks)
  describe(`The example program ${example} in several languages`, () => {
    const fixture = useFixture({
      language: "typescript",
      projectFile: projectIn(example, "python"),
      sandbox: { dialect: "clickhouse", ...sandbox },
    });
    const languages = useLanguages(fixture);
    const writeProject = (text: string) => writeFile(join(fixture.folder, "Pulumi.yaml"), text);
    const unchanged = { args: ["--expect-no-changes"] };
    let found: number;

    before(async () => {
      Object.assign(fixture.environment, further.environment);
      for (const [name, value] of Object.entries(config)) await fixture.config(`first:${name}`, value);
      for (const [name, value] of Object.entries(secrets)) await fixture.config(`first:${name}`, value, true);
    });

    it(`the Python program of the example ${example} creates ${created} resources in one update, without a warning`, async () => {
      fixture.environment.PATH = languages.python;
      found = records(fixture.sandbox);
      const { summary, output } = await fixture.up({ args: ["--skip-preview"] });
      expect(summary).to.deep.equal({ create: created });
      expect(output).to.not.match(warning);
      expect(records(fixture.sandbox)).to.be.greaterThan(found);
    });

    if (!further.isOnlyInPython) {
      it(`the Go program of the example ${example} finds nothing to change in the stack of its Python program`, async () => {
        await writeProject(projectIn(example, "go"));
        fixture.environment.PATH = [languages.goHost, languages.original].join(delimiter);
        const { summary } = await fixture.preview({ ...unchanged, environment: goVariables });
        expect(summary).to.deep.equal({ same: created });
      });

      it(`the YAML program of the example ${example} finds nothing to change in the stack of its Python program`, async () => {
        const text = await readFile(join(examples, example, "yaml", "Pulumi.yaml"), "utf8");
        await writeProject((inYaml?.(text) ?? text).replace(/^name: .*$/m, "name: first"));
        fixture.environment.PATH = languages.yamlHost;
        expect((await fixture.preview(unchanged)).summary).to.deep.equal({ same: created });
      });
    }

    it(`destroy deletes the resources of the example ${example} in Python on a machine without Node`, async () => {
      await writeProject(projectIn(example, "python"));
      fixture.environment.PATH = languages.python;
      expect((await fixture.destroy()).summary).to.deep.equal({ delete: created });
      expect(records(fixture.sandbox)).to.equal(found);
    });
  });
