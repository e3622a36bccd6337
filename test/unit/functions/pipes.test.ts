import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import { failureOf } from "../api/failure";
import { known, sandboxedProgram } from "./sandboxedProgram";

describe("the functions of pipes:", () => {
  const program = sandboxedProgram();

  const services = () => `/v1/organizations/${program.sandbox.credentials.organizationId}/services`;

  /** The pipe of the sandbox that reads from object storage, whose connection string is a secret. */
  function storagePipe() {
    const pipe = [...program.sandbox.store.pipes.values()].find(({ source }) => source.objectStorage);
    if (!pipe?.source.objectStorage) throw new Error("the sandbox has no pipe from object storage");
    return { id: pipe.id, name: pipe.name, connectionString: pipe.source.objectStorage.connectionString };
  }

  describe("getPipes", () => {
    it("reads the pipes of every kind of source in one request", async () => {
      const pipes = await pipestack.getPipes();
      const kinds = pipes.flatMap(({ source }) => Object.keys(source));
      expect(kinds).to.deep.equal(["kafka", "objectStorage", "kinesis", "postgres"]);
      expect(program.sandbox.requests.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
        `GET ${services()}/${program.sandbox.credentials.serviceId}/pipes`,
      ]);
    });

    it("filters by name, by state and by both", async () => {
      const namesOf = async (args: object) => (await pipestack.getPipes(args)).map(({ name }) => name);
      expect(await namesOf({ state: "Paused" })).to.deep.equal(["device-records"]);
      expect(await namesOf({ name: "orders-stream" })).to.deep.equal(["orders-stream"]);
      expect(await namesOf({ name: "orders-stream", state: "Paused" })).to.deep.equal([]);
      expect(await namesOf({ name: "orders" })).to.deep.equal([]);
      expect(program.sandbox.requests, "one list for all").to.have.length(1);
    });

    it("reads another service if the arguments name one", async () => {
      const serviceId = program.sandbox.credentials.secondServiceId;
      expect(await pipestack.getPipes({ serviceId })).to.deep.equal([]);
      expect(program.sandbox.requests[0]?.path).to.equal(`${services()}/${serviceId}/pipes`);
    });
  });

  describe("connection strings", () => {
    it("are left out unless they are asked for", async () => {
      const { id, connectionString } = storagePipe();
      const results = [
        await pipestack.getPipes(),
        await pipestack.getPipe({ pipeId: id }),
        await pipestack.getPipes({ includeSecrets: false }),
        await known(pipestack.getPipeOutput({ pipeId: id })),
        await known(pipestack.getPipesOutput()),
      ];
      expect(JSON.stringify(results)).to.include("clickstream-files").and.not.include(connectionString);
      expect(JSON.stringify(results)).not.to.include("connectionString");
    });

    it("are answered with includeSecrets, beside all other members", async () => {
      const { id, connectionString } = storagePipe();
      const pipe = await pipestack.getPipe({ pipeId: id, includeSecrets: true });
      expect(pipe.source.objectStorage?.connectionString).to.equal(connectionString);
      const { connectionString: _, ...rest } = pipe.source.objectStorage ?? {};
      const without = await pipestack.getPipe({ pipeId: id });
      expect(without).to.deep.equal({ ...pipe, source: { objectStorage: rest } });
      const pipes = await pipestack.getPipes({ includeSecrets: true });
      expect(pipes.map(({ source }) => source.objectStorage?.connectionString)).to.include(connectionString);
    });

    it("make an output secret, even if includeSecrets is an output itself", async () => {
      const { id } = storagePipe();
      const includeSecrets = pulumi.output(Promise.resolve(true));
      const pipes = pipestack.getPipesOutput({ includeSecrets: true });
      for (const output of [
        pipestack.getPipeOutput({ pipeId: id, includeSecrets: true }),
        pipestack.getPipeOutput({ pipeId: id, includeSecrets }),
        pipes,
        pipes.apply(([pipe]) => pipe?.name),
      ])
        expect(await pulumi.isSecret(output as pulumi.Output<unknown>)).to.equal(true);
    });

    it("do not make an output secret without includeSecrets", async () => {
      expect(await pulumi.isSecret(pipestack.getPipeOutput({ pipeId: storagePipe().id }))).to.equal(false);
      expect(await pulumi.isSecret(pipestack.getPipesOutput({ includeSecrets: false }))).to.equal(false);
    });
  });

  it("getPipeOutput is secret if its arguments are", async () => {
    const pipeId = pulumi.secret(storagePipe().id);
    expect(await pulumi.isSecret(pipestack.getPipeOutput({ pipeId }))).to.equal(true);
  });

  describe("getPipe and getPipeSettings", () => {
    it("read one pipe and its settings unchanged", async () => {
      const [pipe] = program.sandbox.store.pipes.values();
      const pipeId = pulumi.output(pipe?.id ?? "");
      expect(await pipestack.getPipe({ pipeId: pipe?.id ?? "" })).to.deep.equal(pipe);
      expect(await pipestack.getPipeSettings({ pipeId: pipe?.id ?? "" })).to.deep.equal(pipe?.settings);
      expect(await known(pipestack.getPipeOutput({ pipeId }))).to.deep.equal(pipe);
      expect(await known(pipestack.getPipeSettingsOutput({ pipeId }))).to.deep.equal(pipe?.settings);
    });

    it("fail for a missing pipe with function, request and reason", async () => {
      const pipeId = "00000000-0000-4000-8000-000000000000";
      const { message } = await failureOf(pipestack.getPipe({ pipeId }));
      expect(message).to.match(
        new RegExp(
          `^pipestack\\.getPipe: .*not found \\(getPipe: GET /v1/.*/pipes/${pipeId} answered 404.*\\)`,
        ),
      );
    });
  });
});
