import { expect } from "chai";
import type { Data } from "../../../provider/lifecycle/data";
import { place } from "../api/server";
import { Declared } from "../drift/fixture";
import { alert, dashboard } from "./collectionServer";
import { useMemoryService, withoutWaiting } from "./memoryService";
import { sessionFor } from "./note";

describe("a list that leaves out what the object itself shows", () => {
  const service = useMemoryService();
  const program = { ...place, ...alert, message: "many" };
  let declared: Declared;

  beforeEach(async () => {
    const call = service.current.call.bind(service.current);
    service.current.call = (name, ...rest) => {
      const answer = call(name, ...rest);
      if (name !== "listAlerts") return answer;
      return (answer as Data[]).map(({ message, note, ...shown }) => shown);
    };
    declared = new Declared("Alert", program);
    await withoutWaiting(declared.up(sessionFor().session));
    service.current.lines.length = 0;
  });

  const refreshed = () => withoutWaiting(declared.refresh(sessionFor().session));
  const stored = () => service.current.objects.get(declared.id) as Record<string, unknown>;

  it("shows no drift: the object itself is asked for", async () => {
    expect(await refreshed()).to.deep.equal([]);
    expect(service.current.lines).to.deep.equal(["listAlerts", "getAlert"]);
  });

  it("leaves the drift that the object itself shows", async () => {
    Object.assign(stored(), { message: "by hand", threshold: 99 });
    expect(await refreshed()).to.deep.equal(["message", "threshold"]);
    delete stored().message;
    expect(await refreshed()).to.deep.equal(["message", "threshold"]);
  });

  it("costs an update nothing that the program does not declare", async () => {
    Object.assign(stored(), { note: "by hand" });
    const next = Object.assign(new Declared("Alert", { ...program, threshold: 9 }), {
      id: declared.id,
      state: declared.state,
      inputs: declared.inputs,
    });
    const { session, warnings } = sessionFor();
    await withoutWaiting(next.up(session));
    expect(stored()).to.deep.include({ threshold: 9, message: "many", note: "by hand" });
    expect(warnings).to.deep.equal([]);
  });

  it("costs an update no more where the program declares all that it shows", async () => {
    service.current.replace = (sent) => ({ note: "by default", ...sent });
    const own = new Declared("Alert", { ...place, ...alert });
    await withoutWaiting(own.up(sessionFor().session));
    const there = service.current.objects.get(own.id) as Record<string, unknown>;
    there.note = "by hand";
    Object.assign(own, { program: { ...own.program, threshold: 9 } });
    await withoutWaiting(own.up(sessionFor().session));
    expect(service.current.objects.get(own.id)).to.include({ threshold: 9, note: "by hand" });
  });

  it("is all there is where no operation shows the object itself", async () => {
    const { session } = sessionFor({ operations: "all" });
    session.allows = ((name: string) => name !== "getAlert") as typeof session.allows;
    expect(await withoutWaiting(declared.refresh(session))).to.deep.equal(["message"]);
  });
});

describe("a list that lags, and shows a tile under an id that it has no more", () => {
  const service = useMemoryService();

  it("costs the tile nothing: the dashboard itself is asked for", async () => {
    const declared = new Declared("Dashboard", { ...place, ...dashboard });
    await withoutWaiting(declared.up(sessionFor().session));
    const { tileIds } = declared.state;
    const call = service.current.call.bind(service.current);
    service.current.call = (name, ...rest) => {
      const answer = call(name, ...rest);
      if (name !== "listDashboards") return answer;
      return (answer as Data[]).map((board) => ({
        ...board,
        tiles: [{ ...dashboard.tiles[0], id: "former" }],
      }));
    };
    expect(await withoutWaiting(declared.refresh(sessionFor().session))).to.deep.equal([]);
    expect(declared.state.tileIds).to.deep.equal(tileIds);
    Object.assign(declared, { program: { ...declared.program, name: "Other" } });
    await withoutWaiting(declared.up(sessionFor().session));
    expect(declared.state.tileIds).to.deep.equal(tileIds);
  });
});

describe("a list of dashboards without their tiles, where no operation shows a dashboard itself", () => {
  const service = useMemoryService();
  const open = () => sessionFor({ operations: "documented" });

  it("says nothing of the tiles, which keep their ids", async () => {
    const call = service.current.call.bind(service.current);
    service.current.call = (name, ...rest) => {
      const answer = call(name, ...rest);
      return name === "listDashboards" ? (answer as Data[]).map(({ tiles, ...shown }) => shown) : answer;
    };
    const declared = new Declared("Dashboard", { ...place, ...dashboard });
    await withoutWaiting(declared.up(open().session));
    const { tileIds } = declared.state;
    expect(tileIds).to.have.property("Errors");
    expect(await withoutWaiting(declared.refresh(open().session))).to.deep.equal([]);
    expect(declared.state).to.deep.include({ tileIds, tiles: dashboard.tiles });

    Object.assign(declared, { program: { ...declared.program, name: "Other" } });
    const { session, warnings } = open();
    await withoutWaiting(declared.up(session));
    expect(warnings).to.deep.equal([]);
    expect(declared.state.tileIds).to.deep.equal(tileIds);
  });
});
