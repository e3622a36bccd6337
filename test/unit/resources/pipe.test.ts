import { expect } from "chai";
import { deleteUnlessDeclared } from "../../../provider/lifecycle/delete";
import { importObject } from "../../../provider/lifecycle/read";
import { trackingOf } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { type Service, seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { pause, place } from "../lifecycle/scriptedService";
import { kafka, pipeExample, postgres } from "./pipe.example";
import { login, stream, usePipes } from "./pipeSteps";

const { serviceId } = seededCredentials;
const { Pipe: resource } = resources;
const replica = {
  ...{ ...place, name: "replica", source: { postgres }, credentials: login },
  destination: { database: "default" },
};

describe("Pipes of a service", () => {
  const { service, model, open, stored } = usePipes();
  const { count } = service;
  const create = (inputs: PropertyMap, session = open().session) => resource.create(inputs, session);
  const seeded = 8;
  const created = () => [...model.store.pipes.values()].slice(seeded);
  const setState = (state: string) =>
    Object.assign(model.store.services.get(serviceId) as Service, { state, steps: undefined });

  it("the create of a pipe prints each change of the pipe's state until the pipe runs", async () => {
    const { session, notices } = open();
    const { id, state } = await create(stream, session);
    expect(state.status).to.equal("Running");
    expect(notices).to.deep.equal([`pipe ${id} is Provisioning`, `pipe ${id} is Running`]);
  });

  it("the create of a database pipe ends once the pipe loads its tables", async () => {
    const { state } = await create(replica);
    expect(state.status).to.equal("Snapshot");
  });

  it("the create of a database pipe that is declared stopped ends once the pipe is paused", async () => {
    const { state } = await create({ ...replica, state: "stopped" });
    expect(state.status).to.equal("Paused");
  });

  describe("that fail to start", () => {
    beforeEach(() => {
      model.store.organization.provisioning = "fails";
    });

    it("the error of a pipe that fails to start names a query for the reason", async () => {
      const { failure } = await create(stream);
      expect(failure?.message).to.match(
        / is Failed, and does not get ready by itself; the service tells why in a table: SELECT \* FROM system\.clickpipes_log; /,
      );
    });

    it("a pipe that fails to start stays in the state as one whose create is not done", async () => {
      const { state } = await create(stream);
      expect(trackingOf(state).awaiting).to.equal("create");
    });

    it("with awaitRunning false, the create of a pipe that fails to start succeeds", async () => {
      const { failure } = await create({ ...stream, awaitRunning: false });
      expect(failure).to.equal(undefined);
    });
  });

  it("the create of a pipe beside an unmanaged one of its name and source needs adoptId or allowSameName", async () => {
    const { id } = await create(stream);
    expect((await failureOf(create(stream))).message).to.match(
      new RegExp(`pipe ${id} is also named "orders", reads the same, and was created .* adoptId`),
    );
    expect(created()).to.have.length(1);
    const { credentials: _, ...withoutCredentials } = stream;
    const { id: taken, failure } = await create({ ...withoutCredentials, adoptId: id });
    expect([taken, failure]).to.deep.equal([id, undefined]);
    expect(stored(id).credentials).to.deep.equal({ credentials: login });
    await create({ ...stream, allowSameName: true });
    await create({ ...stream, source: { kafka: { ...kafka, topics: "refunds" } } });
    expect(created()).to.have.length(3);
  });

  it("the create of a pipe is refused only if an update could make an existing pipe the declared one", async () => {
    const { id } = await create(stream);
    const changed = {
      ...stream,
      source: { kafka: { ...kafka, iamRole: "arn:role" } },
      destination: { ...stream.destination, columns: [{ name: "id", type: "String" }] },
    };
    expect((await failureOf(create(changed))).message).to.include(`pipe ${id} is also named "orders"`);
    await create({ ...stream, destination: { ...stream.destination, table: "others" } });
    const storage = { type: "s3", format: "CSV", url: "https://a.example.com/*" };
    const { credentials: _, ...plain } = stream;
    await create({ ...plain, source: { objectStorage: storage } });
    expect(created()).to.have.length(3);
  });

  it("a pipe that no update can make the declared one cannot be adopted", async () => {
    const refusal = (id: string, paths: string) =>
      `pipe ${id} cannot be taken over, since no update changes its ${paths}: declare what the service has there, or remove adoptId to create another one`;
    const objectStorage = {
      type: "s3",
      format: "CSV",
      url: "https://a.example.com/*",
    };
    const { credentials: _, ...files } = { ...stream, source: { objectStorage } };
    const text = [{ name: "id", type: "String" }];
    const other = { ...files, destination: { ...stream.destination, columns: text } };
    const mapping = { sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" };
    const reading = (...tableMappings: object[]) => ({
      ...replica,
      source: { postgres: { ...postgres, tableMappings } },
    });
    const card = { ...mapping, excludedColumns: ["card"] };
    for (const [made, declared, path] of [
      [files, other, 'destination.columns["id"].type'],
      [reading(mapping), reading(card), "source.postgres.tableMappings"],
    ] as const) {
      const { id, failure } = await create(made);
      expect(failure).to.equal(undefined);
      service.time.pass(100_000);
      const before = structuredClone(stored(id));
      expect((await failureOf(create({ ...declared, adoptId: id }))).message).to.include(refusal(id, path));
      expect(stored(id)).to.deep.equal(before);
      expect((await create({ ...made, adoptId: id })).failure).to.equal(undefined);
    }
  });

  it("a pipe that is adopted before it runs gets the declared credentials in the next update", async () => {
    model.store.organization.provisioning = "hangs";
    const { id } = await create({ ...stream, awaitRunning: false });
    const credentials = { ...login, password: "another password of the reader" };
    const adopted = { ...stream, credentials, adoptId: id, waitMinutes: 1 };
    const { state, failure } = await create(adopted);
    expect(failure?.message).to.match(/is still Provisioning after 1 min/);
    Object.assign(stored(id), { state: "Running" });
    await resource.update(id, state, adopted, open().session);
    expect(stored(id).credentials).to.deep.equal({ credentials });
  });

  it("a refresh of a pipe leaves its idle service and its state as they are, with one warning", async () => {
    const { id, state } = await create(stream);
    setState("idle");
    const { session, warnings } = open();
    expect(await resource.read(id, state, session)).to.equal("unseen");
    expect(await resource.read(id, state, session)).to.equal("unseen");
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(
      new RegExp(
        `^Pipe ${id}: not compared, since its service does not run.* \\[uncompared notRunning Pipe ${id}\\]$`,
      ),
    );
    expect(count("updateServiceState")).to.equal(0);
  });

  it("only a write of a pipe with wakeService: true wakes its service", async () => {
    setState("idle");
    expect((await failureOf(create(stream))).message).to.match(/FAILED_DEPENDENCY: .*wakeService: true/s);
    expect(count("updateServiceState")).to.equal(0);
    const { failure, id, state } = await create({ ...stream, wakeService: true });
    expect(failure).to.equal(undefined);
    expect(count("updateServiceState")).to.equal(1);
    setState("idle");
    await resource.delete(id, state, open().session);
    expect(created()).to.deep.equal([]);
    setState("stopped");
    expect((await failureOf(create({ ...stream, wakeService: true }))).message).to.match(
      /is stopped: start it/,
    );
  });

  for (const [what, happen] of [
    ["fails", () => setState("failed")],
    ["is deleted", () => setState("terminating")],
    ["is stopped", () => setState("stopped")],
    ["is gone", () => model.store.services.delete(serviceId)],
  ] as const)
    it(`the wait for a service that is woken ends at once if it ${what} meanwhile`, async () => {
      setState("idle");
      service.gateway = async (operation, carryOut) => {
        const answer = await carryOut();
        if (operation === "updateServiceState") happen();
        return answer;
      };
      const begun = Date.now();
      const { message } = await failureOf(create({ ...stream, wakeService: true }));
      expect(message).to.match(/service \S+ is (failed|terminating|stopped)|NOT_FOUND/);
      expect(Date.now() - begun).to.be.below(60_000);
    });

  it("an update that has woken a service waits for no list that was requested while the service was idle", async () => {
    const [one, other] = [await create(stream), await create({ ...stream, allowSameName: true })];
    setState("idle");
    const { session } = open();
    const [lists, slow] = [count("listPipes"), 8000];
    service.gateway = async (operation, carryOut) => {
      const isSecond = operation === "listPipes" && count("listPipes") === lists + 2;
      const answer = await carryOut();
      if (isSecond) await pause(slow);
      return answer;
    };
    const rename = ({ id, state }: typeof one, name: string) =>
      resource.update(id, state, { ...stream, name, wakeService: true }, session);
    const first = rename(one, "one");
    // The service runs, and the first update goes on, while the list of the second update is still under way.
    await pause(20_000);
    const renamed = await Promise.all([first, rename(other, "other")]);
    expect(renamed.map(({ name }) => name)).to.deep.equal(["one", "other"]);
  });

  describe("that are imported", () => {
    const imported = async () => {
      const { id } = await create({ ...place, ...pipeExample.wholes["from Kafka"] });
      const { session, warnings } = open();
      const found = await importObject(resource, id, place, session);
      return { id, warnings, ...(found as { inputs: PropertyMap; state: PropertyMap }) };
    };

    it("the import of a pipe warns which credentials are unknown", async () => {
      const { id, inputs, warnings } = await imported();
      expect(warnings).to.deep.equal(
        ["credentials", "schemaRegistryCredentials"].map(
          (name) =>
            `pipe ${id} (orders): its ${name} are not known, since the service never shows them; declare them before you change them or replace the pipe`,
        ),
      );
      expect(inputs).to.not.have.any.keys("credentials", "schemaRegistryCredentials");
    });

    it("an imported pipe is not replaced without its credentials", async () => {
      const { id, inputs, state } = await imported();
      const { kafka: members } = inputs.source as { kafka: object };
      const other = {
        ...inputs,
        allowReplacement: true,
        source: { kafka: { ...members, topics: "others" } },
      };
      expect((await failureOf(resource.diff(id, state, other, open().session))).message).to.match(
        /^source\.kafka\.topics: the change would replace pipe .*, and a new pipe cannot be created: credentials is missing: .*; schemaRegistryCredentials is missing/,
      );
    });
  });

  it("the deletion of a private endpoint names the pipe that reaches its brokers through it", async () => {
    const { ReversePrivateEndpoint: endpoints } = resources;
    const endpoint = await endpoints.create(
      {
        ...place,
        description: "brokers",
        type: "GCP_PSC_SERVICE_ATTACHMENT",
        gcpServiceAttachment: "projects/p",
      },
      open().session,
    );
    const reversePrivateEndpointIds = [endpoint.id];
    const { id } = await create({ ...stream, source: { kafka: { ...kafka, reversePrivateEndpointIds } } });
    const { session, warnings } = open();
    await deleteUnlessDeclared(endpoints, endpoint.id, endpoint.state, session, false);
    expect(warnings).to.deep.equal([
      `reverse private endpoint ${endpoint.id} is still used by 1 pipe: "orders" (${id}). They can then no longer reach their brokers`,
    ]);
  });
});
