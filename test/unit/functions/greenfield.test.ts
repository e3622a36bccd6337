import { expect } from "chai";
import { callFunction } from "../../../provider/functions/definition";
import { functions } from "../../../provider/functions/registry";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { openClickStack } from "../../../sandbox/core/resources/clickStack";
import { failureOf } from "../api/failure";
import { lake, organizationId, useServices } from "../resources/serviceSteps";

describe("A program that makes a service and its dashboards", () => {
  const service = useServices();
  const { model } = service;

  it("a function names the step that a new service lacks, and the next update makes its dashboard", async () => {
    const { id: serviceId } = await resources.Service.create(lake, service.open().session);
    const place = { organizationId, serviceId };
    const source = () =>
      callFunction(
        functions.getSource,
        { ...place, name: "Logs" },
        service.open().session,
      ) as Promise<PropertyMap>;
    expect((await failureOf(source())).message).to.match(
      /^the service has no sources at all: a new service .* when ClickStack is opened in its console.* run the update again/,
    );
    openClickStack(model.store, serviceId, model.ids, Date.now());
    const { id: sourceId } = await source();
    const config = { displayType: "number", sourceId, select: [{ aggFn: "count", where: "" }] };
    const tiles = [{ name: "Errors", x: 0, y: 0, w: 6, h: 4, config }];
    const { session, warnings } = service.open();
    const { state } = await resources.Dashboard.create({ ...place, name: "Board", tiles }, session);
    expect(state.tileIds).to.have.property("Errors");
    expect(warnings).to.deep.equal([]);
  });
});
