import { expect } from "chai";
import {
  FailedService,
  LostAnswer,
  MissingRoute,
  RefusedRequest,
  Unreachable,
} from "../../../provider/api/errors";
import { failureOfType } from "../api/failure";
import { place, refused, reset } from "../api/server";
import { alert, type Course, useCollection } from "./collectionServer";

describe("a create that is repeated", () => {
  const service = useCollection();
  const { create, ids, methods, sessionOf } = service;

  const fails: Course = { carriedOut: false, answer: { status: 502, body: "<html>Bad Gateway</html>" } };
  const said = (description: string) =>
    `a failed request may have created ${description}, or may still do so; after the update, npx pipestack orphans lists it`;
  const slow = `an alert named "Slow" on service ${place.serviceId}`;

  it("says in one line which object may come to be twice, and how to look for it", async () => {
    // What was refused at once is carried out 4 s later, after the update's end.
    service.courses = [fails];
    const { session, warnings } = sessionOf();
    const { id } = await create(session);
    service.objects.push({ id: "late", ...alert });
    expect([id, ids()]).to.deep.equal(["new2", ["old", "new2", "late"]]);
    expect(warnings).to.deep.equal([said(slow)]);
    expect(methods()).to.deep.equal(["GET", "POST", "GET", "POST"]);
  });

  it("says it once for each object, however often it is repeated", async () => {
    service.courses = [fails, fails, fails];
    const { session, warnings } = sessionOf({ maxRetries: 3 });
    await create(session);
    service.courses = [fails];
    await create(session, "Dashboard");
    expect(warnings).to.deep.equal([
      said(slow),
      said(`a dashboard named "Board" on service ${place.serviceId}`),
    ]);
  });

  it("says it too where it fails for good", async () => {
    service.courses = [fails, fails];
    const { session, warnings } = sessionOf();
    await failureOfType(create(session), FailedService);
    expect(warnings).to.deep.equal([said(slow)]);
  });

  it("says it although it is not repeated where no retries are left", async () => {
    service.courses = [{ carriedOut: false, answer: reset }];
    const { session, warnings } = sessionOf({ maxRetries: 0 });
    await failureOfType(create(session), LostAnswer);
    expect(warnings).to.deep.equal([said(slow)]);
  });

  for (const [what, course, type] of [
    ["is found", { answer: reset }, undefined],
    [
      "was surely not carried out",
      { carriedOut: false, answer: refused(400, "BAD_REQUEST: no") },
      RefusedRequest,
    ],
    [
      "never reached the API",
      { carriedOut: false, answer: { status: 404, body: "<html>Cannot POST</html>" } },
      MissingRoute,
    ],
  ] as [string, Course, Parameters<typeof failureOfType>[1] | undefined][]) {
    it(`is none, and nothing is said, where the first request ${what}`, async () => {
      service.courses = [course];
      const { session, warnings } = sessionOf();
      await (type ? failureOfType(create(session), type) : create(session));
      expect(warnings).to.deep.equal([]);
    });
  }

  it("is repeated once more where its repetition cannot reach the service", async () => {
    service.courses = [fails];
    const { session } = sessionOf({ maxRetries: 2 });
    const call = session.call.bind(session);
    let creates = 0;
    session.call = (async (name, ...rest) => {
      if (name === "createAlert" && ++creates === 2)
        throw new Unreachable(session.siteOf(name), "the service cannot be reached");
      return call(name, ...rest);
    }) as typeof session.call;
    expect((await create(session)).id).to.equal("new2");
  });

  it("says nothing after the API's own 429", async () => {
    service.courses = [
      { carriedOut: false, answer: refused(429, "TOO_MANY_REQUESTS", { "Retry-After": "0.1" }) },
    ];
    const { session, warnings } = sessionOf();
    await create(session);
    expect(warnings).to.deep.equal([]);
  });
});
