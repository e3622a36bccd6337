import { type Call, madeOnce, type Route, type RouteContext } from "../routes";
import { partsOf } from "./dashboardParts";
import type { Dashboard } from "./dashboardRecords";
import { neutralDashboards, type Place } from "./dashboardRules";
import { listedRoutes, usualOperations } from "./listed";
import { outcomeOf, productDashboards } from "./productDashboards";
import type { Resource } from "./resource";

/** The dashboards of a service in the sandbox. The server, not the client, assigns the ids of tiles. */
export const dashboards = {
  place: "stack",
  operations: [...usualOperations("Dashboard", "Dashboards"), "validateDashboard"],
  path: () => "dashboards",

  seed: (): Dashboard[] => [],

  routes(context: RouteContext): Route[] {
    const { store, answers, vocabulary, ids } = context;
    const isProduct = vocabulary.dialect === "clickhouse";
    const { has, rules } = rulesIn(context);
    const placeOf = ({ service, now }: Call): Place => {
      const dashboardIds = new Set(store.ofService(dashboards, service.id).map(({ id }) => id));
      return { records: store, serviceId: service.id, dashboardIds, newId: () => ids.object(now) };
    };
    const validation: Route = {
      operation: "validateDashboard",
      method: "POST",
      path: "/validate",
      judgesBody: true,
      isBare: true,
      run(call: Call) {
        const { bodyError } = call;
        // ClickHouse Cloud's gateway refuses unknown properties of a dashboard; the operation that validates dashboards reports
        // all other violations as its result.
        if (bodyError?.failures.some(({ params }) => "additionalProperty" in params)) throw bodyError.refusal;
        return outcomeOf(call.body, bodyError?.failures, placeOf(call), has);
      },
    };
    const routes = listedRoutes<Dashboard>(context, {
      collection: dashboards,
      noun: "Dashboard",
      bodies: rules.bodies,
      missing: "text",
      // HyperDX's server also reports success for the deletion of a missing dashboard.
      ignoresMissing: isProduct,
      membersOf: (call: Call, current) => ({
        ...current,
        ...rules.changeOf(call.body, placeOf(call), current),
      }),
      show: (dashboard) => answers.show("dashboard", rules.show(dashboard)),
    });
    return isProduct ? [...routes, validation] : routes;
  },
} as const satisfies Resource;

const rulesIn = madeOnce(({ name, vocabulary }) => {
  const has = partsOf(name, vocabulary);
  return {
    has,
    rules: vocabulary.dialect === "clickhouse" ? productDashboards(has) : neutralDashboards,
  };
});
