import { expect } from "chai";
import { usualHost } from "../pluginHost";
import { testInterruptions } from "./interruption";

testInterruptions(
  usualHost,
  ["the host killed", "the host interrupted", "the CLI killed"],
  ({ kind, stage, unfinished, orphans }) => {
    // The service has made the object, and its answer reached nobody.
    if (stage === "carriedOut") expect(orphans).to.have.length.at.least(1);
    if (kind === "the CLI killed" && stage !== "answered") expect(unfinished).to.be.at.least(1);
  },
);
