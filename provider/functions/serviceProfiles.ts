import { inOrganization, scopeOf } from "../lifecycle/scope";
import { type Static, type TArray, Type } from "../values/schemaBuilders";
import type { FunctionDefinition, ResultOf } from "./definition";

const profileSchema = Type.Object({
  /** Name of the profile, for `profile` of a `Service`. */
  profile: Type.Optional(Type.String()),
  /** CPU cores of a replica with the profile. */
  cpuCores: Type.Optional(Type.Number()),
  /** Memory of a replica with the profile, in GiB. */
  memoryGi: Type.Optional(Type.Number()),
});

/** A profile that services of an organization may have. */
export interface ServiceProfile extends ResultOf<typeof profileSchema> {}

// A type of its own, by which the published declarations tell these arguments from those of other functions.
const profilesArguments = inOrganization<Record<never, never>>({});

/**
 * The profiles that services of an organization may have, with the cores and the memory of a replica. Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing or another dialect is set, the service refuses the request, or
 * no answer arrives
 * @example
 * ```typescript
 * const profiles = pipestack.getServiceProfiles();
 * export const large = profiles.then((all) => all.filter(({ memoryGi = 0 }) => memoryGi >= 64).map(({ profile }) => profile));
 * ```
 */
export const getServiceProfiles: FunctionDefinition<
  typeof profilesArguments,
  TArray<typeof profileSchema>
> = {
  name: "getServiceProfiles",
  dialect: "clickhouse",
  arguments: profilesArguments,
  result: Type.Array(profileSchema),
  run: (args, session) =>
    session.call("getServiceProfiles", scopeOf("organization", args, session)) as unknown as Promise<
      ServiceProfile[]
    >,
};

/** Arguments of {@link getServiceProfiles}. */
export interface GetServiceProfilesArgs extends Static<typeof profilesArguments> {}
