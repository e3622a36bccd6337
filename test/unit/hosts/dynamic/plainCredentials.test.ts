import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { warnOfPlainCredentials } from "../../../../provider/hosts/dynamic/managedResource";

describe("Credentials in plain text in the configuration of a stack", () => {
  after(() => {
    pulumi.runtime.setAllConfig({});
    pulumi.runtime.resetOptions("", "", -1, "", "", false, "");
  });

  /** What the run of a program warns of that declares several resources. */
  function warningsOf(secrets: string[]): readonly string[] {
    pulumi.runtime.setMocks({ newResource: () => ({ id: "", state: {} }), call: () => ({}) });
    pulumi.runtime.setAllConfig({ "pipestack:keyId": "k", "pipestack:keySecret": "s" }, secrets);
    const lines: string[] = [];
    const { warn } = console;
    console.warn = (line: string) => void lines.push(line);
    try {
      for (let resource = 0; resource < 3; resource++) warnOfPlainCredentials();
    } finally {
      console.warn = warn;
    }
    return lines;
  }

  it("warns of a plain-text credential once in each run of a process with several programs", () => {
    for (let run = 0; run < 2; run++) {
      const [warning, ...others] = warningsOf([]);
      expect(warning).to.match(
        /pipestack:keySecret is plain text .*"pulumi config set --secret pipestack:keySecret"$/,
      );
      expect(others).to.deep.equal([]);
    }
    expect(warningsOf(["pipestack:keySecret"])).to.deep.equal([]);
  });
});
