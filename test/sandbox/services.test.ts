import { expect } from "chai";
import { useSandbox } from "./requests";

const bucket = {
  ...{
    bucketProvider: "AWS",
    bucketPath: "backups/lake",
    iamRoleArn: "arn:aws:iam::000000000000:role/backups",
  },
  ...{ iamRoleSessionName: "clickhouse", iamRoleExternalId: "external" },
};
const bucketOfKey = {
  bucketProvider: "GCP",
  bucketPath: "https://gs.example.com/backups",
  accessKeyId: "GOOG1E",
};
const bucketOfContainer = { bucketProvider: "AZURE", containerName: "backups" };

describe("The scaling of a service in the dialect neutral", () => {
  const client = useSandbox();
  const get = async () => (await client.service("GET", "")).payload;

  const valid = {
    ...{ minTotalMemoryGb: 48, maxTotalMemoryGb: 96, numReplicas: 4 },
    ...{ idleScaling: false, idleTimeoutMinutes: 5 },
  };

  const refused: readonly [path: string, title: string, change: object][] = [
    ["/scaling", "numReplicas 0", { numReplicas: 0 }],
    ["/scaling", "numReplicas 51", { numReplicas: 51 }],
    ["/scaling", "numReplicas 2.5", { numReplicas: 2.5 }],
    ["/scaling", 'numReplicas "3"', { numReplicas: "3" }],
    ["/scaling", "numReplicas 1 of the first service in a warehouse", { numReplicas: 1 }],
    ["/scaling", "idleTimeoutMinutes 4", { idleTimeoutMinutes: 4 }],
    ["/scaling", "idleScaling null", { idleScaling: null }],
    ["/scaling", "minTotalMemoryGb 12", { minTotalMemoryGb: 12 }],
    ["/scaling", "minTotalMemoryGb 50", { minTotalMemoryGb: 50 }],
    ["/scaling", "maxTotalMemoryGb 1080", { maxTotalMemoryGb: 1080 }],
    ["/scaling", "a minimum memory above the maximum", { minTotalMemoryGb: 96, maxTotalMemoryGb: 48 }],
    ["/scaling", "an unknown property", { replicas: 3 }],
    ["/replicaScaling", "minTotalMemoryGb", { minTotalMemoryGb: 24 }],
  ];
  for (const [path, title, change] of refused)
    it(`PATCH of ${path} refuses ${title} and changes nothing`, async () => {
      const before = await get();
      const others = path === "/scaling" ? valid : {};
      const { status, reason } = await client.service("PATCH", path, { ...others, ...change });
      expect(status).to.equal(400);
      expect(reason).to.match(/^BAD_REQUEST: /);
      expect(await get()).to.deep.equal(before);
    });

  it("PATCH of the scaling accepts a minimum memory as high as the maximum", async () => {
    const even = { minTotalMemoryGb: 48, maxTotalMemoryGb: 48 };
    expect((await client.service("PATCH", "/scaling", even)).payload).to.include(even);
  });

  it("PATCH of the scaling accepts a maxTotalMemoryGb of 1068 only for a paid organization", async () => {
    const patch = () => client.service("PATCH", "/scaling", { maxTotalMemoryGb: 1068 });
    client.sandbox.store.organization.paid = false;
    expect((await patch()).status).to.equal(400);
    client.sandbox.store.organization.paid = true;
    expect((await patch()).status).to.equal(200);
  });
});

