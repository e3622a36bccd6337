import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { dialects } from "../../../provider/api/dialect";
import { isWrite } from "../../../provider/api/operation";
import { operations } from "../../../provider/api/operations";
import { readDescriptions } from "../../../provider/descriptions";
import { functions } from "../../../provider/functions/registry";
import { offer } from "../../../provider/hosts/plugin/offer";
import { packageSchema } from "../../../provider/hosts/plugin/packageSchema";
import { type DeclarableName, declarable, sets } from "../../../provider/resources/registry";
import { permissionTable } from "../../../toolchain/operationTables.mjs";
import { referencePages } from "../../../toolchain/reference.mjs";

type Schema = Parameters<typeof referencePages>[0];

const document = join(__dirname, "..", "..", "..", "docs", "roles.md");
const types = Object.keys(declarable) as DeclarableName[];
const { limits } = dialects.clickhouse;
const provider = { ...offer, operations, isWrite, limits };

describe("The generated pages of the reference", () => {
  const docs = readDescriptions();
  let schema: Schema;
  let pages: ReturnType<typeof referencePages>;

  before(() => {
    schema = packageSchema(offer, docs) as Schema;
    pages = referencePages(schema, provider, docs);
  });

  it("the reference has one page for each resource and function, and an index", () => {
    const names = [...types, ...Object.keys({ ...offer.components, ...functions })];
    expect(Object.keys(pages)).to.have.members(["README.md", ...names.map((name) => `${name}.md`)]);
    for (const name of names) expect(pages["README.md"]).to.include(`[${name}](${name}.md): `);
  });

  for (const type of types) {
    it(`the page of ${type} shows an example, every input and output, its import and its operations`, () => {
      const page = pages[`${type}.md`];
      const { inputs, outputs, operations: used } = declarable[type];
      expect(page).to.include("```typescript");
      for (const name of Object.keys({ ...inputs.properties, ...outputs.properties }))
        expect(page).to.match(new RegExp(`^\\| \`${name}\` \\| .+ \\| .+ \\|$`, "m"));
      expect(page).to.include(type in sets ? "declares the id" : `pulumi import pipestack:index:${type} `);
      for (const operation of Object.values(used)) expect(page).to.include(`\`${operation}\``);
    });
  }

  it("the page of a component shows an example, every input and output, and no import", () => {
    for (const [type, { inputs, outputs }] of Object.entries(offer.components)) {
      const page = pages[`${type}.md`] ?? "";
      expect(page).to.include("```typescript").and.not.include("## Import");
      for (const name of Object.keys({ ...inputs.properties, ...outputs.properties }))
        expect(page).to.match(new RegExp(`^\\| \`${name}\` \\| .+ \\| .+ \\|$`, "m"));
    }
  });

  it("the page of a function shows its errors, and the operation that it calls", () => {
    const used = Object.keys(functions).map((name) => {
      const page = pages[`${name}.md`] ?? "";
      expect(page, name).to.match(/^## Errors\n\nIt fails if an argument is invalid, .*\.$/m);
      return [name, /^\| read \| `(\w+)`/m.exec(page)?.[1]];
    });
    expect(Object.fromEntries(used)).to.include({
      getChartSeries: "getChartSeries",
      getPipe: "getPipe",
      getPipes: "listPipes",
      getWebhooks: "listWebhooks",
    });
    expect(used.filter(([, operation]) => operation === undefined)).to.deep.equal([]);
  });

  it("a page of the reference ends with the sections of the API document that its docstring names", () => {
    const section = /\n## See also\n\n- "[^"]+".* in the API document\n$/;
    for (const name of ["Alert", "ApiKey", "getPipe"]) expect(pages[`${name}.md`]).to.match(section);
    expect(pages["Webhook.md"]).to.not.include("See also");
    expect(pages["README.md"]).to.include("- [getPipe](getPipe.md): One pipe.\n");
  });

  it("a page of the reference names the role that the key needs for each operation", () => {
    const rolesOf = (page: string) =>
      Object.fromEntries(
        [
          ...(pages[`${page}.md`] ?? "").matchAll(/^\| (\w+) \| `\w+` .* \| ([\w ]+) \| \S+ \| [\w ]+ \|$/gm),
        ].map(([, step, role]) => [step, role]),
      );
    expect(rolesOf("Alert")).to.deep.equal({
      ...{ create: "admin", list: "developer", get: "developer", update: "access token", delete: "admin" },
    });
    expect(rolesOf("getChartSeries")).to.deep.equal({ read: "access token" });
  });

  it("a page of the reference names the permission and the rate limit of each operation", () => {
    expect(pages["ApiKey.md"]).to.match(
      /^\| create .* \| admin \| `organization:create-api-keys` \| 10 in 10 s \|$/m,
    );
    expect(pages["getChartSeries.md"]).to.match(/^\| read .* \| access token \| – \| 100 in 60 s \|$/m);
  });

  it("a page of the reference shows the ids that an import accepts", () => {
    expect(pages["Alert.md"]).to.include("`<organization>/<service>/<id>`");
    expect(pages["ApiKey.md"]).to.include("`<organization>/<id>`");
    expect(pages["ServiceScaling.md"]).to.include("The id is that of the service.");
  });

  it("a page of the reference shows its example for both hosts, and in every language of the plugin", () => {
    const page = pages["getWebhooks.md"] ?? "";
    expect(page).to.include("export const names = pipestack.getWebhooks().then(").and.not.include("<!--");
    const imports = /"pipestack";.*"@pipestack\/sdk";.*import pulumi_pipestack.*package main.*fn::invoke:/s;
    expect(page).to.match(imports);
    // The example programs of a reference page have no text between them, since the site then shows them as alternatives.
    expect(page.split("## Types")[0]?.match(/```\n\n```/g)).to.have.length(4);
  });

  it("a page of the reference links only to its own headings", () => {
    for (const [name, text] of Object.entries(pages)) {
      const headings = [...text.matchAll(/^### (\w+)$/gm)].map(([, heading = ""]) => heading.toLowerCase());
      const linked = [...text.matchAll(/\]\(#(\w+)\)/g)].map(([, anchor]) => anchor);
      expect(headings, name).to.include.members(linked);
    }
  });

  it("a page of the reference marks required, secret and replacing properties, and shows allowed values", () => {
    const rowOf = (page: string, name: string) =>
      pages[`${page}.md`]?.split("\n").find((line) => line.startsWith(`| \`${name}\` `));
    expect(rowOf("Alert", "threshold")).to.include("**Required.**");
    expect(rowOf("ApiKey", "hashData"))
      .to.include("**Secret.**")
      .and.include("**A change replaces the object.**");
    expect(rowOf("ApiKey", "state")).to.include('`"enabled"`, `"disabled"`');
    expect(rowOf("ApiKey", "keySuffix")).to.not.include("Required");
  });

  it("a page of the reference escapes descriptions in tables", () => {
    const spec = { type: "string", description: "one |\ntwo" };
    const inputs = { type: "object", properties: { it: spec } };
    const getIt = { description: "It.", inputs, outputs: { type: "object" } };
    const changed = { ...schema, functions: { "pipestack:index:getIt": getIt } };
    const page = referencePages(changed, provider, docs)["getIt.md"];
    expect(page).to.include("| `it` | string | one \\| two |");
  });
});

describe("The table of permissions and limits in docs/roles.md", () => {
  const [begin, end] = ["<!-- permissions: generated -->\n", "<!-- end of permissions -->\n"];

  it("docs/roles.md shows the permissions and limits of the operations (npm run golden writes them)", () => {
    const table = permissionTable(provider).join("\n").concat("\n");
    const text = readFileSync(document, "utf8");
    const [above = "", rest = ""] = text.split(begin);
    const [, below = ""] = rest.split(end);
    if (process.env.PIPESTACK_WRITE_GOLDEN) writeFileSync(document, above + begin + table + end + below);
    expect(readFileSync(document, "utf8").split(begin)[1]?.split(end)[0]).to.equal(table);
  });
});
