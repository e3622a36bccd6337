import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { useService } from "../lifecycle/scriptedService";
import { itKeeps, textOf } from "./rules";
import { lake } from "./serviceSteps";

const { Service: resource } = resources;

describe("The check of a service", () => {
  const service = useService({ dialect: "clickhouse" });
  itKeeps({ type: "Service", valid: lake }, [
    [
      { ipAccessList: [{ source: "office" }] },
      "ipAccessList[0].source must be an IP address or a CIDR range, such as 203.0.113.0/24",
    ],
    [
      { ipAccessList: [{ source: "192.0.2.1" }, { source: "192.0.2.1/32" }] },
      "ipAccessList[1].source is there twice",
    ],
    [{ tags: [{ key: "a" }, { key: "a" }] }, "tags[1].key is there twice"],
    [{ isReadonly: true }, "dataWarehouseId is missing: isReadonly needs it"],
    [
      { transparentDataEncryptionKeyId: "k" },
      "hasTransparentDataEncryption is missing: transparentDataEncryptionKeyId needs it",
    ],
    [{ backupEncryptionConfig: { key: "k" } }, "backupId is missing: backupEncryptionConfig needs it"],
    [{ byocId: "account", minReplicaMemoryGb: 16 }, "maxReplicaMemoryGb is missing: byocId needs it"],
    [{ region: "us-central1" }, "region must be a region of aws: us-central1 is one of gcp"],
    [
      { dataWarehouseId: "b8e4d0f6-1c3a-4752-9f6d-0a7b5e2c8d91", password: "Correct-horse-7" },
      "password must be left out: a service that joins a warehouse has the password of the primary service",
    ],
    [{ name: "a".repeat(51) }, "name must be a text of 1 to 50 characters"],
    [{ name: "data-lake (v1.2)" }, []],
    [{ minReplicas: 2 }, "maxReplicas is missing: minReplicas needs it"],
  ]);

  const [elsewhere, weak] = [{ region: "eu-north-9" }, { password: "correct horse" }];
  // The service gets only the hashes of a password, so it cannot check the password itself.
  const advice: readonly (readonly [changed: object, warnings: readonly string[], before?: PropertyMap])[] = [
    [elsewhere, ["eu-north-9 is no region of aws that this version knows; the service may know it"]],
    [elsewhere, [], { ...lake, ...elsewhere }],
    [
      weak,
      [
        'password lacks a capital letter, a digit: ClickHouse Cloud asks for that ("CREATE USER" in its documents), and cannot check it here, since only hashes are sent',
      ],
    ],
    [weak, [], { ...lake, ...weak }],
    [{ password: "Correct-horse-7" }, []],
    [{ ipAccessList: [{ source: "0.0.0.0/0" }] }, ["ipAccessList lets everybody in (0.0.0.0/0)"]],
    [{ ipAccessList: [] }, ["ipAccessList: [] lets nobody in"]],
    [{ ipAccessList: [], keepOtherAddresses: false }, ["ipAccessList: [] lets nobody in"], { ...lake }],
    [
      { ipAccessList: [] },
      [
        "ipAccessList: [] allows no address, and those that others have added stay; keepOtherAddresses: false removes them",
      ],
      { ...lake },
    ],
  ];
  for (const [changed, warnings, before] of advice)
    it(`the check of a service ${warnings.length > 0 ? "warns of" : "says nothing of"} ${textOf({ ...changed })}${before ? " as it was before" : ""}`, async () => {
      const { session } = service.open({ dialect: "clickhouse" });
      const checked = await resource.check(before ?? {}, { ...lake, ...changed }, session);
      expect(checked.warnings).to.deep.equal(warnings.map((warning) => `Service: ${warning}`));
    });

  it("the primary service of a warehouse may declare its own warehouse and its password", async () => {
    const primary = {
      ...lake,
      dataWarehouseId: "b8e4d0f6-1c3a-4752-9f6d-0a7b5e2c8d91",
      password: "Correct-horse-7",
    };
    const { session } = service.open({ dialect: "clickhouse" });
    expect((await resource.check({ ...primary }, primary, session)).failures).to.deep.equal([]);
  });

  it("a preview leaves a service's password unknown if a change of passwordKeepers generates a new one", () => {
    const state = { ...lake, generatedPassword: "old", passwordKeepers: { a: "1" }, endpoints: [] };
    const plan = (changed: object) =>
      resource.plan(state, { ...lake, passwordKeepers: { a: "1" }, ...changed });
    expect(plan({})).to.include({ generatedPassword: "old" });
    expect(plan({ passwordKeepers: { a: "2" } }).generatedPassword).to.not.equal("old");
    expect(plan({ mysqlEndpoint: true }).endpoints).to.not.deep.equal([]);
  });
});
