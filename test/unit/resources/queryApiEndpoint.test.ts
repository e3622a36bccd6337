import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import { failureOf } from "../api/failure";
import { setups, useLife } from "./life";
import { addEndpoint, queryApiEndpointExample } from "./queryApiEndpoint.example";
import { itKeeps } from "./rules";

const key = "must be the id of a key, a uuid (id of the ApiKey, not its keyId)";

describe("The check of a query API endpoint", () => {
  itKeeps({ type: "QueryApiEndpoint" }, [
    [{ "apiKeyIds[0]": "4f9Jr3mQ8sTz2VbN1xKc" }, `apiKeyIds[0] ${key}`],
    [{ sql: " " }, "sql must be a text that is not blank"],
  ]);
});

describe("Query API endpoints", () => {
  const life = useLife(setups["the product's management API alone"]);
  const [program] = queryApiEndpointExample.programs({} as never);
  const id = "6d1c7b52-8f3a-4e60-9a2b-0c4d5e6f7a84";
  const own = /belongs to a user \(ownerType\), and keys can neither change nor delete it/;

  it("a query API endpoint that belongs to a user can neither be changed nor deleted", async () => {
    const declared = await life.applied("QueryApiEndpoint", program);
    declared.state = { ...declared.state, ownerType: "user" };
    const { session } = life.opened();
    life.sandbox.requests.length = 0;
    const { id, state, inputs } = declared;
    const next = { ...inputs, sql: "SELECT 2" };
    const { message } = await failureOf(resources.QueryApiEndpoint.diff(id, state, next, session));
    expect(message).to.match(own);
    expect((await failureOf(declared.delete(session))).message).to.match(own);
    expect(life.sandbox.requests.filter(({ method }) => method !== "GET")).to.deep.equal([]);
  });

  it("the adoption of a query API endpoint that belongs to a user is refused, in a message with the reason", async () => {
    addEndpoint(life.sandbox, { id, ownerType: "user" });
    const adopting = life.applied("QueryApiEndpoint", { ...program, adoptId: id });
    expect((await failureOf(adopting)).message).to.match(own);
  });

  it("the deletion of an API key warns of the query API endpoint that accepts the key", async () => {
    const made = await life.applied("ApiKey", { name: "reports", roles: ["query_endpoints"] });
    await life.applied("QueryApiEndpoint", { ...program, apiKeyIds: [made.id] });
    const { session, warnings } = life.opened();
    await made.delete(session);
    const [endpoint] = life.sandbox.store.queryApiEndpoints.keys();
    expect(warnings).to.deep.equal([
      `API key ${made.id} is still used by 1 query API endpoint: "Revenue" (${endpoint}). They no longer let this key in`,
    ]);
  });
});
