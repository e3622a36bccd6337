import { functions } from "../../functions/registry";
import { declarable } from "../../resources/registry";
import { sloInputs, sloOutputs } from "../../resources/slo/slo";
import type { Package } from "./packageSchema";
import { constructSlo } from "./sloConstruct";

/** The resources, components and functions that the Pulumi plugin offers. */
export const offer: Package = {
  resources: declarable,
  components: { Slo: { inputs: sloInputs, outputs: sloOutputs, construct: constructSlo } },
  functions,
};
