import { expect } from "chai";
import {
  FailedService,
  LostAnswer,
  PossiblyCreated,
  RefusedRequest,
  Unreachable,
} from "../../../provider/api/errors";
import { failureOfType } from "../api/failure";
import { refused, reset } from "../api/server";
import { type Course, place, useService } from "./service";

describe("Repeated creates", () => {
  const service = useService();
  const { create, open } = service;

  const fails: Course = { carriedOut: false, answer: { status: 502, body: "<html>Bad Gateway</html>" } };
  const said = (description: string) =>
    `a failed request may have created ${description} on service ${place.serviceId}, or may still do so; after the update, npx pipestack orphans lists it`;
  const slow = said('an alert named "Slow"');

  it("warns once for each object, however often its create is repeated, of a possible twin", async () => {
    service.courses = [fails, fails, fails];
    const { session, warnings } = open({ maxRetries: 3 });
    await create(session);
    service.courses = [fails];
    await create(session, "Dashboard");
    expect(warnings).to.deep.equal([slow, said('a dashboard named "Board"')]);
  });

  const refusal = refused(400, "BAD_REQUEST: no");
  const page = { status: 404, body: "<html>Cannot POST</html>" };
  const tooMany = refused(429, "TOO_MANY_REQUESTS", { "Retry-After": "0.1" });
  type Failure = Parameters<typeof failureOfType>[1];
  const cases: [string, number, Course[], Failure | undefined, string[]][] = [
    ["says so where it fails for good", 1, [fails, fails], FailedService, [slow]],
    ["says so although no retries are left", 0, [{ carriedOut: false }], LostAnswer, [slow]],
    ["says nothing where the first one is found", 1, [{ answer: reset }], undefined, []],
    ["says nothing where it was refused", 1, [{ carriedOut: false, answer: refusal }], RefusedRequest, []],
    [
      "warns of nothing where a gateway refuses it and its error says what may be left",
      1,
      [{ carriedOut: false, answer: page }],
      PossiblyCreated,
      [],
    ],
    ["says nothing after the API's own 429", 1, [{ carriedOut: false, answer: tooMany }], undefined, []],
  ];
  for (const [title, maxRetries, courses, type, expected] of cases)
    it(`a repeated create ${title}`, async () => {
      service.courses = courses;
      const { session, warnings } = open({ maxRetries });
      await (type ? failureOfType(create(session), type) : create(session));
      expect(warnings).to.deep.equal(expected);
    });

  it("repeats a create once more if its repetition cannot reach the service", async () => {
    service.courses = [fails];
    const { session } = open({ maxRetries: 2 });
    const call = session.call.bind(session);
    let creates = 0;
    session.call = (async (name, ...rest) => {
      if (name === "createAlert" && ++creates === 2)
        throw new Unreachable(session.siteOf(name), "the service cannot be reached");
      return call(name, ...rest);
    }) as typeof session.call;
    expect([(await create(session)).id]).to.deep.equal(service.ids());
  });
});
