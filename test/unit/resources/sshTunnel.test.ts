import { expect } from "chai";
import { deleteUnlessDeclared } from "../../../provider/lifecycle/delete";
import { importObject } from "../../../provider/lifecycle/read";
import { trackingOf } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { type SshTunnel, seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { place, useService } from "../lifecycle/scriptedService";
import { kafka, postgres } from "./pipe.example";
import { stream } from "./pipeSteps";
import { itKeeps } from "./rules";

const { organizationId, serviceId } = seededCredentials;
const { SshTunnel: resource, Pipe: pipes } = resources;

const bastion = { ...place, name: "bastion", host: "bastion.example.com", username: "clickpipes" };
const refusal = "ssh: handshake failed: ssh: unable to authenticate, attempted methods [none publickey]";

describe("SSH tunnels of a service", () => {
  const service = useService({ dialect: "clickhouse", stateMilliseconds: 60_000 });
  const { model, count } = service;
  const open = () => service.open({ dialect: "clickhouse" });
  const create = (inputs: PropertyMap = bastion, session = open().session) =>
    resource.create(inputs, session);
  const stored = (id: string) => model.store.sshTunnels.get(id) as SshTunnel;
  const replaced = async (state: PropertyMap, changed: PropertyMap) =>
    (await resource.diff("id", state, { ...bastion, ...changed }, open().session)).filter(
      ({ replaces }) => replaces,
    );

  it("the create of an SSH tunnel ends while the tunnel is pending", async () => {
    const { id, state, failure } = await create();
    expect(failure).to.equal(undefined);
    expect(state).to.include({ status: "pending", publicKey: stored(id).publicKey });
    expect(count("validateSshTunnel")).to.equal(0);
    expect(await resource.diff(id, state, bastion, open().session)).to.deep.equal([]);
  });

  describe("with awaitActive", () => {
    const awaited = { ...bastion, awaitActive: true };

    it("with awaitActive, a create validates its SSH tunnel until the host lets the service in", async () => {
      const { state } = await create(awaited);
      expect(state).to.include({ status: "active" });
      expect(count("validateSshTunnel")).to.be.within(10, 15);
    });

    it("with awaitActive, a create of an SSH tunnel first says what is missing", async () => {
      const { session, notices } = open();
      const { id } = await create(awaited, session);
      const [told = ""] = notices;
      expect(told.split("\n")).to.deep.equal([
        `SSH tunnel ${id} (bastion) is failed (${refusal}): the service cannot sign in as clickpipes at bastion.example.com:22`,
        `Let the addresses of the service reach that port, and add the public key to ~/.ssh/authorized_keys of clickpipes: ${stored(id).publicKey}`,
      ]);
    });
  });

  it("an update goes on with a wait for an SSH tunnel that timed out", async () => {
    model.store.organization.provisioning = "hangs";
    const inputs = { ...bastion, awaitActive: true, waitMinutes: 2 };
    const { id, state, failure } = await create(inputs);
    expect(failure?.message).to.match(
      /^SSH tunnel .* is failed .*\n.*\nThe wait for it has ended: 2 min, the limit$/,
    );
    expect(trackingOf(state).awaiting).to.equal("update");
    expect(await resource.diff(id, state, inputs, open().session)).to.have.length(1);
    const again = await failureOf(resource.update(id, state, inputs, open().session));
    expect(trackingOf((again as unknown as { state: PropertyMap }).state).awaiting).to.equal("update");
    stored(id).admittedAt = Date.now();
    const updated = await resource.update(id, state, inputs, open().session);
    expect(updated.status).to.equal("active");
    expect(await resource.diff(id, updated, inputs, open().session)).to.deep.equal([]);
    expect(count("createSshTunnel")).to.equal(1);
  });

  it("an adopted SSH tunnel is waited for, too", async () => {
    const { id } = await create();
    const { state } = await create({ ...bastion, adoptId: id, awaitActive: true });
    expect([state.status, count("createSshTunnel")]).to.deep.equal(["active", 1]);
  });

  it("a create is refused before its request while another SSH tunnel of the service has the name", async () => {
    const { id } = await create();
    expect((await failureOf(create({ ...bastion, host: "other.example.com" }))).message).to.match(
      new RegExp(
        `^SSH tunnel ${id} of service ${serviceId} is also named "bastion".*declare its id as adoptId`,
      ),
    );
    expect(count("createSshTunnel")).to.equal(1);
  });

  it("an SSH tunnel is deleted before the one in its place is made, unless that has another name", async () => {
    const { state } = await create();
    for (const changed of [{ host: "b" }, { port: 2222 }, { username: "u" }, { name: unknown }])
      expect(resource.isDeletedFirst?.(state, { ...bastion, ...changed })).to.equal(true);
    expect(resource.isDeletedFirst?.(state, { ...bastion, name: "other" })).to.equal(false);
  });

  it("the default port and an empty description of an SSH tunnel replace nothing", async () => {
    const { state } = await create();
    expect(await replaced(state, { port: 22, description: "" })).to.deep.equal([]);
  });

  it("a later status of an SSH tunnel is no drift", async () => {
    const { id, state } = await create();
    stored(id).status = "failed";
    const read = (await resource.read(id, state, open().session)) as { inputs: PropertyMap };
    expect(read.inputs).to.deep.equal(bastion);
  });

  it("an import of an SSH tunnel declares neither the default port nor an empty description", async () => {
    const { id } = await create();
    const { inputs } = (await importObject(
      resource,
      `${organizationId}/${serviceId}/${id}`,
      {},
      open().session,
    )) as { inputs: PropertyMap };
    expect(inputs).to.deep.equal(bastion);
  });

  itKeeps({ type: "SshTunnel", valid: bastion }, [[{ host: "a b" }, "host must be a name without blanks"]]);

  describe("and the pipes that use them", () => {
    const through = (sshKeyResourceId: string) => ({
      ...stream,
      source: { kafka: { ...kafka, sshKeyResourceId } },
    });

    it("the create of a pipe waits until its SSH tunnel is active", async () => {
      const { id } = await create();
      const { session, notices } = open();
      const { failure } = await pipes.create(through(id), session);
      expect(failure).to.equal(undefined);
      expect(stored(id).status).to.equal("active");
      expect(notices[0]).to.include(
        `add the public key to ~/.ssh/authorized_keys of clickpipes: ssh-ed25519 `,
      );
      expect(count("createPipe")).to.equal(1);
    });

    it("a pipe whose SSH tunnel does not get active is refused with what is missing", async () => {
      const { id } = await create();
      delete stored(id).admittedAt;
      const failure = await failureOf(pipes.create({ ...through(id), waitMinutes: 1 }, open().session));
      expect(failure.message).to.match(
        /cannot sign in as clickpipes at bastion.example.com:22\n.*authorized_keys/,
      );
      expect(count("createPipe")).to.equal(0);
    });

    it("a pipe that names no SSH tunnel of its service is refused with the path of the id", async () => {
      const id = model.ids.uuid();
      expect((await failureOf(pipes.create(through(id), open().session))).message).to.equal(
        `source.kafka.sshKeyResourceId: service ${serviceId} has no SSH tunnel ${id}; declare the id of an SshTunnel of the same service`,
      );
      expect(count("createPipe")).to.equal(0);
    });

    describe("from a database, whose answers leave out the SSH tunnel", () => {
      const declared = (sshKeyResourceId: string) => ({
        ...{ ...place, name: "replica", destination: { database: "default" }, allowReplacement: true },
        ...{ source: { postgres: { ...postgres, sshKeyResourceId } }, credentials: stream.credentials },
      });
      const refreshed = async () => {
        const { id: tunnelId } = await create();
        const { id, state } = await pipes.create(declared(tunnelId), open().session);
        const read = await pipes.read(id, state, open().session);
        return { id, tunnelId, ...(read as { inputs: PropertyMap; state: PropertyMap }) };
      };

      it("an SSH tunnel that the answers about a database pipe leave out is no drift", async () => {
        const { tunnelId, inputs } = await refreshed();
        expect(inputs).to.deep.equal(declared(tunnelId));
      });
    });

    it("the failure to delete an SSH tunnel names the pipe that uses it", async () => {
      const { id, state } = await create();
      const { id: pipeId } = await pipes.create(through(id), open().session);
      const { session, warnings } = open();
      const failure = await failureOf(deleteUnlessDeclared(resource, id, state, session, false));
      expect(failure.message)
        .to.include(`SSH key resource is used by ClickPipe ${pipeId}`)
        .and.to.include("To replace it, change its name, too");
      expect(warnings).to.deep.equal([
        `SSH tunnel ${id} is still used by 1 pipe: "orders" (${pipeId}). They can then no longer reach their sources`,
      ]);
    });
  });
});
