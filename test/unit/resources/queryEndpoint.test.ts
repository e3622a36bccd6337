import { expect } from "chai";
import { importObject } from "../../../provider/lifecycle/read";
import { resources } from "../../../provider/resources/registry";
import { enveloped, place, useServer } from "../api/server";
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

describe("The query endpoint of a service", () => {
  const server = useServer();
  const { QueryEndpoint } = resources;
  const session = () => sessionFor({}, server.current.url).session;

  it("pulumi import returns a query endpoint without roles if the service shows no roles", async () => {
    server.current.alwaysAnswer(enveloped({ id: "e", openApiKeys: ["k"] }));
    const imported = await importObject(QueryEndpoint, place.serviceId, place, session());
    expect(imported).to.have.deep.property("inputs", { ...place, roles: [], openApiKeys: ["k"] });
  });
});
