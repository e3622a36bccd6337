import { expect } from "chai";
import { deleteUnlessDeclared } from "../../../provider/lifecycle/delete";
import { importObject } from "../../../provider/lifecycle/read";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { reset } from "../api/server";
import { useService } from "../lifecycle/scriptedService";
import { awsBucket, azureBucket, gcpBucket } from "./backupBucket.example";
import { itKeeps } from "./rules";

const { organizationId, serviceId, secondServiceId } = seededCredentials;
const place = { organizationId, serviceId };

interface Imported {
  readonly inputs: PropertyMap;
  readonly state: PropertyMap;
}

describe("The bucket for backups of a service", () => {
  const service = useService({ dialect: "clickhouse" });
  const { BackupBucket: resource } = resources;
  const { model } = service;
  const open = (settings = {}) => service.open({ dialect: "clickhouse", ...settings });
  const stored = () => [...model.store.backupBuckets.values()].find((each) => each.serviceId === serviceId);
  const addForeign = (members: object) =>
    model.store.backupBuckets.set("b", { id: "b", serviceId, ...members } as never);
  const writes = () => service.requests.filter((name) => /^(create|update|delete)/.test(name));
  const create = (inputs: object, opened = open()) =>
    resource.create({ ...place, ...inputs }, opened.session);
  const update = (state: PropertyMap, inputs: object, opened = open()) =>
    resource.update(serviceId, state, { ...place, ...inputs }, opened.session);
  const check = (olds: PropertyMap, news: object, opened = open()) =>
    resource.check(olds, { ...place, ...news }, opened.session);

  it("an update makes a bucket anew that somebody has deleted", async () => {
    const { state } = await create(awsBucket);
    const named = await update(state, { ...awsBucket, iamRoleSessionName: "backups" });
    model.store.backupBuckets.clear();
    const anew = await update(named, awsBucket);
    expect(stored()).to.deep.include(awsBucket);
    expect(writes().at(-1)).to.equal("createBackupBucket");
    await resource.delete(serviceId, anew, open().session);
    expect(stored()).to.equal(undefined);
  });

  describe("that others have made", () => {
    beforeEach(() => void addForeign({ ...gcpBucket, bucketPath: "https://gs.example.com/of-others" }));

    it("the preview names what the adoption of a bucket replaces", async () => {
      const opened = open();
      expect((await check({}, gcpBucket, opened)).failures).to.deep.equal([]);
      const bucket = `backup bucket of service ${serviceId}`;
      expect(opened.warnings).to.deep.equal([
        `${bucket} is there already, and taking it over replaces bucketPath`,
        `${bucket} is there already, and taking it over sets secretAccessKey anew: no answer of the API shows what is there`,
      ]);
      expect(writes()).to.deep.equal([]);
    });

    it("with onConflict fail, a create does not replace the values of a bucket", async () => {
      const failure = await failureOf(create(gcpBucket, open({ onConflict: "fail" })));
      expect(failure.message).to.match(/would replace bucketPath; onConflict is fail/);
      expect(writes()).to.deep.equal([]);
    });

    it("a create gives a bucket that is there the declared values", async () => {
      await create(gcpBucket);
      expect([writes(), stored()?.bucketPath]).to.deep.equal([["updateBackupBucket"], gcpBucket.bucketPath]);
    });
  });

  it("a bucket of another provider that is there is not taken over", async () => {
    addForeign(gcpBucket);
    const refusal = `backup bucket of service ${serviceId} cannot be taken over, since no update changes its bucketProvider: declare what the service has there, or delete it first`;
    expect((await failureOf(create(awsBucket))).message).to.equal(refusal);
    const { failures } = await check({}, awsBucket);
    expect(failures.map(({ message }) => message)).to.deep.equal([refusal]);
    expect(writes()).to.deep.equal([]);
  });

  it("a change of the provider replaces the bucket by the one that the program declares", async () => {
    const { id, state } = await create(gcpBucket);
    const news = { ...place, ...awsBucket };
    const opened = open();
    const changes = await resource.diff(id, state, news, opened.session);
    expect(changes.filter(({ replaces }) => replaces).map(({ path }) => path)).to.deep.equal([
      "bucketProvider",
    ]);
    expect((await check({}, awsBucket, opened)).failures).to.deep.equal([]);
    await deleteUnlessDeclared(resource, id, state, opened.session, true);
    expect(stored()).to.equal(undefined);
    await create(awsBucket, opened);
    expect(stored()).to.deep.include(awsBucket);
    expect(opened.warnings).to.deep.equal([]);
  });

  describe("that another provider's takes the place of", () => {
    const replaced = async (declared: object, news: object) => {
      const { id, state } = await create(declared);
      const opened = open();
      await resource.diff(id, state, { ...place, ...news }, opened.session);
      await deleteUnlessDeclared(resource, id, state, opened.session, true);
      const { failure } = await create(news, opened);
      expect(failure).to.equal(undefined);
      return opened.warnings;
    };

    it("is taken off the service, although onDestroy is keep", async () => {
      expect(await replaced({ ...gcpBucket, onDestroy: "keep" }, awsBucket)).to.deep.equal([]);
      expect(stored()).to.deep.include(awsBucket);
    });

    it("is taken off the service, although it was there before", async () => {
      addForeign({ ...gcpBucket, bucketPath: "https://gs.example.com/of-others" });
      await replaced(gcpBucket, awsBucket);
      expect(stored()).to.deep.include(awsBucket);
    });

    it("is taken off the service with a warning of the values that nothing restores", async () => {
      addForeign({ ...awsBucket, bucketPath: "https://s3.example.com/of-others" });
      const warnings = await replaced({ ...awsBucket, onDestroy: "restore" }, gcpBucket);
      expect(stored()).to.deep.include(gcpBucket);
      expect(warnings.join()).to.match(/will not restore the previous values .*of-others/);
    });
  });

  it("a bucket that moves to another service is set there before it is taken off this one", async () => {
    const { state } = await create(awsBucket);
    for (const [other, isFirst] of [
      [serviceId, true],
      [secondServiceId, false],
      [unknown, false],
    ] as const)
      expect(resource.isDeletedFirst?.(state, { ...place, ...gcpBucket, serviceId: other })).to.equal(
        isFirst,
      );
  });

  it("after a lost answer to the create, the next update takes over the bucket as its own", async () => {
    service.courses.push({ answer: reset });
    const { id, state, failure } = await create(awsBucket);
    expect(failure?.message).to.include("may have taken effect");
    const updated = await update(state, awsBucket);
    expect(writes()).to.deep.equal(["createBackupBucket", "updateBackupBucket"]);
    await resource.delete(id, updated, open().session);
    expect(model.store.backupBuckets.size).to.equal(0);
  });

  it("destroying an adopted bucket keeps it, with a warning", async () => {
    addForeign({ ...awsBucket, bucketPath: "https://s3.example.com/of-others" });
    const taken = await create(awsBucket);
    const opened = open();
    await resource.delete(taken.id, taken.state, opened.session);
    expect(stored()).to.deep.include({ bucketPath: awsBucket.bucketPath });
    expect(opened.warnings.join()).to.match(/keeps its backup bucket; onDestroy: "restore" would restore/);
  });

  it("an imported bucket declares no secret, which the next change of it needs", async () => {
    addForeign(gcpBucket);
    const id = `${organizationId}/${serviceId}`;
    const found = (await importObject(resource, id, {}, open().session)) as Imported;
    const { secretAccessKey, ...shown } = gcpBucket;
    expect(found.inputs).to.deep.equal({ ...place, ...shown });
    expect((await check(found.inputs, shown)).failures).to.deep.equal([]);
    const moved = { ...shown, bucketPath: "https://gs.example.com/backups/moved" };
    expect((await check(found.inputs, moved)).failures).to.deep.equal([
      {
        path: "secretAccessKey",
        message: "is missing: each request about a bucket of GCP needs it",
      },
    ]);
    expect((await check(found.inputs, { ...moved, secretAccessKey })).failures).to.deep.equal([]);
    expect((await check({ ...place, ...gcpBucket }, shown)).failures).to.have.length(1);
  });

  it("an imported bucket takes onDestroy without its secret", async () => {
    addForeign(gcpBucket);
    const { secretAccessKey: _, ...shown } = gcpBucket;
    const found = (await importObject(resource, serviceId, place, open().session)) as Imported;
    const keeping = { ...shown, onDestroy: "keep" };
    expect((await check(found.inputs, keeping)).failures).to.deep.equal([]);
    expect(await update(found.state, keeping)).to.include({ onDestroy: "keep" });
    expect(writes()).to.deep.equal([]);
  });

  describe("with regulated data", () => {
    beforeEach(() => {
      Object.assign(model.store.services.get(serviceId) ?? {}, { complianceType: "hipaa" });
    });

    it("a service with regulated data refuses a bucket in its own words", async () => {
      expect((await failureOf(create(awsBucket))).message).to.match(/complianceType hipaa takes no bucket/);
    });

    it("a service with regulated data has no bucket", async () => {
      expect(await resource.read(serviceId, place, open().session)).to.equal("gone");
    });
  });

  itKeeps({ type: "BackupBucket", valid: place }, [
    [awsBucket, []],
    [
      { bucketProvider: "AWS", bucketPath: "https://s3.example.com/backups" },
      "iamRoleArn is missing: a bucket of AWS needs it",
    ],
    [{ ...awsBucket, accessKeyId: "GOOG" }, "accessKeyId does not go with a bucket of AWS"],
    [{ ...azureBucket, bucketPath: "backups" }, "bucketPath does not go with a bucket of AZURE"],
    [
      { ...gcpBucket, secretAccessKey: undefined },
      "secretAccessKey is missing: each request about a bucket of GCP needs it",
    ],
    [
      { ...gcpBucket, onDestroy: "restore" },
      "onDestroy must be keep with GCP, since no answer shows the former secretAccessKey",
    ],
    [{ ...gcpBucket, onDestroy: "keep" }, []],
  ]);
});
