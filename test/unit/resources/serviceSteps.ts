import { expect } from "chai";
import type { Session } from "../../../provider/lifecycle/session";
import { resources } from "../../../provider/resources/registry";
import { type Service, seededCredentials } from "../../../sandbox/index";
import { useService } from "../lifecycle/scriptedService";

const { Service: resource } = resources;
export const { organizationId, serviceId, secondServiceId } = seededCredentials;

export const lake = {
  ...{ organizationId, name: "lake", provider: "aws", region: "eu-west-1" },
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
  deletionProtection: false,
};

export function useServices() {
  // The sandbox takes a minute and a half to create a service and half a minute to stop one, so that the provider has to wait.
  const service = useService({ dialect: "clickhouse", stateMilliseconds: 30_000 });
  const { model } = service;
  const open = () => service.open({ dialect: "clickhouse" });
  const stored = (id: string) => model.store.services.get(id) as Service;
  const counts = () =>
    Object.fromEntries(
      [...new Set(service.requests)].map((name) => [
        name,
        service.requests.filter((request) => request === name).length,
      ]),
    );
  const created = () => [...model.store.services.values()].slice(2);
  const create = (session: Session, changed: object = {}) =>
    resource.create({ ...lake, ...changed }, session);
  const make = async (changed: object = {}) => {
    const { session, notices, warnings } = open();
    const made = await create(session, changed);
    expect(made.failure).to.equal(undefined);
    return { ...made, session, notices, warnings };
  };
  const update = (id: string, state: object, changed: object, by = open().session) =>
    resource.update(id, state as never, { ...lake, ...changed }, by);
  return { service, model, open, stored, counts, created, create, make, update };
}
