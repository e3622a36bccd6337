import { expect } from "chai";
import cloud from "../../../product/cloud.json";
import { corrected } from "../../../product/correct";
import { corrections } from "../../../product/corrections";
import { pagingOf, requestOf, resolved, tableOf } from "../../../product/read";
import type { Table } from "../../../product/schema";
import server from "../../../product/server.json";

const raw = { cloud, server } as unknown as { readonly [name in "cloud" | "server"]: Table };

describe("The corrections of the product's documents", () => {
  for (const correction of corrections)
    for (const place of [correction.at].flat())
      it(`the correction of ${correction.table} at ${place} is still needed: ${correction.because}`, () => {
        const others = corrections.filter(
          (other) => other.table === correction.table && other !== correction,
        );
        const without = corrected(raw[correction.table], others);
        const withOne = corrected(raw[correction.table], [...others, { ...correction, at: place }]);
        expect(JSON.stringify(withOne)).not.to.equal(JSON.stringify(without));
      });

  it("every reference in the corrected tables of product facts names a schema that exists", () => {
    for (const name of ["cloud", "server"] as const) {
      const { operations, schemas } = tableOf(name);
      for (const { request, answers } of Object.values(operations))
        for (const schema of [...(request ? [request] : []), ...Object.values(answers)])
          resolved(schema, name);
      for (const schema of Object.values(schemas)) resolved(schema, name);
    }
  });

  it("a correction of the API document applies from its server version on", () => {
    const sources = (version?: string) =>
      JSON.stringify(requestOf("server", "POST /api/v2/alerts", { version })).includes("displayName");
    expect([sources("2.36"), sources("2.38"), sources("2.40.1"), sources()]).to.deep.equal([
      false,
      true,
      true,
      true,
    ]);
  });

  it("the corrected API documents state for each list how it is paged", () => {
    const service = "/v1/organizations/{organizationId}/services/{serviceId}";
    expect([
      pagingOf("cloud", "GET /v1/organizations/{organizationId}/keys"),
      pagingOf("cloud", `GET ${service}/clickstack/alerts`),
      pagingOf("cloud", "GET /v1/organizations/{organizationId}/services"),
    ]).to.deep.equal([
      { by: "cursor", limit: 250 },
      { by: "offset", limit: 1000, maximum: 1000 },
      { by: "nothing" },
    ]);
  });
});
