import { expect } from "chai";
import { hostUnlessTold } from "../pluginHost";
import { type Outcome, testInterruptions } from "./interruption";

const expected = ({ kind, stage, unfinished, orphans }: Outcome) => {
  // The service has made the object, and its answer reached nobody.
  if (stage === "carriedOut") expect(orphans).to.have.length.at.least(1);
  if (kind === "the CLI killed" && stage !== "answered") expect(unfinished).to.be.at.least(1);
};

testInterruptions(hostUnlessTold("dynamic"), ["the host killed", "the CLI killed"], expected);
testInterruptions(hostUnlessTold("plugin"), ["the host interrupted"], expected);
