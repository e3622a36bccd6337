import type { Resource } from "../../lifecycle/lifecycle";
import { alertResource } from "../../resources/alert";
import { apiKeyResource } from "../../resources/apiKey";
import { dashboardResource } from "../../resources/dashboard";
import { queryEndpointResource } from "../../resources/queryEndpoint";
import { serviceScalingResource } from "../../resources/serviceScaling";
import type { TypeName } from "./typeNames";

/** What the provider does with each type of resource. */
export const resourceTypes: { readonly [type in TypeName]: Resource } = {
  ServiceScaling: serviceScalingResource,
  ApiKey: apiKeyResource,
  QueryEndpoint: queryEndpointResource,
  Dashboard: dashboardResource,
  Alert: alertResource,
};
