import { expectNoSecrets, useFixture } from "./fixture";

describe("a secret that a transformation of the program declares", () => {
  const fixture = useFixture();
  const hashData = { keyIdHash: "hash-of-the-id", keyIdSuffix: "abcd", keySecretHash: "hash-of-the-secret" };

  it("is readable nowhere, and shows no change", async () => {
    await fixture.apply(`
pulumi.runtime.registerStackTransformation(({ props, opts, type }) =>
  type.endsWith(":ApiKey") ? { props: { ...props, hashData: ${JSON.stringify(hashData)} }, opts } : undefined,
);
new ApiKey("transformed", { roles: ["admin"] });
`);
    await expectNoSecrets(fixture, hashData.keyIdHash, hashData.keySecretHash);
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    await fixture.apply(
      `new ApiKey("transformed", { roles: ["admin"], hashData: ${JSON.stringify(hashData)} });`,
      {
        args: ["--expect-no-changes"],
      },
    );
  });
});
