import { expect } from "chai";
import type { Data } from "../../../provider/values/data";
import { place } from "../api/server";
import { Declared } from "../drift/fixture";
import { alert, dashboard } from "./collectionServer";
import { useMemoryService, withoutWaiting } from "./memoryService";
import { sessionFor } from "./note";

describe("a list that leaves out what the object itself shows", () => {
  const service = useMemoryService();
  const program = { ...place, ...alert, message: "many" };
  let declared: Declared;
  /** What the list shows in place of the message. */
  let instead: Data;

  beforeEach(async () => {
    const call = service.current.call.bind(service.current);
    service.current.call = (name, ...rest) => {
      const answer = call(name, ...rest);
      if (name !== "listAlerts") return answer;
      return (answer as Data[]).map(({ message, note, ...shown }) => ({ ...shown, ...instead }));
    };
    instead = {};
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

  it("is believed where it shows another value", async () => {
    instead = { message: "by hand" };
    expect(await refreshed()).to.deep.equal(["message"]);
    expect(service.current.lines).to.deep.equal(["listAlerts"]);
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
});

describe("a list that lags, and shows a tile under an id that it has no more", () => {
  const service = useMemoryService();

  it("costs the tile nothing: the dashboard itself is asked for", async () => {
    const [first, second] = [dashboard.tiles[0], { ...dashboard.tiles[0], name: "Events", x: 6 }];
    const declared = new Declared("Dashboard", { ...place, ...dashboard, tiles: [first, second] });
    await withoutWaiting(declared.up(sessionFor().session));
    const { tileIds } = declared.state;
    const call = service.current.call.bind(service.current);
    service.current.call = (name, ...rest) => {
      const answer = call(name, ...rest);
      if (name !== "listDashboards") return answer;
      return (answer as Data[]).map((board) => ({
        ...board,
        tiles: [{ ...first, id: "former" }, (board.tiles as Data[])[1]],
      }));
    };
    expect(await withoutWaiting(declared.refresh(sessionFor().session))).to.deep.equal([]);
    expect(declared.state.tileIds).to.deep.equal(tileIds);
    Object.assign(declared, { program: { ...declared.program, name: "Other" } });
    await withoutWaiting(declared.up(sessionFor().session));
    expect(declared.state.tileIds).to.deep.equal(tileIds);
  });
});
