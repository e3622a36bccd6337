import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import { failureOf } from "../api/failure";
import { key, place, useService } from "./service";

describe("Adoption", () => {
  const service = useService();

  it("an adopted object must exist", async () => {
    const adoptId = service.model.ids.object(0);
    const { message } = await failureOf(service.create(service.open().session, "Alert", { adoptId }));
    expect(message).to.equal(`adoptId: service ${place.serviceId} has no alert ${adoptId}`);
    expect(service.requests).to.deep.equal(["listAlerts", "getAlert"]);
  });

  it("an adoption keeps the ids of tiles when the list shows none", async () => {
    const adoptId = service.addForeign({}, "Dashboard");
    service.rewrite(/^listDashboards$/, /"tiles":\[.*\],/, "");
    const { state } = await service.create(service.open().session, "Dashboard", { adoptId, name: "Other" });
    const [tile] = service.model.store.dashboards.get(adoptId)?.tiles ?? [];
    expect(state.tileIds).to.deep.equal({ Errors: tile?.id });
    expect(service.model.journal.entries.at(-1)?.requestBody).to.have.deep.nested.property(
      "tiles[0].id",
      tile?.id,
    );
  });

  it("warns that an adopted key has no secret", async () => {
    const adoptId = service.addForeign({}, "ApiKey");
    const { session, warnings } = service.open();
    await service.create(session, "ApiKey", { adoptId });
    expect(warnings).to.deep.equal([
      `API key ${adoptId} is adopted without its secret, which the service shows only at creation`,
    ]);
  });
});

describe("The secret of a key that was shown at creation", () => {
  const service = useService();

  it("the secret of a key stays, even if a list or the answer to an update shows another value", async () => {
    const { id, state } = await service.create(service.open().session, "ApiKey");
    service.rewrite(/Key/, /"id":/g, '"keyId":"other","keySecret":"****","id":');
    const { session } = service.open();
    const { keyId, keySecret } = state;
    const found = await resources.ApiKey.read(id, state, session);
    expect(found).to.have.property("state").that.includes({ keyId, keySecret });
    const { organizationId } = place;
    const updated = await resources.ApiKey.update(
      id,
      state,
      { organizationId, ...key, name: "Other" },
      session,
    );
    expect(updated).to.include({ keyId, keySecret, name: "Other" });
  });
});
