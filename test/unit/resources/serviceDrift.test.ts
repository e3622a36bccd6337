import { expect } from "chai";
import type { State } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { type Service, seededCredentials } from "../../../sandbox/index";
import { useService } from "../lifecycle/scriptedService";

const { Service: resource } = resources;
const { organizationId } = seededCredentials;

const lake: PropertyMap = {
  ...{ organizationId, name: "lake", provider: "aws", region: "eu-west-1" },
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }, { source: "2001:db8::1" }],
  ...{ minReplicaMemoryGb: 16, maxReplicaMemoryGb: 64, numReplicas: 3 },
  ...{ idleScaling: true, idleTimeoutMinutes: 15, releaseChannel: "default", mysqlEndpoint: true },
  tags: [{ key: "team", value: "data" }, { key: "cost" }],
  ...{ hasTransparentDataEncryption: true, transparentDataEncryptionKeyId: "arn:aws:kms:key" },
  ...{ enableCoreDumps: true, desiredState: "running", deletionProtection: false },
};

/** Changes that another person makes to a service, and the property paths at which the next preview then shows drift. */
const changes: { readonly [title: string]: readonly [Partial<Service>, readonly string[]] } = {
  "an address that is gone": [
    { ipAccessList: [{ source: "203.0.113.0/24", description: "office" }] },
    ["ipAccessList"],
  ],
  "another description of an address": [
    { ipAccessList: [{ source: "2001:db8::1" }, { source: "203.0.113.0/24", description: "lab" }] },
    ["ipAccessList"],
  ],
  "a tag with another value": [{ tags: [{ key: "team", value: "ml" }, { key: "cost" }] }, ["tags"]],
  "a tag that is gone": [{ tags: [{ key: "team", value: "data" }] }, ["tags"]],
  "a stop": [{ state: "stopped" }, ["desiredState"]],
  // Some changes of a service are no drift, such as idling, or addresses that others have added.
  "idling for now": [{ state: "idle" }, []],
  "awaking for now": [{ state: "awaking" }, []],
  "a state of which nothing tells what comes of it": [{ state: "softdeleting" }, []],
  "another order of addresses, and those of others": [
    {
      ipAccessList: [
        { source: "198.51.100.7", description: "a colleague" },
        { source: "2001:db8::1" },
        { source: "203.0.113.0/24", description: "office" },
      ],
    },
    [],
  ],
  "another order of tags, and those of others": [
    { tags: [{ key: "cost" }, { key: "owner", value: "ada" }, { key: "team", value: "data" }] },
    [],
  ],
  "another version": [{ engineVersion: "26.9" }, []],
  "a private endpoint": [{ privateEndpointIds: ["vpce-1"] }, []],
  "another password": [{ passwordHash: "of somebody else" }, []],
};

describe("The drift of a service", () => {
  const service = useService({ dialect: "clickhouse", stateMilliseconds: 10 });
  const open = () => service.open({ dialect: "clickhouse" }).session;

  async function driftIn(id: string, state: State): Promise<string[]> {
    const live = await resource.read(id, state, open());
    if (typeof live === "string") return [live];
    const paths = (await resource.diff(id, live.state, lake, open())).map(({ path }) => path);
    return [...new Set(paths.map((path) => String(/^\w+/.exec(path))))];
  }

  for (const [title, [change, paths]] of Object.entries(changes))
    it(`a refresh finds drift of ${paths.join() || "nothing"} in a service that has changed: ${title}`, async () => {
      const { id, state, failure } = await resource.create(lake, open());
      expect(failure).to.equal(undefined);
      expect(await driftIn(id, state)).to.deep.equal([]);
      const stored = service.model.store.services.get(id) as Service;
      Object.assign(stored, change, { steps: undefined });
      expect(await driftIn(id, state)).to.deep.equal(paths);
      if (paths.length === 0) return;
      const live = await resource.read(id, state, open());
      if (typeof live === "string") throw new Error(live);
      const updated = await resource.update(id, live.state, lake, open());
      expect(await driftIn(id, updated)).to.deep.equal([]);
    });
});
