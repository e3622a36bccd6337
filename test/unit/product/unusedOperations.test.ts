import { expect } from "chai";
import { tableOf } from "../../../product/read";
import { dialects, pathIn } from "../../../provider/api/dialect";
import {
  type OperationName,
  observabilityRoutes,
  operationOn,
  operations,
} from "../../../provider/api/operations";

/**
 * Why no resource, function or command calls an operation of ClickHouse Cloud's document that is not deprecated. Paths are below
 * `/v1/organizations/{organizationId}`.
 */
const reasons: { readonly [reason: string]: readonly string[] } = {
  "an older version of a function is what an attachment goes back to, and goes with its function": [
    "DELETE /udfs/{}/versions/{}",
  ],
  "infrastructure in an account of one's own takes an account and an hour to try": [
    ...["POST /byocInfrastructure", "POST /byocInfrastructure/validate", "GET /byocInfrastructure/{}"],
    ...["PATCH /byocInfrastructure/{}", "DELETE /byocInfrastructure/{}", "GET /byocInfrastructure/{}/tags"],
    ...["GET /byocInfrastructure/{}/privateEndpointConfig", "GET /byocInfrastructure/{}/progress"],
  ],
  "money is nothing that a program declares": ["GET /creditBalances", "GET /usageCost"],
  "metrics and logs are read by what watches a service, and not by what declares it": [
    ...["GET /prometheus/discovery", "GET /services/{}/prometheus"],
    ...["GET /postgres/prometheus", "GET /postgres/{}/prometheus", "GET /postgres/{}/logs"],
    ...[
      "GET /postgres/{}/metrics",
      "GET /postgres/{}/slowQueryPatterns",
      "GET /postgres/{}/slowQueryPatterns/{}",
    ],
  ],
  "notifications can be read and not set": ["GET /notifications", "GET /notificationTypes"],
  "a list has the same": [
    ...["GET /activities/{}", "GET /invitations/{}", "GET /quotas/{}", "GET /services/{}/backups/{}"],
    ...["GET /services/{}/clickhouseSettings/{}", "GET /services/{}/snapshots/{}"],
  ],
  "it sends a message to people, which no update may do by itself": [
    "POST /services/{}/clickstack/webhooks/validate",
  ],
};

const anonymous = (request: string) => request.replace(/\{\w+\}/g, "{}").replace("/v1/organizations/{}", "");

describe("The operations of ClickHouse Cloud that nothing calls", () => {
  it("each operation of the document is called, or a reason says why none does", () => {
    const called = (Object.keys(operations) as OperationName[]).flatMap((name) =>
      observabilityRoutes.map((via) => {
        const { method, path } = operationOn(via, name);
        return anonymous(`${method} ${pathIn(dialects.clickhouse, path)}`);
      }),
    );
    const documented = Object.entries(tableOf("cloud").operations)
      .filter(([, operation]) => !("deprecated" in operation))
      .map(([request]) => anonymous(request));
    const uncalled = documented.filter((request) => !called.includes(request));
    expect(uncalled).to.have.members(Object.values(reasons).flat());
  });
});
