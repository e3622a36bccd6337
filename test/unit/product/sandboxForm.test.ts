import { expect } from "chai";
import { operationAt, pagingOf } from "../../../product/read";
import { Model } from "../../../sandbox/core/model";
import { seededCredentials } from "../../../sandbox/index";
import { judge } from "../../productJudge";

const { keyId, keySecret, serviceId, organizationId } = seededCredentials;
const services = "/v1/organizations/{organizationId}/services";
const service = `${services}/{serviceId}`;

describe("The form of the sandbox's answers, compared with the product's documents", () => {
  const model = new Model({ dialect: "clickhouse" });

  function ask(method: string, path: string, body?: unknown): { status: number; text: string } {
    const url = path.replace("{organizationId}", organizationId).replace("{serviceId}", serviceId);
    const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`;
    const headers = { authorization, "content-type": "application/json" };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const { answer } = model.handle(
      "management",
      { method, url, headers, ...content } as never,
      1_760_000_000_000,
    );
    return { status: answer?.status ?? 0, text: String(answer?.body) };
  }

  for (const path of [
    `${service}/clickstack/alerts`,
    `${service}/clickstack/webhooks`,
    "/v1/organizations/{organizationId}/keys",
  ])
    it(`GET ${path} has pages of the documented kind and length`, () => {
      const { by, limit = 0, maximum = limit } = pagingOf("cloud", `GET ${path}`);
      const most = ask("GET", `${path}?limit=${maximum}`);
      const isByCursor = "nextCursor" in (JSON.parse(most.text) as object);
      expect([most.status, isByCursor]).to.deep.equal([200, by === "cursor"]);
      expect(ask("GET", `${path}?limit=${maximum + 1}`).status).to.equal(400);
    });

  const failureOf = (operation: string, { text }: { text: string }) =>
    judge.answerFailure("management", operation, (JSON.parse(text) as { result: unknown }).result);

  it("answers about a new saved query and about services are as documented", () => {
    const path = `${service}/saved-queries`;
    const created = ask("POST", path, { name: "a", sql: "1", database: "a" });
    expect([String(created.status)]).to.deep.equal(
      Object.keys(operationAt("cloud", `POST ${path}`).answers).slice(0, 1),
    );
    expect(failureOf("createSavedQuery", created)).to.equal(undefined);
    expect(failureOf("listServices", ask("GET", services))).to.equal(undefined);
  });
});
