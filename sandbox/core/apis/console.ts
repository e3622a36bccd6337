import { jsonAnswer } from "../answer";
import { notFound } from "../apiError";
import type { Store } from "../store";
import type { Vocabulary } from "../vocabulary";
import type { Protocol } from "./protocol";

/**
 * Makes the protocol of the sandbox's console, by which people change objects behind a program's back. Its requests follow the
 * rules of the API but need no credentials. Its responses have no results, which may hold secrets: the console sees changes in
 * the events that the sandbox sends.
 */
export function consoleProtocol(store: Store, vocabulary: Vocabulary): Protocol {
  return {
    name: "observability",
    dropsUnknownMembers: false,
    pathOf: (resource) =>
      `${resource.place === "organization" ? "" : "/services/:serviceId"}/${resource.path(vocabulary)}`,
    documentedAt: (resource) =>
      resource.place === "stack" || resource.place === "observability"
        ? ["observability", `/api/v2/${resource.path(vocabulary)}`]
        : [
            "management",
            `/v1/organizations/:organizationId/${resource.place === "organization" ? "" : "services/:serviceId/"}${resource.path(vocabulary)}`,
          ],
    admit(_request, { serviceId }) {
      if (serviceId !== undefined && !store.services.has(serviceId)) throw notFound("service not found");
      return serviceId === undefined ? undefined : { id: serviceId };
    },
    answer: ({ operation }, _call, result) => jsonAnswer(200, operation === undefined ? result : {}),
    errorAnswer: ({ status, message }) => jsonAnswer(status, { error: message }),
    secretsOf: () => [],
  };
}
