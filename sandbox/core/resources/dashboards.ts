import { badRequest, notFound } from "../apiError";
import { isObjectId, newObjectId } from "../identifiers";
import { idParameters, type RouteContext } from "../routeContext";
import type { Dashboard } from "./dashboardRecords";
import { neutralDashboards, type Place } from "./dashboardRules";
import { outcomeOf, productDashboards } from "./productDashboards";
import { type Resource, serves } from "./resource";

/** The dashboards of a service: list, create, get, replace and delete. The server assigns tile ids. */
export const dashboards = {
  place: "stack",
  operations: [
    "listDashboards",
    "createDashboard",
    "getDashboard",
    "updateDashboard",
    "deleteDashboard",
    "validateDashboard",
  ],
  path: () => "dashboards",

  seed: (): Dashboard[] => [],
  onConsole: (dashboard: Dashboard) => dashboard,

  routes({ api, store, answers, vocabulary, name, envelope }: RouteContext, path: string): void {
    const rules = vocabulary.dialect === "clickhouse" ? productDashboards(name) : neutralDashboards;
    const show = (dashboard: Dashboard) => answers.show("dashboard", rules.show(dashboard));
    const placeOf = (serviceId: string): Place => {
      const dashboardIds = new Set(store.ofService(dashboards, serviceId).map(({ id }) => id));
      return { records: store, serviceId, dashboardIds };
    };
    const one = { schema: { params: idParameters } };
    const find = (id: string, serviceId: string): Dashboard | undefined => {
      if (!isObjectId(id)) throw badRequest("Invalid dashboard id");
      const dashboard = store.of(dashboards).get(id);
      return dashboard?.serviceId === serviceId ? dashboard : undefined;
    };
    const existing = (id: string, serviceId: string): Dashboard => {
      const dashboard = find(id, serviceId);
      if (!dashboard) throw notFound("Not Found", "text");
      return dashboard;
    };

    api.get(path, serves("listDashboards"), async (request) =>
      envelope(request, store.ofService(dashboards, request.service.id).map(show)),
    );

    api.post(
      path,
      { ...serves("createDashboard"), schema: { body: rules.bodies.create } },
      async (request) => {
        const serviceId = request.service.id;
        const dashboard = {
          id: newObjectId(),
          serviceId,
          ...rules.changeOf(request.body, placeOf(serviceId)),
        };
        store.of(dashboards).set(dashboard.id, dashboard);
        return envelope(request, show(dashboard));
      },
    );

    if (vocabulary.dialect === "clickhouse") {
      const options = { ...serves("validateDashboard"), attachValidation: true };
      api.post(`${path}/validate`, { ...options, schema: { body: rules.bodies.create } }, async (request) => {
        const { validationError: error } = request;
        // The gateway refuses what it does not know; everything else is an outcome.
        if (isUnknownMember(error)) throw error;
        const outcome = outcomeOf(request.body, error, placeOf(request.service.id));
        return name === "management" ? envelope(request, outcome) : outcome;
      });
    }

    api.get(`${path}/:id`, { ...one, ...serves("getDashboard") }, async (request) =>
      envelope(request, show(existing(request.params.id, request.service.id))),
    );

    api.put(
      `${path}/:id`,
      { ...serves("updateDashboard"), schema: { ...one.schema, body: rules.bodies.update } },
      async (request) => {
        const dashboard = existing(request.params.id, request.service.id);
        Object.assign(dashboard, rules.changeOf(request.body, placeOf(request.service.id), dashboard));
        store.changed(dashboards, dashboard.id);
        return envelope(request, show(dashboard));
      },
    );

    api.delete(`${path}/:id`, { ...one, ...serves("deleteDashboard") }, async (request) => {
      const dashboard = find(request.params.id, request.service.id);
      // The product does not say that there was nothing to delete.
      if (!dashboard && vocabulary.dialect === "neutral") throw notFound("Not Found", "text");
      store.of(dashboards).delete(dashboard?.id ?? "");
      store.changed(dashboards, request.params.id);
      return envelope(request);
    });
  },
} as const satisfies Resource;

/** Whether a body has a member that its schema does not know. */
function isUnknownMember(error: { validation?: { params: object }[] } | undefined): boolean {
  return error?.validation?.some(({ params }) => "additionalProperty" in params) ?? false;
}
