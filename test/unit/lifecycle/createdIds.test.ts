import { expect } from "chai";
import { PossiblyCreated } from "../../../provider/api/errors";
import { failureOfType } from "../api/failure";
import { enveloped, place } from "../api/server";
import { alert, type Course, useCollection } from "./collectionServer";

const objectId = (last: string) => `66f0c2d8a1b2c3d4e5f607${last}`;
const uuid = "7b0fc2d8-a1b2-43d4-85f6-0718293a4b5c";

describe("the id in the answer to a create", () => {
  const service = useCollection();
  const { create, ids, methods, sessionOf } = service;

  const answered = (id: string, carriedOut = false): Course => ({
    carriedOut,
    answer: enveloped({ id, ...alert }),
  });

  for (const id of [
    `../${objectId("18")}`,
    "..",
    "   ",
    ` ${objectId("18")}`,
    "a/b",
    "a?b",
    "a\u0000",
    "a".repeat(201),
    "undefined",
    "null",
    "NaN",
  ]) {
    it(`is refused, and the object named, where no path can hold it safely, or where it is no value: ${JSON.stringify(id.slice(0, 30))}`, async () => {
      service.courses = [answered(id)];
      const { message } = await failureOfType(create(sessionOf().session), PossiblyCreated);
      const [first, second] = message.split("\n");
      expect(first).to.match(/^the answer has the id ".+", which is no id of this service \(createAlert: /);
      expect(second).to.equal(
        `The request may have been carried out, or may still be: before you run the update again, run npx pipestack orphans; if it lists an alert named "Slow" on service ${place.serviceId}, adopt it with adoptId or delete it`,
      );
      // A second request could double what the first one has created.
      expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
    });
  }

  for (const [form, known, id] of [
    ["an ObjectId", objectId("01"), uuid],
    ["a UUID", uuid, objectId("18")],
  ] as const) {
    it(`is refused where all others of the collection have the form of ${form}`, async () => {
      service.objects = [{ id: known, ...alert, name: "Other" }];
      service.courses = [answered(id)];
      const { message } = await failureOfType(create(sessionOf().session), PossiblyCreated);
      expect(message).to.match(new RegExp(`^the answer has the id "${id}", which is no id of this service`));
      expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
    });
  }

  it("is refused where it differs in form from that of an object that this run has created", async () => {
    service.objects = [];
    const { session } = sessionOf();
    for (const name of ["first", "second"]) {
      service.newId = () => objectId(name === "first" ? "18" : "19");
      await create(session, "Alert", { name });
    }
    expect(methods()).to.deep.equal(["GET", "POST", "POST"]);
    service.courses = [answered("none")];
    await failureOfType(create(session, "Alert", { name: "Other" }), PossiblyCreated);
  });

  for (const id of [
    objectId("18"),
    uuid,
    "1234",
    "V1StGXR8_Z5jdHi6B-myT",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "alert:7~a.b=@+",
  ]) {
    it(`may be ${id} on a server that has no objects yet`, async () => {
      service.objects = [];
      service.courses = [answered(id, true)];
      expect((await create(sessionOf().session)).id).to.equal(id);
      expect(methods()).to.deep.equal(["GET", "POST"]);
    });
  }

  it("may have any of several forms where the collection has them", async () => {
    service.objects = [objectId("01"), uuid, "7"].map((id) => ({ id, ...alert, name: "Other" }));
    for (const id of [objectId("18"), "7b0fc2d8-a1b2-43d4-85f6-0718293a4b5d", "8"]) {
      service.courses = [answered(id)];
      expect((await create(sessionOf().session)).id).to.equal(id);
    }
  });

  it("gives way to that in the list where the object is found there", async () => {
    service.objects = [{ id: objectId("01"), ...alert, name: "Other" }];
    service.newId = () => objectId("18");
    service.courses = [answered("none", true)];
    expect((await create(sessionOf().session)).id).to.equal(objectId("18"));
    expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
  });

  it("is not taken from the list either where no path can hold it", async () => {
    service.newId = () => "../old";
    service.courses = [{ answer: { status: 500, body: {} } }];
    const { message } = await failureOfType(create(sessionOf().session), PossiblyCreated);
    expect(message).to.match(/adopt it with adoptId or delete it: \.\.\/old$/);
    expect(ids()).to.deep.equal(["old", "../old"]);
  });
});
