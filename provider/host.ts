/**
 * What the engine's dynamic host loads, by the constant string that the state of each resource holds. These names are
 * frozen: state written by the first release calls them for ever.
 */
import { hostProvider } from "./hosts/dynamic/hostAdapter";
import { resources } from "./resources/registry";

export const ServiceScaling = hostProvider(resources.ServiceScaling);
export const ApiKey = hostProvider(resources.ApiKey);
export const QueryEndpoint = hostProvider(resources.QueryEndpoint);
export const Alert = hostProvider(resources.Alert);
export const Dashboard = hostProvider(resources.Dashboard);
