import { expect } from "chai";
import fc from "fast-check";
import type { Data } from "../../../provider/values/data";
import { place } from "../api/server";
import { Declared } from "../drift/fixture";
import { alert, dashboard, tile } from "./collectionServer";
import { type Course, MemoryService, useMemoryService, withoutWaiting } from "./memoryService";
import { sessionFor } from "./note";

const step = (acting: Promise<unknown>) => withoutWaiting(acting);

/** The object of a program in a later state of the program. */
function changedTo(declared: Declared, program: Data): Declared {
  const { id, state, inputs } = declared;
  return Object.assign(new Declared(declared.type, { ...place, ...program }), { id, state, inputs });
}

async function created(type: "Alert" | "Dashboard", program: Data): Promise<Declared> {
  const declared = new Declared(type, { ...place, ...program });
  await step(declared.up(sessionFor().session));
  return declared;
}

const refreshed = (declared: Declared) => withoutWaiting(declared.refresh(sessionFor().session));

describe("an update that is answered as if it had not been made", () => {
  const service = useMemoryService();
  it("is looked at again, and shows nowhere once the service shows the new value", async () => {
    const first = await created("Alert", alert);
    const next = changedTo(first, { ...alert, threshold: 9 });
    service.current.courses = ["answersLate"];
    service.current.lateAnswers = 3;
    const { session, warnings } = sessionFor();
    await step(next.up(session));
    expect(warnings).to.deep.equal([]);
    expect(await refreshed(next)).to.deep.equal([]);
  });

  it("is said by path if it stays so, and is drift", async () => {
    const first = await created("Alert", alert);
    const next = changedTo(first, { ...alert, threshold: 9 });
    service.current.courses = ["ignores"];
    const { session, warnings } = sessionFor();
    await step(next.up(session));
    expect(warnings).to.deep.equal([
      `alert ${next.id}: the service still answers 5 for threshold; the next refresh tells whether it took the new value`,
    ]);
    expect(await refreshed(next)).to.deep.equal(["threshold"]);
  });

  it("is what the service makes of the value if the next update of the same value is answered so, too", async () => {
    const first = await created("Alert", alert);
    const program = { ...alert, threshold: 9 };
    const next = changedTo(first, program);
    service.current.replace = (sent) => ({ ...sent, threshold: 5 });
    await step(next.up(sessionFor().session));
    expect(await refreshed(next)).to.deep.equal(["threshold"]);
    const again = changedTo(next, program);
    const { session, warnings } = sessionFor();
    await step(again.up(session));
    expect(warnings).to.deep.equal([]);
    expect(await refreshed(again)).to.deep.equal([]);
    // Another value is judged anew.
    const other = changedTo(again, { ...alert, threshold: 7 });
    await step(other.up(sessionFor().session));
    expect(await refreshed(other)).to.deep.equal(["threshold"]);
  });

  it("is said without the old text, which may be one that the program keeps secret", async () => {
    const first = await created("Alert", { ...alert, message: "secret" });
    const next = changedTo(first, { ...alert, message: "new" });
    service.current.courses = ["ignores"];
    const { session, warnings } = sessionFor();
    await step(next.up(session));
    expect(warnings).to.deep.equal([
      `alert ${next.id}: the service still answers the old value for message; the next refresh tells whether it took the new value`,
    ]);
  });

  it("costs all who wait for it the same lists", async () => {
    const programs = Array.from({ length: 30 }, (_, index) => ({ ...alert, name: `Slow ${index}` }));
    const firsts = await Promise.all(programs.map((program) => created("Alert", program)));
    service.current.courses = programs.map(() => "ignores");
    service.current.lines.length = 0;
    const { session } = sessionFor();
    await step(
      Promise.all(
        firsts.map((first, index) => changedTo(first, { ...programs[index], threshold: 9 }).up(session)),
      ),
    );
    const lists = service.current.lines.filter((line) => line === "listAlerts").length;
    // One before, and one after each wait.
    expect(lists).to.equal(4);
    expect(service.current.lines).to.have.length(30 + lists);
  });

  it("is told from what the service makes of an unchanged value", async () => {
    service.current.replace = (sent) => ({ ...sent, name: `${sent.name} ` });
    const first = await created("Alert", alert);
    const next = changedTo(first, { ...alert, threshold: 9 });
    const { session, warnings } = sessionFor();
    await step(next.up(session));
    expect(warnings).to.deep.equal([]);
    expect(await refreshed(next)).to.deep.equal([]);
  });

  it("is told from a new tile that the service makes the same of as of the one that was in its place", async () => {
    service.current.replace = (sent) => ({
      ...sent,
      tiles: (sent.tiles as Data[]).map(({ series, ...each }) => ({ config: { select: series }, ...each })),
    });
    const first = await created("Dashboard", dashboard);
    const next = changedTo(first, { ...dashboard, tiles: [{ ...tile, name: "New", y: 4 }, tile] });
    const { session, warnings } = sessionFor();
    await step(next.up(session));
    expect(warnings).to.deep.equal([]);
    expect(await refreshed(next)).to.deep.equal([]);
  });

  it("is found in the same tile at another position", async () => {
    const rows = { ...tile, name: "Rows", x: 6 };
    const first = await created("Dashboard", { ...dashboard, tiles: [tile, rows] });
    const ignoring = (sent: Data, stored: Data) => ({
      ...sent,
      tiles: (sent.tiles as Data[]).map((each) => ({
        ...each,
        w: (stored.tiles as Data[]).find(({ id }) => id === each.id)?.w ?? each.w,
      })),
    });
    service.current.replace = ignoring;
    const added = { ...tile, name: "New", y: 4 };
    const next = changedTo(first, { ...dashboard, tiles: [added, rows, { ...tile, w: 3 }] });
    await step(next.up(sessionFor().session));
    expect(await refreshed(next)).to.deep.equal(["tiles[2].w"]);
  });
});

