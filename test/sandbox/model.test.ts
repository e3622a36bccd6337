import { createHash } from "node:crypto";
import { expect } from "chai";
import type { Judge } from "../../sandbox/core/judge";
import { Model } from "../../sandbox/core/model";
import type { Reply } from "../../sandbox/core/request";
import { type Fault, seededCredentials } from "../../sandbox/index";
import { dashboard } from "./requests";

const now = Date.UTC(2027, 0, 15, 12);
const headers = {
  authorization: `Bearer ${seededCredentials.accessToken}`,
  "content-type": "application/json",
};

/** Returns a source of pseudo-random bytes that are the same in every run. */
function sameBytes(): (count: number) => Buffer {
  let drawn = 0;
  return (count) => {
    drawn += 1;
    return createHash("sha512").update(String(drawn)).digest().subarray(0, count);
  };
}

function ask(model: Model, method: string, path: string, at: number, body?: object): Reply {
  const url = `/api/v2/dashboards${path}`;
  return model.handle("observability", { method, url, headers, body: body && JSON.stringify(body) }, at);
}

const create = (model: Model, at = now) => ask(model, "POST", "", at, dashboard);
const bodyOf = ({ answer }: Reply) => JSON.parse(String(answer?.body));
const secondsIn = (id: string) => Number.parseInt(id.slice(0, 8), 16);

describe("The sandbox's model, called without a server", () => {
  it("the sandbox's model gives the same answers for the same requests, random bytes and times", () => {
    const play = () => {
      const model = new Model({ randomBytes: sameBytes() });
      return [create(model), create(model, now + 60_000), model.store.contents(), model.journal.entries];
    };
    expect(play()).to.deep.equal(play());
  });

  it("the sandbox's model takes the time from the caller of each request, not from a clock", () => {
    const model = new Model();
    expect(secondsIn(bodyOf(create(model)).data.id)).to.equal(now / 1000);
    expect(model.journal.entries[0]?.time).to.equal(new Date(now).toISOString());
  });

  it("the sandbox's model keeps no journal of requests with the option keepsRequests: false", () => {
    const model = new Model({ keepsRequests: false });
    expect(create(model).answer?.status).to.equal(200);
    expect(model.journal.entries).to.deep.equal([]);
  });

  it("a request that a fault delayed is carried out once the model's time has advanced far enough", async () => {
    const planned: number[] = [];
    const model = new Model({ planned: (due) => planned.push(due), clock: () => now });
    const later: Fault = { kind: "502", when: "later", operation: "createDashboard", milliseconds: 5000 };
    await model.faults.set([later]);
    expect(create(model).answer?.status).to.equal(502);
    expect(planned).to.deep.equal([now + 5000]);
    model.advance(now + 4999);
    expect(model.store.dashboards.size).to.equal(0);
    model.advance(now + 5000);
    const [id = ""] = model.store.dashboards.keys();
    expect(secondsIn(id)).to.equal(now / 1000 + 5);
  });

  const judgedBy = (judge: Partial<Judge>) =>
    new Model({ judge: { requestFailure: () => undefined, answerFailure: () => undefined, ...judge } });

  it("the sandbox's model refuses a request that its judge, an independent check, refuses", () => {
    const model = judgedBy({ requestFailure: (api, operation) => `${api} ${operation}` });
    const reply = create(model);
    expect(reply.answer?.status).to.equal(400);
    expect(bodyOf(reply)).to.deep.equal({ message: "observability createDashboard" });
    expect(model.store.dashboards.size).to.equal(0);
  });

  it("the judge of the sandbox's model gets the body as sent, with properties that the model drops", () => {
    const bodies: unknown[] = [];
    const model = judgedBy({
      requestFailure: (_api, _operation, body) => void bodies.push(body) as undefined,
    });
    const sent = { ...dashboard, unknown: 1 };
    expect(ask(model, "POST", "", now, sent).answer?.status).to.equal(200);
    expect(bodies).to.deep.equal([sent]);
  });

  it("the sandbox's model answers 500 if its judge finds the model's own answer wrong", () => {
    const reply = create(judgedBy({ answerFailure: () => "no tags" }));
    expect(reply.answer?.status).to.equal(500);
    const message = "the answer to createDashboard is not as documented: no tags";
    expect(bodyOf(reply)).to.deep.equal({ message });
  });
});
