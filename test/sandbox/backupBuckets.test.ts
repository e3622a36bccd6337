import { expect } from "chai";
import { seededCredentials } from "../../sandbox/index";
import { judge } from "../productJudge";
import { useSandbox } from "./requests";

const path = "/backupBucket";
const role = {
  ...{
    bucketProvider: "AWS",
    bucketPath: "backups/lake",
    iamRoleArn: "arn:aws:iam::000000000000:role/backups",
  },
  ...{ iamRoleSessionName: "clickhouse", iamRoleExternalId: "external" },
};
const key = { bucketProvider: "GCP", bucketPath: "https://gs.example.com/backups", accessKeyId: "GOOG1E" };
const container = { bucketProvider: "AZURE", containerName: "backups" };

describe("Buckets for backups in the sandbox", () => {
  const client = useSandbox({ dialect: "clickhouse" });
  const send = (method: "POST" | "PATCH", body: object) => client.service(method, path, body);

  it("a service has one bucket, which PATCH changes in part, and of which null clears members", async () => {
    expect((await client.service("GET", path)).status).to.equal(404);
    const { payload: made } = await send("POST", role);
    expect(made).to.deep.include(role);
    expect(judge.answerFailure("management", "createBackupBucket", made)).to.equal(undefined);
    expect((await send("POST", role)).status).to.equal(409);
    const change = { bucketProvider: "AWS", iamRoleExternalId: null, bucketPath: "backups/other" };
    const { iamRoleExternalId: _, ...rest } = role;
    expect((await send("PATCH", change)).payload).to.deep.equal({
      ...{ ...rest, id: made.id, bucketPath: "backups/other" },
    });
    expect((await client.service("DELETE", path)).status).to.equal(200);
    expect((await client.service("DELETE", path)).status).to.equal(404);
    expect((await send("PATCH", change)).status).to.equal(404);
  });

  for (const [bucket, secret] of [
    [key, { secretAccessKey: "the secret of the key" }],
    [container, { connectionString: "AccountName=backups;AccountKey=the-secret" }],
  ] as const)
    it(`each request about a bucket of ${bucket.bucketProvider} needs its secret, which no answer shows`, async () => {
      const [name] = Object.keys(secret);
      expect((await send("POST", bucket)).reason).to.include(`${name} is required`);
      const { payload: made } = await send("POST", { ...bucket, ...secret });
      expect(made).to.deep.equal({ id: made.id, ...bucket });
      expect((await send("PATCH", bucket)).reason).to.include(`${name} is required`);
      expect((await send("PATCH", { ...bucket, ...secret })).status).to.equal(200);
      expect((await client.service("GET", path)).payload).to.deep.equal(made);
      expect(judge.answerFailure("management", "getBackupBucket", made)).to.equal(undefined);
    });

  it("a bucket of another provider needs a deletion, and members of another provider are refused", async () => {
    await send("POST", role);
    expect((await send("PATCH", { ...key, secretAccessKey: "secret" })).reason).to.match(/cannot be changed/);
    expect((await send("PATCH", { ...role, accessKeyId: "GOOG1E" })).status).to.equal(400);
    expect((await send("PATCH", { bucketPath: "backups" })).status).to.equal(400);
  });

  it("a service with regulated data takes no bucket", async () => {
    Object.assign(client.sandbox.store.services.get(seededCredentials.serviceId) ?? {}, {
      complianceType: "hipaa",
    });
    expect((await send("POST", role)).reason).to.match(/complianceType hipaa takes no bucket/);
  });
});
