import { expect } from "chai";
import type { ApiName } from "../../sandbox/core/request";
import {
  type Answer,
  alert,
  apis,
  connectionId,
  savedSearchId,
  sourceId,
  unknownId,
  unknownUuid,
  useSandbox,
} from "./requests";

/** How one collection of the sandbox's API behaves differently from other collections. */
interface Kind {
  readonly noun: string;
  readonly body: object;
  /** The APIs that serve the collection. If absent, both serve it. */
  readonly servers?: readonly ApiName[];
  /** True if the observability API reports a missing object of this collection in plain text. */
  readonly isMissingAsText?: boolean;
  readonly update?: "PATCH";
  readonly hasNoGet?: true;
  /** True if deleting a missing object of this collection succeeds. */
  readonly ignoresMissing?: boolean;
}

const kindsIn = (isProduct: boolean): { readonly [path: string]: Kind } => ({
  dashboards: {
    noun: "Dashboard",
    body: { name: "Overview", tiles: [] },
    isMissingAsText: true,
    ignoresMissing: isProduct,
  },
  alerts: { noun: "Alert", body: isProduct ? { ...alert, source: "saved_search", savedSearchId } : alert },
  sources: {
    noun: "Source",
    body: {
      ...{ name: "Requests", kind: "log", connection: connectionId, timestampValueExpression: "Timestamp" },
      from: { databaseName: "otel", tableName: "requests" },
      defaultTableSelectExpression: "Body",
    },
  },
  webhooks: {
    noun: "Webhook",
    body: { name: "paging", service: "generic", url: "https://hooks.example.com/x" },
    hasNoGet: true,
  },
  "saved-searches": { noun: "Saved search", body: { name: "Errors", sourceId } },
  connections: {
    noun: "Connection",
    body: { name: "Second", host: "https://b.example.com", username: "default" },
    servers: ["observability"],
    isMissingAsText: true,
  },
  keys: { noun: "key", body: { name: "ci", roles: ["admin"] }, servers: ["management"], update: "PATCH" },
});

for (const dialect of ["neutral", "clickhouse"] as const) {
  describe(`Routes of the sandbox to list and change objects, in the dialect ${dialect}`, () => {
    const client = useSandbox({ dialect });
    const isProduct = dialect === "clickhouse";

    for (const [path, kind] of Object.entries(kindsIn(isProduct))) {
      const { noun, body, servers = apis, hasNoGet, update = "PUT" } = kind;
      const unknown = path === "keys" ? unknownUuid : unknownId;
      const steps = ["GET", update, "DELETE"].filter((method) => !(hasNoGet && method === "GET"));
      const ask = (api: ApiName, method: string, rest = "", sent?: object): Promise<Answer> =>
        path === "keys"
          ? client.organization(method, `/keys${rest}`, sent)
          : client.stack(api, method, `/${path}${rest}`, sent);
      const idsIn = async (api: ApiName) =>
        (await ask(api, "GET")).payload.map(({ id }: { id: string }) => id) as string[];
      const create = async (api: ApiName) => {
        const { payload, text } = await ask(api, "POST", "", body);
        expect(payload, text).to.be.an("object");
        return payload.key ?? payload;
      };

      for (const api of servers) {
        const api_ = `the ${api} API`;

        it(`${api_} creates an object in /${path} that each API lists, shows and changes`, async () => {
          const made = await create(api);
          expect(made).to.deep.include({ name: (body as { name: string }).name });
          expect(made).to.not.have.property("serviceId");
          for (const other of servers) {
            expect(await idsIn(other)).to.include(made.id);
            if (hasNoGet) continue;
            const shown = (await ask(other, "GET", `/${made.id}`)).payload;
            if (isProduct && other !== api) expect(shown).to.include({ id: made.id, name: made.name });
            else expect(shown).to.deep.equal(made);
          }
          for (const other of servers) {
            const { status, text } = await ask(other, update, `/${made.id}`, {
              ...body,
              name: `By ${other}`,
            });
            expect(status, text).to.equal(200);
            const [changed] = (await ask(api, "GET")).payload.filter(
              ({ id }: { id: string }) => id === made.id,
            );
            expect(changed).to.include({ name: `By ${other}` });
          }
        });

        it(`${api_} refuses a malformed id in /${path}`, async () => {
          for (const method of steps) {
            const malformed = await ask(api, method, "/mine", method === update ? body : undefined);
            expect(malformed.status, method).to.equal(400);
            expect(malformed.text).to.include(`Invalid ${noun.toLowerCase()} id`);
          }
        });

        it(`${api_} reports a missing object in /${path} in the words of this API`, async () => {
          for (const method of steps) {
            const sent = method === update ? body : undefined;
            const missing = await ask(api, method, `/${unknown}`, sent);
            if (method === "DELETE" && kind.ignoresMissing) {
              expect(missing.status).to.equal(200);
              continue;
            }
            expect(missing.status, method).to.equal(404);
            const words = kind.isMissingAsText ? "Not Found" : `${noun} not found`;
            if (api === "management") expect(missing.reason).to.equal(`NOT_FOUND: ${words}`);
            else if (kind.isMissingAsText)
              expect(missing).to.include({ text: words, type: "text/plain; charset=utf-8" });
            else expect(missing.body).to.deep.equal({ message: words });
          }
        });

        it(`${api_} ${api === "management" ? "refuses" : "drops"} an unknown property of an object in /${path}`, async () => {
          const { status, text } = await ask(api, "POST", "", { ...body, colour: "red" });
          if (api === "observability") {
            expect(status).to.equal(200);
            expect(text).to.not.include("colour");
          } else {
            expect(status).to.equal(400);
            expect(text).to.match(/has no member colour|property can't be validated: colour/);
          }
        });
      }

      if (path === "connections" || path === "keys") continue;
      it(`GET, list and PUT of /${path} on one service cannot reach an object of another service`, async () => {
        const { id } = await create("management");
        const stack = isProduct ? "clickstack" : "stack";
        expect((await client.secondService("GET", `/${stack}/${path}`)).payload).to.deep.equal([]);
        const change = await client.secondService("PUT", `/${stack}/${path}/${id}`, body);
        // The second service lacks both the object and the source or search that the body names. The server may check the body
        // first (400), or the object (404).
        expect(change.status).to.be.oneOf([400, 404]);
        const shown = await client.secondService("GET", `/${stack}/${path}/${id}`);
        expect(shown.status).to.equal(404);
      });
    }
  });
}
