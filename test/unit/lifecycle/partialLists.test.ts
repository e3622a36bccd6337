import { expect } from "chai";
import type { Data } from "../../../provider/lifecycle/data";
import { place } from "../api/server";
import { Declared } from "../drift/fixture";
import { alert } from "./collectionServer";
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

  it("is all there is where no operation shows the object itself", async () => {
    const { session } = sessionFor({ operations: "all" });
    session.allows = ((name: string) => name !== "getAlert") as typeof session.allows;
    expect(await withoutWaiting(declared.refresh(session))).to.deep.equal(["message"]);
  });
});