describe("a change of scaling that the service does not carry out", () => {
  const service = useMemoryService();
  const scaled = { id: place.serviceId, numReplicas: 2, idleScaling: true };
  const program = { numReplicas: 3, onDestroy: "restore" };

  /** A scaling of a service that ignores what it is sent, from some request on. */
  async function ignored(isIgnored: (requests: number) => boolean) {
    const current: Data = { ...scaled };
    let requests = 0;
    service.current.call = (name, _parameters, body) => {
      if (body && !isIgnored(++requests)) Object.assign(current, body);
      return name === "listServices" ? [{ ...current }] : { ...current };
    };
    const declared = new Declared("ServiceScaling", { ...place, ...program });
    const { session, warnings } = sessionFor();
    await step(declared.up(session));
    return { declared, current, warnings };
  }

  it("is said by path after the wait, is drift, and is repaired by the next update", async () => {
    const { declared, current, warnings } = await ignored((requests) => requests === 1);
    expect(warnings).to.deep.equal([
      `scaling of service ${place.serviceId}: the service still answers 2 for numReplicas; the next refresh tells whether it took the new value`,
    ]);
    expect(await refreshed(declared)).to.deep.equal(["numReplicas"]);
    await step(declared.up(sessionFor().session));
    expect(current).to.include({ numReplicas: 3 });
    expect(await refreshed(declared)).to.deep.equal([]);
  });

  it("is an error where it is to put back what was there before, so that the state keeps it", async () => {
    const { declared, current } = await ignored((requests) => requests === 2);
    const deleting = step(declared.delete(sessionFor().session));
    expect(await deleting.catch(({ message }: Error) => message)).to.include(
      'the service does not show its previous values, {"numReplicas":2}; destroying it again sends them again',
    );
    await step(declared.delete(sessionFor().session));
    expect(current).to.include({ numReplicas: 2 });
  });
});

describe("what a service drops", () => {
  const service = useMemoryService();
  const config = { displayType: "line", sourceId: "s", select: [{ aggFn: "count" }] };
  const typo = { name: "Lines", x: 0, y: 0, w: 6, h: 4, config: { ...config, groupby: "host" } };
  const dropping = (sent: Data) => ({
    ...sent,
    tiles: (sent.tiles as Data[]).map((each) => ({ ...each, id: "t1", config })),
  });

  it("of a tile is said once, at the write, by its name", async () => {
    service.current.replace = dropping;
    const declared = new Declared("Dashboard", { ...place, ...dashboard, tiles: [typo] });
    const { session, warnings } = sessionFor();
    await step(declared.up(session));
    expect(warnings).to.deep.equal([
      `dashboard ${declared.id}: the service dropped tiles["Lines"].config.groupby; what it shows does not have it`,
    ]);
    expect(await refreshed(declared)).to.deep.equal([]);
    const later = sessionFor();
    await step(changedTo(declared, { ...dashboard, name: "Other", tiles: [typo] }).up(later.session));
    expect(later.warnings).to.deep.equal([]);
  });

  it("is not said of what only the answer leaves out", async () => {
    const declared = new Declared("Alert", { ...place, ...alert, message: "many" });
    const call = service.current.call.bind(service.current);
    service.current.call = (name, ...rest) => {
      const answer = call(name, ...rest) as Data;
      return name === "createAlert" ? { ...answer, message: undefined } : answer;
    };
    const { session, warnings } = sessionFor();
    await step(declared.up(session));
    expect(warnings).to.deep.equal([]);
    expect(declared.state.__tracking).to.have.all.keys("createdAt");
  });
});

