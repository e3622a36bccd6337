import { expect } from "chai";
import type { Schema } from "../../../product/read";
import { resources } from "../../../provider/resources/registry";
import { replacesAt } from "../../../provider/values/compare";
import { keysIn, schemaAt } from "../../../provider/values/schema";
import type { TSchema } from "../../../provider/values/schemaBuilders";
import { documentedBody } from "../../productJudge";
import { failureOf } from "../api/failure";
import { kinds, programsOf, usePipes } from "./pipeSteps";
import { withChange } from "./validInputs";

const { Pipe: resource } = resources;

/** Returns the paths of the properties of a pipe's source that the document of ClickHouse Cloud allows in an update. */
function patched(kind: string): string[] {
  const { source } = documentedBody("management", "updatePipe")?.properties ?? {};
  const own = source?.properties?.[kind];
  return own ? pathsOf(own) : [];
}

function pathsOf({ properties = {} }: Schema, path = ""): string[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const own = path === "" ? name : `${path}.${name}`;
    const inside = name === "settings" ? pathsOf(member, own) : [];
    return inside.length > 0 ? inside : [own];
  });
}

/** Returns the paths of the properties of a pipe's source, written as in the API document of updates. */
function places(schema: TSchema, path = ""): string[] {
  return Object.keys(schema.properties ?? {}).flatMap((name) => {
    const own = path === "" ? name : `${path}.${name}`;
    const member = schemaAt(schema, name);
    const isOpened = member.properties && ["settings", "offset", "schemaRegistry"].includes(name);
    return isOpened ? places(member, own) : [own];
  });
}

const secrets = /^(credentials|accessKey|connectionString|serviceAccountKey)$/;

describe("The sources of pipes", () => {
  const { open, make } = usePipes();

  for (const kind of kinds) {
    it(`a ${kind} source changes in place exactly where the product's document allows an update`, () => {
      const known = patched(kind);
      const schema = schemaAt(schemaAt(resource.inputs, "source"), kind);
      const declared = places(schema);
      const isPatched = (path: string) =>
        known.includes(path) || (path === "tableMappings" && known.includes("tableMappingsToAdd"));
      const verdicts = declared.map((path) => [
        path,
        replacesAt(resource.inputs, ["source", kind, ...keysIn(path)]),
      ]);
      expect(Object.fromEntries(verdicts)).to.deep.equal(
        Object.fromEntries(declared.map((path) => [path, !isPatched(path)])),
      );
      const undeclared = known.filter((path) => !declared.includes(path) && !/^tableMappingsTo/.test(path));
      expect(undeclared.filter((path) => !secrets.test(path))).to.deep.equal([]);
    });
  }

  it("the refusal of changed credentials of a bigquery source does not show them", async () => {
    const [program = {}] = programsOf("bigquery");
    const { id, state } = await make(program);
    const next = { ...program, credentials: { serviceAccountKey: "another key of the reader" } };
    const refused = await failureOf(resource.diff(id, state, next, open().session));
    expect(refused.message).to.match(/^credentials[.\w, ]*: the change would replace .* a new full load/);
    expect(refused.message).to.not.include("of the reader");
  });

  it("a source of another kind replaces the pipe", async () => {
    const [kafka = {}, postgres = {}] = [programsOf("kafka")[0], programsOf("postgres")[0]];
    const stream = await make(kafka);
    const changes = await resource.diff(stream.id, stream.state, postgres, open().session);
    expect(changes.some(({ replaces }) => replaces)).to.equal(true);
  });

  it("a pipe from a database is replaced only with allowReplacement", async () => {
    const [postgres = {}] = programsOf("postgres");
    const replica = await make({ ...postgres, allowReplacement: false });
    const next = withChange(postgres, "source.postgres.settings.publicationName", "other");
    const refused = await failureOf(
      resource.diff(replica.id, replica.state, { ...next, allowReplacement: false }, open().session),
    );
    expect(refused.message).to.match(
      /^source\.postgres\.settings\.publicationName: the change would replace pipe \S+ \(replica\): a new full load of its Postgres source, which fails as long as its tables are in the destination\. .*allowReplacement: true/,
    );
    const allowed = await resource.diff(
      replica.id,
      replica.state,
      { ...next, allowReplacement: true },
      open().session,
    );
    expect(allowed.filter(({ replaces }) => replaces)).to.have.length(1);
    expect(resource.isDeletedFirst?.(replica.state, next)).to.equal(true);
  });
});
