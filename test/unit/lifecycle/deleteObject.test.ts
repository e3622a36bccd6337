import { expect } from "chai";
import {
  ApiError,
  FailedService,
  InvalidIdentifier,
  LostAnswer,
  MalformedResponse,
  MissingObject,
  MissingRoute,
  RefusedRequest,
} from "../../../provider/api/errors";
import { deleteObject } from "../../../provider/lifecycle/delete";
import { observe } from "../../../provider/lifecycle/observe";
import { alertResource } from "../../../provider/resources/alert/alert";
import { webhookResource } from "../../../provider/resources/webhook/webhook";
import { failureOfType } from "../api/failure";
import {
  type Answer,
  enveloped,
  organizationId,
  place,
  refused,
  reset,
  serviceId,
  useServer,
} from "../api/server";
import { sessionFor } from "./note";

// A list of these tests shows ids alone.
const alerts = { ...alertResource, sureMember: undefined };
const webhooks = { ...webhookResource, sureMember: undefined };

const stack = `/v1/organizations/${organizationId}/services/${serviceId}/stack`;
const list = `GET ${stack}/alerts`;
const get = `GET ${stack}/alerts/a1`;
const removal = `DELETE ${stack}/alerts/a1`;

const noRoute: Answer = { status: 404, body: "<html><body>Cannot GET /</body></html>" };
const missing = refused(404, "NOT_FOUND: alert not found");

describe("an object that is removed", () => {
  const server = useServer();
  const sessionOf = () => sessionFor({ maxRetries: 0 }, server.current.url);
  const removeFrom = () => deleteObject(alerts, "a1", place, sessionOf().session);

  it("is deleted by one request", async () => {
    server.current.answer(enveloped());
    await removeFrom();
    expect(server.current.lines).to.deep.equal([removal]);
    expect(server.current.onlyRequest).not.to.have.property("body");
  });

  for (const [what, answer, type] of [
    ["the API's own word that it is missing", missing, MissingObject],
    ["no content, which is no receipt", { status: 204 }, MalformedResponse],
    ["an accepted request, which is no receipt", { ...enveloped(), status: 202 }, MalformedResponse],
    ["a page with a successful status", { body: "<html></html>" }, MalformedResponse],
    ["an invalid id", refused(400, "BAD_REQUEST: Invalid alert id"), InvalidIdentifier],
    ["a missing route", noRoute, MissingRoute],
  ] as [string, Answer, Parameters<typeof failureOfType>[1]][]) {
    it(`counts as gone after ${what} only if the list lacks it and the API says so`, async () => {
      server.current.answer(answer, enveloped([{ id: "a2" }]), missing);
      await removeFrom();
      expect(server.current.lines).to.deep.equal([removal, list, get]);
    });

    it(`stays in state after ${what} if the list has it`, async () => {
      server.current.answer(answer, enveloped([{ id: "a1" }]));
      await failureOfType(removeFrom(), type);
    });

    it(`stays in state after ${what} if the list fails`, async () => {
      server.current.answer(answer, refused(500, "INTERNAL: oops"));
      await failureOfType(removeFrom(), FailedService);
    });
  }

  it("is not believed gone by a list that is older than the attempt", async () => {
    server.current.answer(enveloped([]), missing, noRoute, enveloped([{ id: "a1" }]));
    const { session } = sessionOf();
    expect(await observe(alerts, "a1", { session, scope: place })).to.equal("gone");
    await failureOfType(deleteObject(alerts, "a1", place, session), MissingRoute);
  });

  for (const [what, answer, type] of [
    ["a refusal", refused(403, "FORBIDDEN: no"), RefusedRequest],
    ["a failure", refused(500, "INTERNAL: oops"), FailedService],
    ["a lost answer", reset, LostAnswer],
  ] as const) {
    it(`stays in state after ${what}`, async () => {
      server.current.answer(answer);
      await failureOfType(removeFrom(), type);
      expect(server.current.lines).to.deep.equal([removal]);
    });
  }

  describe("that only lists show, a moment after its creation,", () => {
    const createdAt = () => new Date().toISOString();
    const listOfWebhooks = `GET ${stack}/webhooks`;
    const remove = () =>
      deleteObject(webhooks, "a1", { ...place, createdAt: createdAt() }, sessionOf().session);

    it("stays in state where the API says that it is missing, and a list lacks it: replicas may lag", async () => {
      server.current.answer(refused(404, "NOT_FOUND: webhook not found"), enveloped([]));
      const error = await failureOfType(remove(), ApiError);
      expect(error.message).to.include("less than 3 minutes ago");
      const removal = `DELETE ${stack}/webhooks/a1`;
      expect(server.current.lines).to.deep.equal([removal, listOfWebhooks]);
    });

    it("counts as gone where the API says so to the repetition of a request that was lost", async () => {
      server.current.answer(reset, refused(404, "NOT_FOUND: webhook not found"), enveloped([]));
      const { session } = sessionFor({ maxRetries: 1 }, server.current.url);
      await deleteObject(webhooks, "a1", { ...place, createdAt: createdAt() }, session);
    });

    it("stays in state where the API says that it is missing, and the list has it", async () => {
      server.current.answer(refused(404, "NOT_FOUND: webhook not found"), enveloped([{ id: "a1" }]));
      await failureOfType(remove(), MissingObject);
    });

    it("stays in state where lists lack it, and a gateway answered in place of the API", async () => {
      server.current.answer(noRoute, enveloped([]), enveloped([]));
      await failureOfType(remove(), ApiError);
    });
  });

  it("stays in state, and the failure names the missing route, where an older server has none of its routes", async () => {
    server.current.alwaysAnswer(noRoute);
    const { message } = await failureOfType(removeFrom(), MissingRoute);
    expect(message).to.include(`(deleteAlert: ${removal} answered 404)`);
    expect(server.current.lines).to.deep.equal([removal, list, get]);
  });
});
