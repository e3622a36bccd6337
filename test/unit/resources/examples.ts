import type { TypeName } from "../../../provider/resources/registry";
import { alertExample } from "./alert.example";
import { apiKeyExample } from "./apiKey.example";
import { dashboardExample } from "./dashboard.example";
import type { Example } from "./example";
import { queryEndpointExample } from "./queryEndpoint.example";
import { serviceScalingExample } from "./serviceScaling.example";

/** The example of each type. */
export const examples: { readonly [Type in TypeName]: Example } = {
  ServiceScaling: serviceScalingExample,
  ApiKey: apiKeyExample,
  QueryEndpoint: queryEndpointExample,
  Alert: alertExample,
  Dashboard: dashboardExample,
};
