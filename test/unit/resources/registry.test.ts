import { expect } from "chai";
import { secretsOf } from "../../../provider/lifecycle/definition";
import { dependentsOf } from "../../../provider/resources/references";
import { resources, typeNames } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { annotationsOf, schemaAt } from "../../../provider/values/schema";
import { Model } from "../../../sandbox/core/model";
import { place, refused, useServer } from "../api/server";
import { sessionFor } from "../lifecycle/note";
import { serviceId } from "./example";
import { examples } from "./examples";
import { failuresOf, itKeeps, type Rule } from "./rules";
import { validInputs } from "./validInputs";

describe("The registry of resource types", () => {
  it("the registry lists each resource type before the types that refer to it", () => {
    for (const type of typeNames)
      for (const user of dependentsOf(type).filter((user) => user !== type))
        expect(typeNames.indexOf(type), `${type} before ${user}`).to.be.below(typeNames.indexOf(user));
  });

  const uuid = "must be a uuid, such as 7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11";
  for (const type of typeNames)
    for (const name of ["organizationId", "serviceId", "adoptId"].filter(
      (each) => each in validInputs[type],
    )) {
      const hasUuid = resources[type].inputs.properties[name]?.pattern !== undefined;
      const [values, rule] = hasUuid
        ? [["my-service", 7, `${serviceId}\n`, [serviceId]], uuid]
        : [[12], "must be a non-empty string"];
      itKeeps({ type }, [
        ...values.map((value): Rule => [{ [name]: value }, `${name} ${rule}`]),
        [{ [name]: "" }, `${name} must not be empty`],
      ]);
    }

  const { apis } = new Model({ dialect: "neutral" });
  const ofProduct = new Model({ dialect: "clickhouse" }).apis;
  // The test leaves out sources, since their schema is the same in both dialects.
  for (const type of typeNames.filter((each) => each !== "Source" && !resources[each].dialect))
    it(`the check in the neutral dialect refuses the properties of ${type} that the API document lacks`, () => {
      const { wholes } = examples[type];
      const documented = Object.values(resources[type].operations).flatMap((operation) =>
        (["management", "observability"] as const).flatMap((name) => {
          const route = apis[name].routeOf(operation);
          // If the neutral API document shows no body for this operation, the body in the documents of ClickHouse Cloud and
          // HyperDX applies.
          const body = route && (route.body ?? ofProduct[name].routeOf(operation)?.body);
          return Object.keys(body?.properties ?? {});
        }),
      );
      const programs: PropertyMap[] = Object.values(wholes).map((whole) => JSON.parse(JSON.stringify(whole)));
      const names = programs.flatMap((program) => Object.keys(program));
      const foreign = names.filter((name) => !documented.includes(name));
      const failures = programs.flatMap((program) => failuresOf(type, { ...validInputs[type], ...program }));
      const refused = failures.flatMap(
        (failure) => /^(\w+) needs the setting dialect to be/.exec(failure)?.[1] ?? [],
      );
      expect(new Set(refused)).to.deep.equal(new Set(foreign));
    });

  for (const type of typeNames.filter((each) => resources[each].dialect))
    it(`the check in the neutral dialect refuses ${type} with one message`, () => {
      const [failure, ...others] = failuresOf(type, validInputs[type], { dialect: "neutral" });
      expect(others).to.deep.equal([]);
      expect(failure).to.match(
        /^the API document has no .* to declare: they need the setting dialect to be clickhouse$/,
      );
    });
});

describe("Refusals by the service", () => {
  const server = useServer();

  // A service of ClickHouse or Postgres gets its password by a request of its own.
  for (const type of typeNames.filter((each) => !["Service", "PostgresService"].includes(each)))
    for (const member of secretsOf(resources[type]).filter((name) => name in validInputs[type])) {
      const { operations, inputs } = resources[type];
      const isSentOnce = annotationsOf(schemaAt(inputs, member)).sent === "atCreation";
      for (const operation of [operations.create, ...(isSentOnce ? [] : [operations.update])])
        it(`the error about a refusal of ${operation} does not show the ${member} that the service repeats`, async () => {
          // Redaction must also hide a secret property whose name ends like that of an id.
          const secret = "https://example.com/the-secret";
          const value = member === "url" || member === "password" ? secret : { clientId: secret };
          const { session } = sessionFor({}, server.current.url);
          server.current.answer(refused(400, `cannot use ${secret}`));
          const declared = { ...validInputs[type], [member]: value };
          const isCreate = operation === operations.create;
          const body = (isCreate && resources[type].encode?.(declared, session.settings)) || declared;
          const error = await session
            .call(operation as "createKey", { ...place, id: "x" }, body)
            .catch(String);
          expect(error).to.include("cannot use [hidden]").and.not.include("the-secret");
        });
    }

  it("a refusal of updateServicePassword that repeats the hashes of the password does not show them", async () => {
    const { session } = sessionFor({}, server.current.url);
    server.current.answer(refused(400, "cannot use the-secret, nor another-one"));
    const hashes = { newPasswordHash: "the-secret", newDoubleSha1Hash: "another-one" };
    const error = await session.call("updateServicePassword", { ...place, serviceId }, hashes).catch(String);
    expect(error).to.include("cannot use [hidden], nor [hidden]");
  });

  it("a refusal of updatePostgresPassword that repeats the password does not show it", async () => {
    const { session } = sessionFor({}, server.current.url);
    server.current.answer(refused(400, "cannot use the-secret"));
    const body = { password: "the-secret" };
    const error = await session
      .call("updatePostgresPassword", { ...place, id: serviceId }, body)
      .catch(String);
    expect(error).to.include("cannot use [hidden]");
  });
});
