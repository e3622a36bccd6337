import { expect } from "chai";
import type { Client } from "../../../provider/api/client";
import { MissingRoute } from "../../../provider/api/errors";
import { failureOfType } from "./failure";
import { clientOf, enveloped, place, useServer } from "./server";

describe("the refusal of a server without the route", () => {
  const server = useServer();
  const noRoute = { status: 404, body: "<html>Cannot GET</html>" };
  const reasonOf = async (client: Client) =>
    (await failureOfType(client.call("listSavedSearches", place), MissingRoute)).reason;

  it("names the settings and the age of the server as long as nothing else was answered", async () => {
    server.current.alwaysAnswer(noRoute);
    const { client } = clientOf(server.current);
    const reason =
      "Cannot GET; the API itself does not answer like this, so check the settings baseUrl and dialect, or update the server: it may be too old for listSavedSearches";
    expect(await reasonOf(client)).to.equal(reason);
    expect(await reasonOf(client)).to.equal(reason);
  });

  it("names the age of the server alone if that has answered other requests, and not if it has answered this one", async () => {
    const { client } = clientOf(server.current);
    server.current.answer(enveloped([]), noRoute, enveloped([]), noRoute);
    await client.call("listAlerts", place);
    expect(await reasonOf(client)).to.equal(
      "Cannot GET; the server answers other requests, and seems to be too old for listSavedSearches: update it, or do without",
    );
    await client.call("listSavedSearches", place);
    expect(await reasonOf(client)).to.match(/^Cannot GET; the API itself does not answer like this/);
  });
});
