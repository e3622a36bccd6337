import { expect } from "chai";
import { MalformedResponse } from "../../../provider/api/errors";
import { trackingOf } from "../../../provider/lifecycle/state";
import { resources, type TypeName } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { failureOfType } from "../api/failure";
import { enveloped, place, refused, serviceId, useServer } from "../api/server";
import { hostWith, withoutEnvironment } from "../hosts/dynamic/hostProcess";
import { alert } from "./collectionServer";
import { sessionFor } from "./note";

const tile = { name: "Errors", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number" }] };
const dashboard = { name: "Board", tiles: [tile] };
const unreadable = refused(403, "FORBIDDEN: not for this key");

describe("an object that was created and cannot be read then", () => {
  const server = useServer();
  const session = () => sessionFor({ maxRetries: 0 }, server.current.url).session;
  const create = (type: TypeName, inputs: Data) => resources[type].create({ ...place, ...inputs }, session());

  for (const [type, inputs] of [
    ["Alert", alert],
    ["Dashboard", dashboard],
  ] as const) {
    it(`is kept in the state: ${type}`, async () => {
      // The list before, a mere receipt, and every look at the object.
      server.current.answer(enveloped([]), enveloped({ id: "new1" }), unreadable, unreadable);
      const { id, state, failure } = await create(type, inputs);
      expect(id).to.equal("new1");
      expect(state).to.deep.include(inputs);
      expect(failure?.message).to.match(/^new1 was created, but could not be read back: .* 403/);
      expect(server.current.lines.filter((line) => line.startsWith("POST"))).to.have.length(1);
    });
  }

  for (const [type, inputs, looks] of [
    ["Alert", alert, [enveloped([]), refused(404, "NOT_FOUND: alert not found")]],
    ["Dashboard", dashboard, [enveloped([]), refused(404, "NOT_FOUND: dashboard not found")]],
  ] as const) {
    it(`is an error that names it where the service does not know it then: ${type}`, async () => {
      server.current.answer(enveloped([]), enveloped({ id: "new1" }), ...looks);
      const { failure } = await create(type, inputs);
      expect(failure?.message).to.match(/^new1 was created, but could not be read back: /);
      expect(failure?.message).to.match(/has no (alert|dashboard) new1/);
    });
  }

  it("is handed to the engine with its id and plain properties, in an error without a stack trace", async () => {
    const restore = withoutEnvironment();
    try {
      server.current.answer(enveloped([]), enveloped({ id: "new1" }), unreadable, unreadable);
      const { url } = server.current;
      const host = hostWith({
        ...place,
        baseUrl: url,
        keyId: "keyId",
        keySecret: "s3cret",
        maxRetries: "0",
      });
      const inputs = { ...place, ...dashboard, __provider: "code" };
      const error = await host.Dashboard.create(inputs).then(
        () => undefined,
        (failure: Error & Data) => failure,
      );
      expect(error).to.include({ id: "new1", stack: error?.message });
      expect(error?.properties).to.deep.include({ ...dashboard, __provider: "code" });
      expect(error?.reasons).to.deep.equal([error?.message]);
      expect(JSON.parse(JSON.stringify(error?.properties))).to.deep.equal(error?.properties);
    } finally {
      restore();
    }
  });
});

describe("a dashboard that a list shows without its tiles", () => {
  const server = useServer();
  const read = () => {
    const { session } = sessionFor({ maxRetries: 0 }, server.current.url);
    return resources.Dashboard.read("d1", { ...place, ...dashboard }, session);
  };

  it("is read by itself", async () => {
    server.current.answer(enveloped([{ id: "d1", name: "Board" }]), enveloped({ id: "D1", ...dashboard }));
    expect(await read())
      .to.have.property("inputs")
      .that.deep.includes(dashboard);
  });

  it("is not taken for another one that comes under its id", async () => {
    server.current.answer(enveloped([{ id: "d1", name: "Board" }]), enveloped({ id: "d2", ...dashboard }));
    const error = await failureOfType(read(), MalformedResponse);
    expect(error.message).to.include("describes another object, not d1");
  });
});

describe("the first change of a scaling that is to be restored", () => {
  const server = useServer();
  const before = { id: serviceId, numReplicas: 3, idleScaling: false, minReplicaMemoryGb: 16 };
  const create = (inputs: Data) =>
    resources.ServiceScaling.create(
      { ...place, onDestroy: "restore", ...inputs },
      sessionFor({ maxRetries: 0, dialect: "clickhouse" }, server.current.url).session,
    );

  it("keeps what was there before in the state where the service cannot be read afterwards", async () => {
    server.current.answer(enveloped(before), enveloped(before), unreadable);
    const { id, state, failure } = await create({ numReplicas: 5 });
    expect([id, state.numReplicas]).to.deep.equal([serviceId, 5]);
    expect(trackingOf(state).previous).to.deep.equal({
      numReplicas: 3,
      idleScaling: false,
      minReplicaMemoryGb: 16,
    });
    expect(failure?.message).to.match(/403.*\nThe change may have taken effect; the next update/);
  });

  it("keeps it where the second of two changes is refused", async () => {
    server.current.answer(
      enveloped(before),
      enveloped({ ...before, maxTotalMemoryGb: 96 }),
      refused(400, "BAD_REQUEST: no"),
    );
    const { state, failure } = await create({ maxTotalMemoryGb: 96, minReplicaMemoryGb: 32 });
    expect(server.current.lines.map((line) => line.split("/").at(-1)).slice(1)).to.deep.equal([
      "scaling",
      "replicaScaling",
    ]);
    expect(trackingOf(state).previous).to.include({
      numReplicas: 3,
      minReplicaMemoryGb: 16,
    });
    expect(failure?.message).to.include("BAD_REQUEST");
  });

  it("is an error and nothing else where the first change is refused", async () => {
    server.current.answer(enveloped(before), refused(400, "BAD_REQUEST: no"));
    const failure = await create({ numReplicas: 5 }).catch((error: Error) => error.message);
    expect(failure).to.match(/^BAD_REQUEST: no \(updateReplicaScaling: /);
  });
});
