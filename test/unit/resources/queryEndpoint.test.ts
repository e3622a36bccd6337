import { expect } from "chai";
import { MissingObject, MissingRoute, RefusedRequest } from "../../../provider/api/errors";
import { importObject } from "../../../provider/lifecycle/read";
import { resources } from "../../../provider/resources/registry";
import { createSandbox } from "../../../sandbox/index";
import { failureOfType } from "../api/failure";
import { enveloped, place, refused, useServer } from "../api/server";
import { Declared, sessionOf } from "../drift/fixture";
import { sessionFor } from "../lifecycle/note";
import { failuresOf, itKeeps, type Rule, required, scopeRules, text } from "./rules";
import { absent, validInputs } from "./validInputs";

const endpointRoles = "must be one of sql_console_read_only, sql_console_admin";
const origins = "must be a list of domains without spaces or commas, or a string of them separated by commas";

const rules: readonly Rule[] = [
  ...scopeRules,
  ["roles", absent, required],
  ["roles[1]", "admin", endpointRoles],
  ["roles[1]", "sql_console_read_only", "contains a duplicate: entries 0 and 1 are equal", "roles"],
  ["openApiKeys", absent, required],
  ["openApiKeys", "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204", "must be a list"],
  ["openApiKeys[1]", "", text],
  [
    "openApiKeys[1]",
    "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204",
    "contains a duplicate: entries 0 and 1 are equal",
    "openApiKeys",
  ],
  ["allowedOrigins", 80, origins],
  ["allowedOrigins", ["https://a.example.com, https://b.example.com"], origins],
  ["allowedOrigins", [""], origins],
  ["allowedOrigins", "https://a.example.com https://b.example.com", origins],
  ["allowedOrigins", { all: true }, origins],
  [
    "origins",
    ["*"],
    "is not a valid property; expected one of organizationId, serviceId, roles, openApiKeys, allowedOrigins",
  ],
];

describe("QueryEndpoint", () => {
  itKeeps("QueryEndpoint", rules);

  for (const allowedOrigins of [
    "",
    "*",
    "https://a.example.com",
    "https://a.example.com, https://b.example.com",
  ]) {
    it(`accepts allowedOrigins as a string: ${JSON.stringify(allowedOrigins)}`, () => {
      expect(failuresOf("QueryEndpoint", { ...validInputs.QueryEndpoint, allowedOrigins })).to.deep.equal([]);
    });
  }

  it("may have no keys and no roles, which is sent as it is declared", async () => {
    const sandbox = await createSandbox();
    try {
      const declared = new Declared("QueryEndpoint", { roles: [], openApiKeys: [] });
      await declared.up(sessionOf(sandbox).session);
      const sent = sandbox.requests.find(({ method }) => method === "POST");
      expect(sent?.requestBody).to.deep.equal({ roles: [], openApiKeys: [], allowedOrigins: "" });
      expect(await declared.refresh(sessionOf(sandbox).session)).to.deep.equal([]);
    } finally {
      await sandbox.close();
    }
  });

  describe("without roles in the answer", () => {
    const server = useServer();

    it("has none, is imported and shows as drift", async () => {
      server.current.alwaysAnswer(enveloped({ id: "e", openApiKeys: ["k"] }));
      const { session } = sessionFor({}, server.current.url);
      const imported = await importObject(resources.QueryEndpoint, place.serviceId, place, session);
      expect(imported).to.have.deep.property("inputs", { ...place, roles: [], openApiKeys: ["k"] });
      const declared = new Declared("QueryEndpoint", {
        ...{ ...place, roles: ["sql_console_admin"], openApiKeys: ["k"] },
      });
      Object.assign(declared, { id: place.serviceId, state: declared.program, inputs: declared.program });
      expect(await declared.refresh(session)).to.deep.equal(["roles"]);
    });
  });

  describe("that the service does not show", () => {
    const server = useServer();
    const services = enveloped([{ id: place.serviceId }]);
    const denial = refused(404, "Not Found");
    const state = { ...place, roles: [], openApiKeys: [] };
    const session = () => sessionFor({}, server.current.url).session;

    for (const words of ["NOT_FOUND", "NOT_FOUND: 7b0fc2d8-a1b2-43d4", "Query endpoint not found"])
      it(`is gone where its service is there and the API says ${JSON.stringify(words)}`, async () => {
        server.current.answer(refused(404, words), services);
        expect(await resources.QueryEndpoint.read(place.serviceId, state, session())).to.equal("gone");
      });

    it("stays in the state, however often a gateway says in the API's envelope that something is not there", async () => {
      server.current.answer(denial, denial, services);
      expect(await resources.QueryEndpoint.read(place.serviceId, state, session())).to.equal("unseen");
    });

    it("is not taken for deleted where a gateway answers so", async () => {
      server.current.alwaysAnswer(denial);
      const { message } = await failureOfType(
        resources.QueryEndpoint.delete(place.serviceId, state, session()),
        MissingObject,
      );
      expect(message).to.match(/^Not Found \(deleteQueryEndpoint: /);
    });
  });

  describe("before an update", () => {
    const server = useServer();

    for (const [what, answer, Failure] of [
      [
        "the API says that the service is not there",
        refused(404, "NOT_FOUND: service not found"),
        RefusedRequest,
      ],
      ["a gateway answers", { status: 404, body: "<html>Cannot GET</html>" }, MissingRoute],
    ] as const)
      it(`is looked at: nothing is sent where ${what}`, async () => {
        server.current.alwaysAnswer(answer);
        const { session } = sessionFor({}, server.current.url);
        const before = { ...place, roles: [], openApiKeys: [] };
        const after = { ...before, roles: ["sql_console_admin"] };
        await failureOfType(resources.QueryEndpoint.update(place.serviceId, before, after, session), Failure);
        expect(server.current.requests.map(({ method }) => method)).to.deep.equal(["GET"]);
      });
  });
});