describe("a service that carries out, ignores, delays and rewrites writes, beside another client", () => {
  const service = useMemoryService();
  /** What the service makes of some values; never the same of two. */
  const rewriting: { readonly [member: string]: (value: never) => unknown } = {
    name: (value: string) => `${value} `,
    message: (value: string) => (value === undefined ? value : `${value}.`),
    threshold: (value: number) => value + 0.5,
    interval: (value: string) => `${value}in`,
  };
  const members = fc.record(
    {
      name: fc.constantFrom("a", "b"),
      message: fc.constantFrom("x", "y"),
      threshold: fc.constantFrom(1, 2, 3),
      interval: fc.constantFrom("1m", "5m"),
    },
    { requiredKeys: ["threshold", "interval"] },
  );
  type Member = "name" | "message" | "threshold" | "interval";
  const steps = fc.oneof(
    fc.record({
      kind: fc.constant("up" as const),
      program: members,
      course: fc.constantFrom<Course[]>("carriesOut", "ignores", "answersLate"),
      lateAnswers: fc.constantFrom(1, 2, 9),
    }),
    fc.record({ kind: fc.constant("byHand" as const), values: members, rewritten: fc.boolean() }),
    fc.record({ kind: fc.constant("back" as const) }),
    fc.record({ kind: fc.constant("refresh" as const) }),
  );

  it("is clean only if it has what is declared, or what it made of that", async () => {
    let clean = 0;
    await fc.assert(
      fc.asyncProperty(
        members,
        fc.array(steps, { minLength: 1, maxLength: 5 }),
        fc.subarray<Member>(["name", "message", "threshold", "interval"]),
        async (program, sequence, rewritten) => {
          const memory = new MemoryService();
          service.current = memory;
          const made = (sent: Data) =>
            Object.fromEntries(
              Object.entries(sent).map(([name, value]) => [
                name,
                rewritten.includes(name as Member) ? rewriting[name]?.(value as never) : value,
              ]),
            );
          memory.replace = made;
          const kept = { ...alert, name: undefined };
          let declared = await created("Alert", { ...kept, ...program });
          const stored = () => memory.objects.get(declared.id) as Record<string, unknown>;
          let earlier = { ...stored() };
          let isFaithful = true;
          /** Members that the last update left as they had been: what it sent, and what the service has. */
          let doubted: readonly string[] = [];
          /** Those that the next update of the same value answers so, too: nobody can tell them from a rewriting. */
          const confirmed = new Set<string>();
          for (const each of sequence) {
            if (each.kind === "up") {
              declared = changedTo(declared, { ...kept, ...each.program });
              memory.courses = [each.course];
              memory.lateAnswers = each.lateAnswers;
              earlier = { ...stored() };
              isFaithful &&=
                each.course === "carriesOut" || (each.course === "answersLate" && each.lateAnswers < 9);
              await step(declared.up(sessionFor().session));
              memory.settle();
              const isOpen = each.course === "ignores" || each.lateAnswers === 9;
              const answeredOld = Object.entries(declared.program)
                .filter(
                  ([name, value]) => each.course !== "carriesOut" && name in rewriting && value !== undefined,
                )
                .map(([name, value]) => JSON.stringify([name, value, earlier[name]]));
              for (const key of answeredOld) if (doubted.includes(key)) confirmed.add(key);
              doubted = isOpen ? answeredOld : [];
            } else if (each.kind === "byHand") {
              Object.assign(stored(), each.rewritten ? made(each.values) : each.values);
              isFaithful = false;
            } else if (each.kind === "back") {
              Object.assign(stored(), earlier);
              isFaithful = false;
            } else await refreshed(declared);
          }
          const drifted = await refreshed(declared);
          const differing = Object.entries(declared.program)
            .filter(([name, value]) => name in rewriting && value !== undefined)
            .filter(
              ([name, value]) => stored()[name] !== value && stored()[name] !== made({ [name]: value })[name],
            )
            .filter(([name, value]) => !confirmed.has(JSON.stringify([name, value, stored()[name]])))
            .map(([name]) => name);
          if (drifted.length === 0) clean++;
          expect(drifted).to.include.members(differing);
          if (isFaithful) expect(drifted).to.deep.equal([]);
        },
      ),
      { numRuns: 2000 },
    );
    expect(clean).to.be.greaterThan(200);
  }).timeout(120_000);
});
