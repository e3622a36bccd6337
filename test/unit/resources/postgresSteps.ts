import { expect } from "chai";
import type { Session } from "../../../provider/lifecycle/session";
import { resources } from "../../../provider/resources/registry";
import { type PostgresService, seededCredentials } from "../../../sandbox/index";
import { useService } from "../lifecycle/scriptedService";

const { PostgresService: resource } = resources;
export const { organizationId } = seededCredentials;
export const minute = 60_000;
export const rule = { source: "203.0.113.0/24", portRange: "5432" };
export const password = "Secret-12-Secret";
export const orders = {
  ...{ organizationId, name: "orders", provider: "aws", region: "eu-central-1", size: "r8gd.large" },
  deletionProtection: false,
};

/** The sandbox's model in the dialect clickhouse, and the steps of a Postgres service in it. */
export function usePostgres() {
  // The sandbox takes a minute and a half to create one, so that the provider has to wait.
  const service = useService({ dialect: "clickhouse", stateMilliseconds: minute / 2 });
  const { model } = service;
  const open = (settings: object = {}) => service.open({ dialect: "clickhouse", ...settings });
  const stored = (id: string) => model.store.postgresServices.get(id) as PostgresService;
  const create = (session: Session, changed: object = {}) =>
    resource.create({ ...orders, ...changed }, session);
  const make = async (changed: object = {}) => {
    const { session, notices, warnings } = open();
    const made = await create(session, changed);
    expect(made.failure).to.equal(undefined);
    return { ...made, session, notices, warnings };
  };
  const update = (id: string, state: object, changed: object, by = open().session) =>
    resource.update(id, state as never, { ...orders, ...changed }, by);
  const diff = (id: string, state: object, changed: object, by = open().session) =>
    resource.diff(id, state as never, { ...orders, ...changed }, by);
  const inputsRead = async (id: string, state: object) => {
    const read = await resource.read(id, state as never, open().session);
    return (read as { inputs: Record<string, unknown> }).inputs;
  };
  return { service, model, open, stored, create, make, update, diff, inputsRead };
}
