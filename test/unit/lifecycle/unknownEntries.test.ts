import { expect } from "chai";
import { resources, type TypeName } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { place, useService } from "./scriptedService";

describe("The preview of a takeover whose lists have entries that are not known yet", () => {
  const service = useService({ dialect: "clickhouse" });
  const { organizationId, serviceId } = place;
  const dialect = "clickhouse";

  const warningsOf = async (type: TypeName, program: PropertyMap) => {
    const { session, warnings } = service.open({ dialect });
    const checked = await resources[type].check({}, program, session);
    expect(checked.failures).to.deep.equal([]);
    return warnings.join("\n");
  };

  it("names what a query endpoint that keeps the keys of others loses", async () => {
    const key = service.addForeign({}, "ApiKey");
    const program = { ...place, roles: ["sql_console_read_only"], openApiKeys: [key] };
    await resources.QueryEndpoint.create(program, service.open({ dialect }).session);
    const changed = { roles: ["sql_console_admin"], openApiKeys: [unknown], keepOtherKeys: true };
    const warnings = await warningsOf("QueryEndpoint", { ...program, ...changed });
    expect(warnings).to.include("taking it over replaces roles (sql_console_read_only)");
    expect(warnings).not.to.include("cannot read");
  });

  it("names what an adopted service loses", async () => {
    const existing = service.model.store.services.get(serviceId);
    const program = { organizationId, adoptId: serviceId, name: "other", provider: existing?.provider };
    for (const further of [
      { ipAccessList: [{ source: unknown, description: "office" }] },
      { ipAccessList: [unknown] },
      { ipAccessList: [], tags: [{ key: unknown, value: "a" }] },
    ]) {
      const warnings = await warningsOf("Service", { ...program, region: existing?.region, ...further });
      expect(warnings).to.include("taking it over replaces name");
      expect(warnings).not.to.include("cannot read");
    }
  });
});
