/**
 * What the engine's dynamic host loads, by the constant string that the state of each resource holds. These names are
 * frozen: state written by the first release calls them for ever.
 */
import { hostProvider } from "./hosts/dynamic/hostAdapter";
import { alertResource } from "./resources/alert";
import { apiKeyResource } from "./resources/apiKey";
import { dashboardResource } from "./resources/dashboard";
import { queryEndpointResource } from "./resources/queryEndpoint";
import { serviceScalingResource } from "./resources/serviceScaling";

export const ServiceScaling = hostProvider(serviceScalingResource);
export const ApiKey = hostProvider(apiKeyResource);
export const QueryEndpoint = hostProvider(queryEndpointResource);
export const Alert = hostProvider(alertResource);
export const Dashboard = hostProvider(dashboardResource);
