import { expect } from "chai";
import { createSandbox, type Fault, type Sandbox } from "../../sandbox/index";
import { basic, dashboard } from "./requests";
import { ask, json, type Outcome } from "./wire";

export type Api = "management" | "observability";

/** A sandbox without dashboards, and requests to the dashboards of its first service. */
export interface FaultedDashboards {
  readonly sandbox: Sandbox;
  request(api: Api, method: string, id?: string, body?: object): Parameters<typeof ask>[0];
  /** Sets a fault of the creation of dashboards, and creates one. */
  createWith(api: Api, fault: Omit<Fault, "operation">): Promise<Outcome>;
  /** Those that there are. */
  dashboards(): { readonly id: string }[];
}

/** Sets up a sandbox for the suite that calls this, fresh for each test. */
export function useFaultedDashboards(): FaultedDashboards {
  let sandbox: Sandbox;

  before(async () => {
    sandbox = await createSandbox();
  });
  beforeEach(async () => {
    await sandbox.faults.clear();
    await sandbox.reset();
  });
  after(() => sandbox.close());

  const faulted: FaultedDashboards = {
    get sandbox() {
      return sandbox;
    },
    request(api, method, id = "", body) {
      const { organizationId, serviceId, keyId, keySecret, accessToken } = sandbox.credentials;
      const { baseUrl, obsBaseUrl } = sandbox;
      const path = `/v1/organizations/${organizationId}/services/${serviceId}/stack/dashboards`;
      return {
        method,
        url: (api === "management" ? baseUrl + path : `${obsBaseUrl}/api/v2/dashboards`) + id,
        headers: {
          authorization: api === "management" ? basic(keyId, keySecret) : `Bearer ${accessToken}`,
          ...(body && { "content-type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(body) }),
      };
    },
    async createWith(api, fault) {
      await sandbox.faults.set([{ ...fault, operation: "createDashboard" }]);
      return ask(faulted.request(api, "POST", "", dashboard));
    },
    dashboards: () => [...sandbox.store.dashboards.values()],
  };
  return faulted;
}

/** Expects an error in the envelope of the management API. */
export function expectRefusal(outcome: Outcome, status: number, error: RegExp): void {
  expect(json(outcome)).to.have.all.keys("status", "error", "requestId").and.include({ status });
  expect(json(outcome).error).to.match(error);
}

export function expectText(outcome: Outcome, expected: string): void {
  expect(outcome.headers["content-type"]).to.equal("text/plain; charset=utf-8");
  expect(outcome.body.toString()).to.equal(expected);
}

export function expectPage(outcome: Outcome, expected: string): void {
  expect(outcome.headers["content-type"]).to.equal("text/html; charset=utf-8");
  expect(outcome.body.toString()).to.include(expected);
}
