import { contextOf } from "../../lifecycle/scope";
import { perSession, type Session } from "../../lifecycle/session";
import type { PropertyMap } from "../../values/data";
import { nearest } from "../../values/nearest";
import { isUnknown } from "../../values/unknown";
import { settingsIn } from "./foundSettings";

const namesOf = perSession(() => new Map<string, Promise<ReadonlySet<unknown>>>());

/** The names of the settings that a service's database has, from one request for all checks of a run; it wakes no service. */
function knownNames(inputs: PropertyMap, session: Session): Promise<ReadonlySet<unknown>> {
  const { scope } = contextOf({ scope: "service" }, inputs, session);
  const key = JSON.stringify(scope);
  const names =
    namesOf(session).get(key) ??
    session
      .call("getServiceSettingsSchema", scope)
      .then(({ settings }) => new Set(settings.map(({ name }) => name)));
  namesOf(session).set(key, names);
  return names;
}

/**
 * Warnings about newly declared settings whose names the service does not know. This is advice: a service that does not answer,
 * or that is yet to be created, makes no preview fail, and the update has the service's own words.
 *
 * @param olds the inputs in the Pulumi state, empty for a new resource
 */
export async function mistypedSettings(
  olds: PropertyMap,
  inputs: PropertyMap,
  session: Session,
): Promise<string[]> {
  const added = Object.keys(settingsIn(inputs)).filter((name) => !(name in settingsIn(olds)));
  if (added.length === 0 || isUnknown(inputs.serviceId) || session.isOffline || session.hasWritten) return [];
  const known = await knownNames(inputs, session).catch(() => undefined);
  if (!known || known.size === 0) return [];
  return added
    .filter((name) => !known.has(name))
    .map((name) => {
      const suggestion = nearest(name, [...known].map(String));
      return `ServiceSettings: the service has no setting ${name}${suggestion ? `; did you mean ${suggestion}?` : ""}`;
    });
}
