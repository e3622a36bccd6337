import { expect } from "chai";
import { PossiblyCreated } from "../../../provider/api/errors";
import { resources } from "../../../provider/resources/registry";
import { failureOfType } from "../api/failure";
import { enveloped, refused } from "../api/server";
import { doubtOf, oneOfAlerts, unseen } from "./createFailures";
import { alert, type Course, useService } from "./service";

const objectIds = ["66f0c2d8a1b2c3d4e5f60701", "66f0c2d8a1b2c3d4e5f60718"] as const;
const uuids = ["7b0fc2d8-a1b2-43d4-85f6-0718293a4b5c", "7b0fc2d8-a1b2-43d4-85f6-0718293a4b5d"] as const;

describe("The id in the answer to a create", () => {
  const service = useService();
  const { create, ids, open, addForeign: put, verbs } = service;

  const answered = (id: string, carriedOut = false): Course => ({
    carriedOut,
    answer: enveloped({ id, ...alert }),
  });

  // A second request could double what the first one has created.
  const refusals: [string, string][] = [
    ...["../66f0c2d8a1b2c3d4e5f60718", "..", "   ", ` ${objectIds[1]}`, "a/b", "a?b", "a\u0000"].map(
      (id): [string, string] => [id, ""],
    ),
    ...["a".repeat(201), "undefined", "null", "NaN"].map((id): [string, string] => [id, ""]),
    [uuids[0], objectIds[0]],
    [objectIds[1], uuids[0]],
  ];
  for (const [id, other] of refusals)
    it(`refuses the created id ${JSON.stringify(id.slice(0, 30))} ${other && `beside ${other} `}and names the object`, async () => {
      if (other) put({ id: other, name: "Other" });
      service.courses = [answered(id)];
      const [failure, left] = await doubtOf(create(open().session));
      expect(failure).to.match(/^the answer has the id ".+", which is no id of this service \(createAlert: /);
      expect(left).to.equal(unseen);
      expect(verbs()).to.equal("list create list");
    });

  it("refuses a created id whose form differs from that of an object of the same run", async () => {
    const { session } = open();
    for (const name of ["first", "second"]) await create(session, "Alert", { name });
    expect(verbs()).to.equal("list create create");
    service.courses = [answered("none")];
    await failureOfType(create(session, "Alert", { name: "Other" }), PossiblyCreated);
  });

  for (const id of [objectIds[1], uuids[0], "1234", "V1StGXR8_Z5jdHi6B-myT", "alert:7~a.b=@+"])
    it(`accepts the created id ${id} on a server that has no objects yet`, async () => {
      service.courses = [answered(id, true)];
      expect((await create(open().session)).id).to.equal(id);
      expect(verbs()).to.equal("list create");
    });

  it("accepts any form of a created id that the collection has", async () => {
    for (const id of [objectIds[0], uuids[0], "7"]) put({ id, name: "Other" });
    for (const id of [objectIds[1], uuids[1], "8"]) {
      service.courses = [answered(id)];
      expect((await create(open().session)).id).to.equal(id);
    }
  });

  it("prefers the id in the list if it contains the created object", async () => {
    const other = put({ name: "Other" });
    service.courses = [answered("none", true)];
    const { id } = await create(open().session);
    expect(ids()).to.deep.equal([other, id]);
    expect(verbs()).to.equal("list create list");
  });

  it("prefers the id in the list if the state holds an unlisted object of the answered id", async () => {
    const [held = ""] = objectIds;
    const { session } = open();
    await resources.Alert.diff(held, { ...alert, id: held }, alert, session);
    service.courses = [answered(held, true)];
    const { id } = await create(session, "Alert", { name: "Other" });
    expect(id).not.to.equal(held);
    expect(ids()).to.deep.equal([id]);
  });

  it("takes no id from the list that no path can hold", async () => {
    const meanwhile = () => void put({ id: "../old" });
    service.courses = [{ carriedOut: false, answer: refused(500, "INTERNAL"), meanwhile }];
    expect((await doubtOf(create(open().session)))[1]).to.equal(oneOfAlerts("../old"));
    expect(ids()).to.deep.equal(["../old"]);
  });
});
