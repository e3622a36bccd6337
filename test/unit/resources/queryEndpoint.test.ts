import { expect } from "chai";
import { importObject } from "../../../provider/lifecycle/read";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { failureOf } from "../api/failure";
import { enveloped, place, useServer } from "../api/server";
import { sessionFor } from "../lifecycle/note";
import { place as sandboxPlace, useService } from "../lifecycle/scriptedService";
import { itKeeps } from "./rules";

const origins =
  "allowedOrigins must be a list of domains without spaces or commas, or a string of them separated by commas";
const [one, other] = ["https://a.example.com", "https://b.example.com"];

describe("The check of a query endpoint", () => {
  itKeeps({ type: "QueryEndpoint" }, [
    ...[80, [`${one}, ${other}`], [""], `${one} ${other}`].map(
      (allowedOrigins) => [{ allowedOrigins }, origins] as const,
    ),
    ...["", "*", one, `${one}, ${other}`].map((allowedOrigins) => [{ allowedOrigins }, []] as const),
  ]);
});

describe("The query endpoint of a service", () => {
  const server = useServer();
  const { QueryEndpoint } = resources;
  const session = () => sessionFor({}, server.current.url).session;

  it("pulumi import returns a query endpoint without roles if the service shows no roles", async () => {
    server.current.alwaysAnswer(enveloped({ id: "e", openApiKeys: ["k"] }));
    const imported = await importObject(QueryEndpoint, place.serviceId, place, session());
    expect(imported).to.have.deep.property("inputs", { ...place, roles: [], openApiKeys: ["k"] });
  });
});

describe("The keys of a query endpoint", () => {
  const service = useService();
  const { QueryEndpoint } = resources;
  const { serviceId } = sandboxPlace;
  const [mine, former, theirs] = ["a", "b", "c"].map(
    (digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`,
  );
  const program = (openApiKeys: unknown[], further: object = {}) => ({
    ...sandboxPlace,
    ...{ roles: ["sql_console_read_only"], openApiKeys, ...further },
  });
  const stored = () => [...service.model.store.queryEndpoints.values()][0] as { openApiKeys: unknown[] };
  const open = () => service.open();
  const create = (inputs: PropertyMap) => {
    for (const id of [mine, former, theirs]) service.addForeign({ id }, "ApiKey");
    return QueryEndpoint.create(inputs, open().session);
  };
  const pathsAfterRefresh = async (state: PropertyMap, inputs: PropertyMap) => {
    const live = (await QueryEndpoint.read(serviceId, state, open().session)) as { state: PropertyMap };
    const changes = await QueryEndpoint.diff(serviceId, live.state, inputs, open().session);
    return { state: live.state, paths: changes.map(({ path }) => path) };
  };

  it("a key that somebody adds to a query endpoint during an update is drift, unless other keys are kept", async () => {
    for (const keepOtherKeys of [false, true]) {
      const before = program([mine], { keepOtherKeys });
      const { state } = await create(before);
      service.rewrite(/^putQueryEndpoint$/, /"openApiKeys":\[/, `"openApiKeys":["${theirs}",`);
      const inputs = { ...before, roles: ["sql_console_admin"] };
      const updated = await QueryEndpoint.update(serviceId, state, inputs, open().session);
      service.gateway = undefined;
      stored().openApiKeys.push(theirs);
      const { state: refreshed, paths } = await pathsAfterRefresh(updated, inputs);
      expect(paths).to.deep.equal(keepOtherKeys ? [] : ["openApiKeys"]);
      expect(refreshed.otherKeys).to.deep.equal(keepOtherKeys ? [theirs] : []);
      await service.model.reset();
    }
  });

  describe("that answers leave out", () => {
    const refreshed = async (inputs: PropertyMap, ...others: unknown[]) => {
      const { state } = await create(inputs);
      stored().openApiKeys.push(...others);
      service.rewrite(/^getQueryEndpoint$/, /"openApiKeys":\[[^\]]*\],?/, "");
      return pathsAfterRefresh(state, inputs);
    };
    const own = program([mine], { keepOtherKeys: false });
    const shared = program([mine], { keepOtherKeys: true });
    const changed = { roles: ["sql_console_admin"] };

    it("an answer without keys is no drift", async () => {
      expect((await refreshed(own)).paths).to.deep.equal([]);
      await service.model.reset();
      service.gateway = undefined;
      expect((await refreshed(shared, theirs)).paths).to.deep.equal([]);
    });

    it("a write that could lose keys of others is refused while answers lack the keys", async () => {
      const { state } = await refreshed(shared, theirs);
      const update = QueryEndpoint.update(serviceId, state, { ...shared, ...changed }, open().session);
      expect((await failureOf(update)).message).to.match(/does not show which keys/);
      const deletion = QueryEndpoint.delete(serviceId, state, open().session);
      expect((await failureOf(deletion)).message).to.match(/does not show which keys/);
      expect(stored().openApiKeys).to.deep.equal([mine, theirs]);
    });

    it("a program that owns all keys can be updated while answers lack the keys", async () => {
      const { state } = await refreshed(own);
      await QueryEndpoint.update(serviceId, state, { ...own, ...changed }, open().session);
      expect(stored().openApiKeys).to.deep.equal([mine]);
    });
  });
});
