import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import { seededCredentials } from "../../../sandbox/index";
import { useService } from "../lifecycle/scriptedService";
import { itKeeps } from "./rules";

const { organizationId, serviceId } = seededCredentials;
const place = { organizationId, serviceId };

describe("The replica-aware routing of a service", () => {
  const service = useService({ dialect: "clickhouse" });

  it("a refresh takes no protocol of others for the one that is gone", async () => {
    const { session } = service.open({ dialect: "clickhouse" });
    const { id, state } = await resources.ReplicaAwareRouting.create(
      { ...place, nativeEnabled: true },
      session,
    );
    service.rewrite(/^getReplicaAwareRouting$/, /,?"nativeEnabled":true/, "");
    const later = service.open({ dialect: "clickhouse" }).session;
    const live = await resources.ReplicaAwareRouting.read(id, state, later);
    expect(live).to.have.property("inputs").that.does.not.have.property("httpEnabled");
  });

  itKeeps({ type: "ReplicaAwareRouting", valid: place }, [
    [{}, "declare httpEnabled, nativeEnabled or both"],
    [{ nativeEnabled: false }, []],
  ]);
});