describe("Services of the sandbox in the dialect clickhouse", () => {
  const client = useSandbox({ dialect: "clickhouse" });
  const get = async () => (await client.service("GET", "")).payload;
  const scale = (body: object) => client.service("PATCH", "/replicaScaling", body);
  const even = { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 16 };
  const horizontal = { autoscalingMode: "horizontal", minReplicas: 2, maxReplicas: 6 };

  it("PATCH of the scaling with equal minReplicas and maxReplicas sets that number of replicas", async () => {
    await scale({ minReplicas: 5, maxReplicas: 5 });
    expect(await get()).to.include({ autoscalingMode: "vertical", numReplicas: 5 });
  });

  const refused = {
    "only one end of the replica range": { ...horizontal, ...even, maxReplicas: undefined },
    "a range that ends before it begins": { ...horizontal, ...even, maxReplicas: 1 },
    "a replica range together with numReplicas": { numReplicas: 3, minReplicas: 3, maxReplicas: 3 },
    "a range in vertical mode": { minReplicas: 2, maxReplicas: 3 },
    "horizontal mode without a range": { autoscalingMode: "horizontal", ...even },
    "horizontal mode with a number": { autoscalingMode: "horizontal", ...even, numReplicas: 2 },
    "horizontal mode with two replica sizes": horizontal,
    "a minimum memory above the maximum": { minReplicaMemoryGb: 32 },
  };
  for (const [title, change] of Object.entries(refused))
    it(`PATCH of the scaling refuses ${title} and changes nothing`, async () => {
      const before = await get();
      expect((await scale(change)).status).to.equal(400);
      expect(await get()).to.deep.equal(before);
    });

  it("PATCH of the scaling refuses horizontal scaling and more than 120 GB for an unpaid organization", async () => {
    client.sandbox.store.organization.paid = false;
    expect((await scale({ ...horizontal, ...even })).status).to.equal(400);
    expect((await scale({ maxReplicaMemoryGb: 124 })).status).to.equal(400);
    expect((await scale({ maxReplicaMemoryGb: 120 })).status).to.equal(200);
  });

  for (const path of ["/dashboards", "/alerts", "/sources", "/webhooks"])
    it(`the dialect clickhouse has the route …/clickstack${path}, and not …/stack${path}`, async () => {
      expect((await client.service("GET", `/clickstack${path}`)).status).to.equal(200);
      const missing = await client.service("GET", `/stack${path}`);
      expect(missing).to.include({ status: 404, type: "text/html; charset=utf-8" });
    });

  const attach = (id: string, further: object = {}) =>
    client.service("POST", "/privateEndpoint", { id, ...further });

  it("attaching a private endpoint again keeps its position, and changes its description", async () => {
    for (const id of ["vpce-2", "vpce-1", "vpce-3", "vpce-2"]) await attach(id, { description: "first" });
    await attach("vpce-1", { description: "second" });
    expect((await get()).privateEndpointIds).to.deep.equal(["vpce-2", "vpce-1", "vpce-3"]);
    const { privateEndpoints } = (await client.organization("GET", "")).payload;
    const descriptions = privateEndpoints.map(({ description }: { description: string }) => description);
    expect(descriptions).to.deep.equal(["first", "second", "first"]);
  });

  const settingsAt = (path = "") => `/clickhouseSettings${path}`;
  const set = (settings: object) => client.service("PATCH", settingsAt(), { settings });
  const settings = async () => (await client.service("GET", settingsAt())).payload;
  const pass = (seconds: number) => client.sandbox.pass(seconds * 1000);

  it("a change of database settings is visible after a second, and the list shows integers as text", async () => {
    expect(await settings()).to.deep.equal({ settings: [] });
    const { status, payload } = await set({ max_concurrent_queries: 500, session_timezone: "UTC" });
    expect(status).to.equal(200);
    expect(payload.warnings).to.deep.equal([]);
    expect(await settings()).to.deep.equal({ settings: [] });
    expect((await client.service("GET", settingsAt("/max_concurrent_queries"))).status).to.equal(404);
    pass(1);
    expect(await settings()).to.deep.equal({
      settings: [
        { name: "max_concurrent_queries", value: "500" },
        { name: "session_timezone", value: "UTC" },
      ],
    });
    const one = await client.service("GET", settingsAt("/max_concurrent_queries"));
    expect(one.payload).to.deep.equal({ name: "max_concurrent_queries", value: 500 });
    await set({ session_timezone: "Asia/Tokyo" });
    pass(1);
    expect((await settings()).settings).to.have.length(2);
  });

  it("the sandbox refuses unknown database settings, values of another type, and an empty change", async () => {
    for (const wrong of [{ max_memory: 1 }, { async_insert: 2 }, { max_concurrent_queries: "many" }, {}])
      expect((await set(wrong)).status, JSON.stringify(wrong)).to.equal(400);
    expect((await set({ max_memory: 1, async_insert: 1 })).reason).to.match(/settings\.max_memory: unknown/);
    pass(1);
    expect(await settings()).to.deep.equal({ settings: [] });
  });

  const bucketOf = (method: "POST" | "PATCH", body: object) => client.service(method, "/backupBucket", body);

  for (const [kept, secret] of [
    [bucketOfKey, { secretAccessKey: "the secret of the key" }],
    [bucketOfContainer, { connectionString: "AccountName=backups;AccountKey=the-secret" }],
  ] as const)
    it(`each request about a bucket of ${kept.bucketProvider} needs its secret, which no answer shows`, async () => {
      const [name] = Object.keys(secret);
      expect((await bucketOf("POST", kept)).reason).to.include(`${name} is required`);
      const { payload: made } = await bucketOf("POST", { ...kept, ...secret });
      expect(made).to.deep.equal({ id: made.id, ...kept });
      expect((await bucketOf("PATCH", kept)).reason).to.include(`${name} is required`);
      expect((await bucketOf("PATCH", { ...kept, ...secret })).status).to.equal(200);
      expect((await client.service("GET", "/backupBucket")).payload).to.deep.equal(made);
    });

  it("a bucket of another provider needs a deletion, and members of another provider are refused", async () => {
    await bucketOf("POST", bucket);
    expect((await bucketOf("PATCH", { ...bucketOfKey, secretAccessKey: "secret" })).reason).to.match(
      /cannot be changed/,
    );
    expect((await bucketOf("PATCH", { ...bucket, accessKeyId: "GOOG1E" })).status).to.equal(400);
    expect((await bucketOf("PATCH", { bucketPath: "backups" })).status).to.equal(400);
  });
});
