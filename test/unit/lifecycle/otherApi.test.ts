import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import { failureOf } from "../api/failure";
import { useService } from "./scriptedService";

const { Dashboard: resource, SourceLinks: links } = resources;

describe("An object of a server without services, once settings lead to the management API", () => {
  const service = useService({ dialect: "clickhouse" });
  const open = (observabilityVia: "observability" | "management") =>
    service.open({ dialect: "clickhouse", observabilityVia, maxRetries: 0 }).session;
  /** Makes a dashboard on a server of which ClickHouse Cloud knows nothing. */
  const elsewhere = async () => {
    const { id, state } = await resource.create({ name: "Board", tiles: [] }, open("observability"));
    service.model.store.dashboards.delete(id);
    service.time.pass(600_000);
    return { id, state };
  };
  const remedy = (id: string) =>
    `dashboard ${id} was made on a server without services, and the management API does not show it; if it is still there, set observabilityVia to observability, else run "pulumi state delete"`;

  it("a refresh does not take it for deleted", async () => {
    const { id, state } = await elsewhere();
    expect((await failureOf(resource.read(id, state, open("management")))).message).to.equal(remedy(id));
    expect(await resource.read(id, state, open("observability"))).to.equal("gone");
  });

  it("a destroy does not take it for deleted", async () => {
    const { id, state } = await elsewhere();
    expect((await failureOf(resource.delete(id, state, open("management")))).message).to.equal(remedy(id));
    await resource.delete(id, state, open("observability"));
  });

  it("a destroy of the links of a data source does not take the source for deleted", async () => {
    const { sources } = service.model.store;
    const [trace, log] = ["trace", "log"].map((kind) =>
      [...sources.values()].find((each) => each.kind === kind),
    );
    const sourceId = String(trace?.id);
    const { id, state } = await links.create({ sourceId, logSourceId: log?.id }, open("observability"));
    service.time.pass(600_000);
    sources.delete(sourceId);
    const { message } = await failureOf(links.delete(id, state, open("management")));
    expect(message).to.include(`${id} was made on a server without services`);
    await links.delete(id, state, open("observability"));
  });

  it("an update says where the object may be", async () => {
    const { id, state } = await elsewhere();
    const renamed = { ...state, name: "Renamed" };
    expect((await failureOf(resource.update(id, state, renamed, open("management")))).message).to.equal(
      remedy(id),
    );
  });
});
