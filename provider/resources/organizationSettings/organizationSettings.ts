import { takeOver } from "../../lifecycle/create";
import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import { putBack } from "../../lifecycle/restore";
import { contextOf, inOrganization } from "../../lifecycle/scope";
import { declaredIn, declaresNothing, trackingOf } from "../../lifecycle/state";
import { pick } from "../../values/data";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import { firstOf } from "../../values/wording";

/**
 * Inputs of the settings of an organization. Only declared ones are sent and compared.
 * @see "Update organization details" in the documents of ClickHouse Cloud
 */
export const organizationSettingsInputs = inOrganization({
  /** Name of the organization. */
  name: Type.Optional(Type.String({ minLength: 1, irremovable: "declare another one to change it" })),
  /**
   * Whether ClickHouse Cloud collects core dumps of the organization's services when their database crashes; they may contain
   * data. A `Service` has a setting of its own.
   */
  enableCoreDumps: Type.Optional(Type.Boolean({ irremovable: "declare true or false to change it" })),
  /**
   * What destroying the resource does: `keep` (default) leaves the organization's settings as they are, `restore` puts back the
   * values from before the resource was created, of what the program declares then.
   */
  onDestroy: Type.Optional(oneOf(["keep", "restore"], { sent: "never" })),
});

export const organizationSettingsOutputs = Type.Object({
  /** When the organization was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
});

const members = ["name", "enableCoreDumps"];

export const organizationSettingsResource: Resource = resourceOf({
  type: "OrganizationSettings",
  noun: "settings of organization",
  inputs: organizationSettingsInputs,
  outputs: organizationSettingsOutputs,
  scope: "organization",
  dialect: "clickhouse",
  isNoOrphan: true,
  operations: {
    create: "updateOrganization",
    list: "listOrganizations",
    get: "getOrganization",
    update: "updateOrganization",
  },

  idIn: ({ organizationId }) => (typeof organizationId === "string" ? organizationId : undefined),

  failures: (declared) =>
    members.some((name) => declared[name] !== undefined)
      ? []
      : [{ path: "", message: `declare at least one of ${members.join(", ")}` }],

  decode: ({ id, ...organization }) => ({ ...organization, organizationId: id }),

  completenessField: "name",

  // An organization that the key does not see is that of another key, so its settings stay in the Pulumi state.
  async look(at, usual) {
    const observed = await usual(at);
    if (observed !== "gone" || declaresNothing(organizationSettingsResource, at.state)) return observed;
    throw new Error(
      `the key that signs the requests sees no organization ${at.id}: set the key that belongs to it`,
    );
  },

  around: {
    create(_usual, inputs, session) {
      const declared = declaredIn(organizationSettingsResource, inputs);
      const context = contextOf(organizationSettingsResource, declared, session);
      return takeOver(organizationSettingsResource, String(context.scope.organizationId), declared, context);
    },

    async delete(_usual, id, state, session) {
      const declared = pick(declaredIn(organizationSettingsResource, state), members);
      const values = pick(trackingOf(state).previous ?? {}, Object.keys(declared));
      const isRestored = state.onDestroy === "restore";
      const kept = Object.keys(declared).filter((name) => !isRestored || values[name] === undefined);
      if (kept.length > 0)
        session.warnOnce(
          `OrganizationSettings: organization ${id} keeps its ${firstOf(kept, members.length)}; ${
            isRestored
              ? "the Pulumi state does not have the previous values"
              : 'onDestroy: "restore" would restore the previous values'
          }`,
        );
      if (isRestored && Object.keys(values).length > 0)
        await putBack(organizationSettingsResource, id, values, state, session);
    },
  },
});
