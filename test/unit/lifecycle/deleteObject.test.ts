import { expect } from "chai";
import { FailedService, MissingObject, MissingRoute, NotShownYet } from "../../../provider/api/errors";
import type { Settings } from "../../../provider/api/settingsSchema";
import { deleteObject, deleteUnlessDeclared } from "../../../provider/lifecycle/delete";
import { observe } from "../../../provider/lifecycle/observe";
import { alertResource } from "../../../provider/resources/alert/alert";
import { webhookResource } from "../../../provider/resources/webhook/webhook";
import { failureOfType } from "../api/failure";
import { type Answer, enveloped, place, refused, reset, useServer } from "../api/server";
import { noteResource, sessionFor } from "./note";
import { declared } from "./noteInState";

// The lists in these tests contain only ids. The provider knows a property that every object of the type has, and takes an
// entry without it for incomplete. So the tests remove that property from the type's definition.
const alerts = { ...alertResource, completenessField: undefined };
const webhooks = { ...webhookResource, completenessField: undefined };

type Failure = Parameters<typeof failureOfType>[1];

const noRoute: Answer = { status: 404, body: "<html><body>Cannot GET /</body></html>" };
const missing = refused(404, "NOT_FOUND: alert not found");

describe("The deletion of an object", () => {
  const server = useServer();
  const sessionOf = (changed: Partial<Settings> = {}) =>
    sessionFor({ maxRetries: 0, ...changed }, server.current.url).session;
  const remove = (session = sessionOf()) => deleteObject(alerts, "a1", place, session);
  const asked = () =>
    server.current.lines.map((line) => line.replace(/\/(v1|api).*?\/(?=alerts|webhooks)/, ""));
  const [removal, list, get] = ["DELETE alerts/a1", "GET alerts", "GET alerts/a1"];

  it("a deletion whose route is missing requests a new list although an earlier one lacked the object", async () => {
    server.current.answer(enveloped([]), missing, noRoute, enveloped([{ id: "a1" }]));
    const session = sessionOf();
    expect(await observe(alerts, "a1", { session, scope: place })).to.equal("gone");
    await failureOfType(remove(session), MissingRoute);
  });

  it("a deletion fails and names the missing route if the server has no route to delete or find the object", async () => {
    server.current.alwaysAnswer(noRoute);
    const { message } = await failureOfType(remove(), MissingRoute);
    expect(message).to.match(/\(deleteAlert: DELETE .* answered 404\)/);
    expect(asked()).to.deep.equal([removal, list, get]);
  });

  const noWebhook = refused(404, "NOT_FOUND: webhook not found");
  const none = enveloped([]);
  for (const [what, answers, outcome] of [
    ["fails although the API calls it missing and a list lacks it", [noWebhook, none], NotShownYet],
    [
      "fails if the API calls it missing while the list has it",
      [noWebhook, enveloped([{ id: "a1" }])],
      MissingObject,
    ],
    [
      "fails if lists lack it while a gateway answers in place of the API",
      [noRoute, none, none],
      NotShownYet,
    ],
    [
      "fails with the error of the list request that follows",
      [noWebhook, refused(500, "INTERNAL: oops")],
      FailedService,
    ],
    [
      "succeeds if the API calls it missing after a first request lost its answer",
      [reset, noWebhook, none],
      undefined,
    ],
  ] as [string, Answer[], Failure | undefined][])
    it(`the deletion of a new webhook ${what}`, async () => {
      server.current.answer(...answers);
      const state = { ...place, createdAt: new Date().toISOString() };
      const deleting = deleteObject(webhooks, "a1", state, sessionOf({ maxRetries: outcome ? 0 : 1 }));
      if (!outcome) return deleting;
      const { message } = await failureOfType(deleting, outcome);
      if (outcome === NotShownYet) expect(message).to.include("less than 3 minutes ago");
      expect(server.current.requests).to.have.length(answers.length);
    });

  it("a deletion only warns if the program still declares the object", async () => {
    const note = { ...noteResource(), delete: () => Promise.reject(new Error("deleted")) };
    const { session, warnings } = sessionFor();
    const previous = { size: 9, pinned: true };
    await deleteUnlessDeclared(note, "n1", { ...declared, __tracking: { previous } }, session, true);
    expect(warnings).to.deep.equal([
      'Note n1 is not deleted, since the program still declares it; if you renamed the resource, use the option "aliases"',
      'Note n1: destroying it will not restore its previous values {"size":9}',
    ]);
  });
});
