import { EventEmitter, once } from "node:events";
import { expect } from "chai";
import { FailedService, LostAnswer } from "../../../provider/api/errors";
import { deleteResource } from "../../../provider/lifecycle/lifecycle";
import { resources } from "../../../provider/resources/registry";
import { failureOfType } from "../api/failure";
import { place, refused, reset } from "../api/server";
import { alert, type Course, useCollection } from "./collectionServer";

describe("what a failed creation leaves behind after all", () => {
  const service = useCollection();
  const { create, ids, methods, server, sessionOf } = service;

  it("is looked for once more when all have ended, by one list, and what was carried out late is named", async () => {
    const fails: Course = { carriedOut: false, answer: refused(500, "INTERNAL: oops") };
    const repeated = new EventEmitter();
    // The third creation ends after both repetitions, and after what their first requests create late.
    const bothRepeated = (async () => {
      await once(repeated, "one");
      await once(repeated, "one");
      for (const name of ["A", "B"]) service.objects.push({ id: `late ${name}`, ...alert, name });
    })();
    const repetition: Course = { meanwhile: () => void repeated.emit("one") };
    service.courses = [fails, fails, { meanwhile: () => bothRepeated }, repetition, repetition];
    const { session, warnings } = sessionOf();
    const created = await Promise.all(["A", "B", "C"].map((name) => create(session, "Alert", { name })));
    const [a, b] = created.map(({ id }) => id);
    expect(warnings).to.have.members([
      `alert ${a} may have been created twice, because its first request failed. Unless it belongs to somebody else, delete late A`,
      `alert ${b} may have been created twice, because its first request failed. Unless it belongs to somebody else, delete late B`,
    ]);
    expect(methods().at(-1)).to.equal("GET");
    expect(methods().filter((method) => method === "GET")).to.have.length.within(3, 4);
  });

  it("is named where it was carried out after the last attempt had failed, too", async () => {
    const busy: Course = { carriedOut: false, answer: refused(503, "busy") };
    service.courses = [busy, busy];
    const { session, warnings } = sessionOf();
    let lists = 0;
    // The looks after both failures show nothing yet, the one after that does.
    service.lists.on("list", () => {
      if (++lists === 3) service.objects.push({ id: "late", ...alert });
    });
    await failureOfType(create(session), FailedService);
    expect(warnings).to.deep.equal([
      `a failed request may have created an alert named "Slow" on service ${place.serviceId} after all. Unless it belongs to somebody else, delete late`,
    ]);
  });

  it("is said where the first request was carried out after all while it was repeated", async () => {
    const late = () => void service.objects.push({ id: "late", ...alert });
    service.courses = [{ carriedOut: false, answer: reset }, { meanwhile: late }];
    const { session, warnings } = sessionOf();
    const { id } = await create(session);
    expect([id, ids()]).to.deep.equal(["new2", ["old", "new2", "late"]]);
    expect(warnings).to.deep.equal([
      "alert new2 may have been created twice, because its first request failed. Unless it belongs to somebody else, delete late",
    ]);
  });

  it("is nothing else that appeared meanwhile", async () => {
    const { session, warnings } = sessionOf();
    const other = () => void service.objects.push({ id: "other", ...alert, threshold: 6 });
    service.courses = [{ carriedOut: false, answer: reset }, { meanwhile: other }];
    await create(session);
    expect(warnings).to.deep.equal([]);
  });

  for (const [what, meanwhile] of [
    ["the list cannot be read", () => server.current.alwaysAnswer(refused(403, "no"))],
    ["lists show late what this run has created", () => service.objects.pop()],
  ] as const) {
    it(`is said to be possible where ${what}`, async () => {
      service.courses = [{ carriedOut: false, answer: reset }, { meanwhile: () => void meanwhile() }];
      const { session, warnings } = sessionOf();
      await create(session);
      expect(warnings).to.deep.equal([
        `a failed request may have created an alert named "Slow" on service ${place.serviceId}, and ${what}. Look for it later: npx pipestack orphans`,
      ]);
    });
  }

  it("is said to be possible, too, where an earlier list showed late what this run has created", async () => {
    service.courses = [{}, { carriedOut: false, answer: reset }, { carriedOut: false, answer: reset }];
    const { session, warnings } = sessionOf();
    await create(session);
    const [own] = service.objects.splice(1);
    service.lists.once("list", () => void (own && service.objects.push(own)));
    await failureOfType(create(session), LostAnswer);
    expect(warnings).to.deep.equal([
      `a failed request may have created an alert named "Slow" on service ${place.serviceId}, and lists show late what this run has created. Look for it later: npx pipestack orphans`,
    ]);
  });

  it("is named for each of several failed requests, or said to be lacking in a list", async () => {
    service.courses = [
      { carriedOut: false, answer: reset },
      { carriedOut: false, answer: reset },
      { meanwhile: () => void service.objects.splice(1, 1, { id: "late", ...alert }) },
    ];
    const { session, warnings } = sessionOf({ maxRetries: 2 });
    const { id } = await create(session);
    expect(warnings).to.deep.equal([
      `alert ${id} may have been created twice, because its first request failed. Unless it belongs to somebody else, delete late`,
      `a failed request may have created an alert named "Slow" on service ${place.serviceId}, and lists show late what this run has created. Look for it later: npx pipestack orphans`,
    ]);
  });

  it("is looked for once more every five seconds, as long as two minutes", async () => {
    service.courses = [{ carriedOut: false, answer: reset }];
    const { session } = sessionOf();
    await create(session);
    const looks = async (seconds: number) => {
      service.time.pass(seconds * 1000);
      const before = methods().length;
      await create(session, "Alert", { name: "Other" });
      return methods().slice(before).join();
    };
    expect(await looks(5)).to.equal("POST,GET");
    expect(await looks(4)).to.equal("POST");
    expect(await looks(111)).to.equal("POST,GET");
    expect(await looks(5)).to.equal("POST");
  });

  it("is named once", async () => {
    service.courses = [{ carriedOut: false, answer: reset }];
    const { session, warnings } = sessionOf();
    await create(session);
    service.objects.push({ id: "late", ...alert });
    for (const name of ["B", "C"]) {
      service.time.pass(6000);
      await create(session, "Alert", { name });
    }
    expect(warnings).to.have.length(1);
    expect(methods().at(-1)).to.equal("POST");
  });

  it("is said to be possible beside what is found where lists lag: that may be somebody else's", async () => {
    // From then on the list lacks what the second attempt created, and shows what somebody else did.
    const meanwhile = () => void service.objects.splice(0, 2, { id: "theirs", ...alert });
    service.courses = [{ carriedOut: false, answer: reset }, { meanwhile }];
    const { session, warnings } = sessionOf();
    const { id } = await create(session);
    expect(warnings).to.deep.equal([
      `alert ${id} may have been created twice, because its first request failed. Unless it belongs to somebody else, delete theirs`,
      `a failed request may have created an alert named "Slow" on service ${place.serviceId}, and lists show late what this run has created. Look for it later: npx pipestack orphans`,
    ]);
  });

  it("is said to be possible where the list fails then, and how to look for it later", async () => {
    service.courses = [{ carriedOut: false, answer: reset }];
    const { session, warnings } = sessionOf();
    await create(session);
    service.time.pass(6000);
    service.courses = [{ meanwhile: () => server.current.alwaysAnswer(refused(403, "no")) }];
    await create(session, "Alert", { name: "Other" });
    expect(warnings).to.deep.equal([
      `a failed request may have created an alert named "Slow" on service ${place.serviceId}, and the list cannot be read. Look for it later: npx pipestack orphans`,
    ]);
  });

  it("is not looked for again with each of the creations that follow", async () => {
    service.courses = [{ carriedOut: false, answer: reset }];
    const { session } = sessionOf();
    await create(session);
    const asked = methods().length;
    for (const name of ["B", "C", "D"]) await create(session, "Alert", { name });
    expect(methods().slice(asked)).to.deep.equal(["POST", "POST", "POST"]);
  });

  it("is looked for again when a later step of the update ends, too", async () => {
    service.courses = [{ carriedOut: false, answer: reset }];
    const { session, warnings } = sessionOf();
    const { id } = await create(session);
    service.objects.push({ id: "late", ...alert });
    service.time.pass(6000);
    await deleteResource(resources.Alert, "old", { ...alert, ...place }, session, false);
    expect(warnings).to.deep.equal([
      `alert ${id} may have been created twice, because its first request failed. Unless it belongs to somebody else, delete late`,
    ]);
  });
});
