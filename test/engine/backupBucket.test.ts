import { expect } from "chai";
import { settingVariables } from "../pipestackCommand";
import { selected } from "../seed";
import { useFixture } from "./fixture";

const ofGoogle = `new BackupBucket("own", {
  bucketProvider: "GCP", bucketPath: "https://gs.example.com/backups", accessKeyId: "GOOG1E", secretAccessKey: "a secret of the key",
});`;
const ofAmazon = `new BackupBucket("own", {
  bucketProvider: "AWS", bucketPath: "https://s3.example.com/backups", iamRoleArn: "arn:aws:iam::123456789012:role/backups",
});`;

for (const host of selected(["dynamic", "plugin"] as const, 2, 1))
  describe(`A bucket for backups, in the ${host} host`, () => {
    const fixture = useFixture({ host, sandbox: { dialect: "clickhouse" } });
    const providers = () =>
      [...fixture.sandbox.store.backupBuckets.values()].map(({ bucketProvider }) => bucketProvider);

    before(() => {
      Object.assign(
        fixture.environment,
        settingVariables({ dialect: "clickhouse", requestsPerSecond: "1000" }),
      );
    });

    it("another provider takes the old bucket off the service before it sets the new one", async () => {
      await fixture.write(ofGoogle);
      const { output } = await fixture.up({ args: ["--skip-preview"] });
      expect(output).to.not.include("a secret of the key");
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      await fixture.write(ofAmazon);
      const preview = await fixture.preview({ args: ["--diff"] });
      expect(preview.output).to.match(/bucketProvider/);
      expect(providers()).to.deep.equal(["GCP"]);
      await fixture.up({ args: ["--skip-preview"] });
      expect(providers()).to.deep.equal(["AWS"]);
      const writes = fixture.sandbox.requests.flatMap(({ operation = "" }) =>
        /^(create|update|delete)/.test(operation) ? [operation] : [],
      );
      expect(writes).to.deep.equal(["createBackupBucket", "deleteBackupBucket", "createBackupBucket"]);
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      await fixture.destroy();
      expect(providers()).to.deep.equal([]);
    });
  });
