import { expect } from "chai";
import { MissingObject, MissingRoute, RefusedRequest } from "../../../provider/api/errors";
import { importObject } from "../../../provider/lifecycle/read";
import { resources } from "../../../provider/resources/registry";
import { failureOfType } from "../api/failure";
import { enveloped, place, refused, useServer } from "../api/server";
import { sessionFor } from "../lifecycle/note";
import { itKeeps } from "./rules";

const origins =
  "allowedOrigins must be a list of domains without spaces or commas, or a string of them separated by commas";
const [one, other] = ["https://a.example.com", "https://b.example.com"];

describe("The check of a query endpoint", () => {
  itKeeps({ type: "QueryEndpoint" }, [
    ...[80, [`${one}, ${other}`], [""], `${one} ${other}`].map(
      (allowedOrigins) => [{ allowedOrigins }, origins] as const,
    ),
    ...["", "*", one, `${one}, ${other}`].map((allowedOrigins) => [{ allowedOrigins }, []] as const),
  ]);
});

describe("Query endpoints", () => {
  const server = useServer();
  const { QueryEndpoint } = resources;
  const session = () => sessionFor({}, server.current.url).session;
  const services = enveloped([{ id: place.serviceId }]);
  const denial = refused(404, "Not Found");
  const state = { ...place, roles: [], openApiKeys: [] };

  it("imports a query endpoint without roles if the service shows none", async () => {
    server.current.alwaysAnswer(enveloped({ id: "e", openApiKeys: ["k"] }));
    const imported = await importObject(QueryEndpoint, place.serviceId, place, session());
    expect(imported).to.have.deep.property("inputs", { ...place, roles: [], openApiKeys: ["k"] });
  });

  for (const words of ["NOT_FOUND", "NOT_FOUND: 7b0fc2d8-a1b2-43d4", "Query endpoint not found"])
    it(`a query endpoint is gone if its service exists and the API says ${JSON.stringify(words)}`, async () => {
      server.current.answer(refused(404, words), services);
      expect(await QueryEndpoint.read(place.serviceId, state, session())).to.equal("gone");
    });

  it("a query endpoint stays in the state however often a gateway answers 404 in the API's envelope", async () => {
    server.current.answer(denial, denial, services);
    expect(await QueryEndpoint.read(place.serviceId, state, session())).to.equal("unseen");
  });

  it("fails to delete a query endpoint if a gateway answers 404", async () => {
    server.current.alwaysAnswer(denial);
    const deletion = QueryEndpoint.delete(place.serviceId, state, session());
    const { message } = await failureOfType(deletion, MissingObject);
    expect(message).to.match(/^Not Found \(deleteQueryEndpoint: /);
  });

  for (const [what, answer, Failure] of [
    [
      "the API says that the service is missing",
      refused(404, "NOT_FOUND: service not found"),
      RefusedRequest,
    ],
    ["a gateway answers", { status: 404, body: "<html>Cannot GET</html>" }, MissingRoute],
  ] as const)
    it(`writes no query endpoint if the look before the update fails, since ${what}`, async () => {
      server.current.alwaysAnswer(answer);
      const after = { ...state, roles: ["sql_console_admin"] };
      await failureOfType(QueryEndpoint.update(place.serviceId, state, after, session()), Failure);
      expect(server.current.requests.map(({ method }) => method)).to.deep.equal(["GET"]);
    });
});
