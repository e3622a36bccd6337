import { expect } from "chai";
import type { Schema } from "../../../product/read";
import { sourceIn } from "../../../provider/resources/pipe/kinds";
import { resources } from "../../../provider/resources/registry";
import { replacesAt } from "../../../provider/values/compare";
import type { PropertyMap } from "../../../provider/values/data";
import { valueAt } from "../../../provider/values/pairing";
import { keysIn, schemaAt } from "../../../provider/values/schema";
import type { TSchema } from "../../../provider/values/schemaBuilders";
import { documentedBody } from "../../productJudge";
import { failureOf } from "../api/failure";
import type { Json } from "./example";
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

/** For each kind of pipe source, another value of each property that an update can change in place. */
const others: { readonly [kind: string]: { readonly [member: string]: Json } } = {
  kafka: {
    ...{ authentication: "PLAIN", iamRole: "arn:other", caCertificate: pem("other") },
    reversePrivateEndpointIds: [],
  },
  kinesis: { iamRole: "arn:other", authentication: "IAM_USER" },
  objectStorage: {
    ...{ iamRole: "arn:other", path: "other/*", azureContainerName: "other", startAfter: "other.parquet" },
    ...{ skipInitialLoad: false, authentication: "IAM_USER" },
  },
  pubsub: { authentication: "SERVICE_ACCOUNT_WORKLOAD_IDENTITY", ackDeadline: 90 },
  postgres: {
    ...{ host: "other.example.com", port: 5433, database: "other", tlsHost: "other" },
    ...{ caCertificate: pem("other"), disableTls: true, skipCertVerification: false },
    ...{ "settings.syncIntervalSeconds": 90, "settings.pullBatchSize": 10 },
  },
  mysql: {
    ...{ host: "other.example.com", port: 3307, authentication: "SERVICE_ACCOUNT_WORKLOAD_IDENTITY" },
    ...{ iamRole: "arn:other", serverId: 8, tlsHost: "other", caCertificate: pem("other") },
    ...{ disableTls: true, skipCertVerification: false },
    ...{ "settings.syncIntervalSeconds": 90, "settings.pullBatchSize": 10, "settings.useCompression": false },
  },
  mongodb: {
    ...{ uri: "mongodb://other.example.com", readPreference: "primary", tlsHost: "other" },
    ...{ caCertificate: pem("other"), disableTls: true, skipCertVerification: false },
    ...{ "settings.syncIntervalSeconds": 90, "settings.pullBatchSize": 10 },
  },
};

function pem(text: string): string {
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`;
}

/** By kind of source, properties that an update repeats although they are unchanged, since the service requires them. */
const repeated: { readonly [kind: string]: readonly string[] } = {
  ...{ pubsub: ["authentication"], mysql: ["host", "port"], mongodb: ["readPreference", "uri"] },
};

describe("The sources of pipes", () => {
  const { open, stored, failuresOf, make, update, writes, operations } = usePipes();

  for (const kind of kinds) {
    it(`a ${kind} source changes in place exactly where the product's document allows an update, and otherwise replaces the pipe`, () => {
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

    if (kind !== "bigquery")
      it(`an update of a ${kind} source sends each changed property alone, and the pipe then has the new value`, async () => {
        const tried: string[] = [];
        for (const program of programsOf(kind)) {
          for (const [member, value] of Object.entries(others[kind] ?? {})) {
            const path = `source.${kind}.${member}`;
            const declared = valueAt(program, keysIn(path));
            if (declared === undefined || tried.includes(member)) continue;
            const isOtherLogin = member === "authentication";
            const next = withChange(program, path, value);
            const inputs: PropertyMap = isOtherLogin ? { ...next, credentials: loginOf(value) } : next;
            const changed: PropertyMap = JSON.parse(JSON.stringify(inputs));
            if ((await failuresOf(changed)).length > 0) continue;
            tried.push(member);
            const { id, state } = await make({ ...program, name: `pipe ${tried.length} of ${kind}` });
            const named = { ...changed, name: state.name };
            const changes = await resource.diff(id, state, named, open().session);
            expect(changes.map((change) => change.path)).to.include(path);
            expect(
              changes.filter(({ replaces }) => replaces),
              path,
            ).to.deep.equal([]);
            const updated = await update(id, state, named);
            expect(operations(), path).to.deep.equal(["updatePipe"]);
            const [[, requestBody] = []] = writes();
            const sent = sourceIn((requestBody ?? {}) as PropertyMap)?.members ?? {};
            const [top = ""] = member.split(".");
            const expected = new Set([top, ...(repeated[kind] ?? [])]);
            expect(
              Object.keys(sent).filter((name) => !secrets.test(name)),
              path,
            ).to.have.members([...expected]);
            if (!isOtherLogin)
              expect(
                Object.keys(sent).some((name) => secrets.test(name)),
                path,
              ).to.equal(false);
            expect(valueAt(stored(id), keysIn(path)), path).to.deep.equal(value);
            expect(await resource.diff(id, updated, named, open().session)).to.deep.equal([]);
          }
        }
        const reachable = Object.keys(others[kind] ?? {});
        expect(tried, "each member is declared by a program").to.have.members(reachable);
      }).timeout(60_000);

    it(`an update of a ${kind} source sends changed credentials in one request or refuses them, and no message shows them`, async () => {
      for (const program of programsOf(kind).filter(({ credentials }) => credentials !== undefined)) {
        const { id, state } = await make(program);
        const credentials = Object.fromEntries(
          Object.keys(program.credentials as PropertyMap).map((name) => [
            name,
            `another ${name} of the reader`,
          ]),
        );
        const next = { ...program, credentials };
        if (kind === "bigquery") {
          const refused = await failureOf(resource.diff(id, state, next, open().session));
          expect(refused.message).to.match(
            /^credentials[.\w, ]*: the change would replace .* a new full load/,
          );
          expect(refused.message).to.not.include("of the reader");
          continue;
        }
        expect(
          (await resource.diff(id, state, next, open().session)).filter(({ replaces }) => replaces),
        ).to.deep.equal([]);
        await update(id, state, next);
        expect(operations()).to.deep.equal(["updatePipe"]);
        expect(JSON.stringify(stored(id))).to.include("of the reader");
        const again = await update(id, { ...state, ...next } as never, next);
        expect(again.status).to.be.a("string");
        expect(operations()).to.deep.equal(["updatePipe"]);
      }
    }).timeout(30_000);
  }

  it("a source of another kind replaces the pipe, and a pipe from a database is replaced only with allowReplacement", async () => {
    const [kafka = {}, postgres = {}] = [programsOf("kafka")[0], programsOf("postgres")[0]];
    const stream = await make(kafka);
    const changes = await resource.diff(stream.id, stream.state, postgres, open().session);
    expect(changes.some(({ replaces }) => replaces)).to.equal(true);
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

/** Returns credentials of a pipe's source in the form that an authentication needs. */
function loginOf(authentication: Json): Json {
  if (authentication === "PLAIN") return { username: "reader", password: "another password of the reader" };
  if (authentication === "IAM_USER")
    return { accessKeyId: "AKIAOTHEROTHER", secretKey: "another secret of the reader" };
  return undefined as never;
}
