import type { Service } from "../../api/answers.golden";
import { decode } from "../../lifecycle/decode";
import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import { contextOf } from "../../lifecycle/scope";
import { declaresNothing, trackingOf } from "../../lifecycle/state";
import { equal, shows } from "../../values/compare";
import { type MembersOf, type PropertyMap, pick } from "../../values/data";
import { schemaAt } from "../../values/schema";
import type { Static } from "../../values/schemaBuilders";
import { unknown } from "../../values/unknown";
import { isRotated } from "../access/generatedPassword";
import { warnOfOpen } from "../access/openAddresses";
import {
  otherAddressesOf,
  ownEntries,
  ownsAllAddresses,
  shownEntries,
  withOwnAddresses,
} from "../access/ownedLists";
import { warnOfQuota } from "../access/quotas";
import { titleOf, warnOfLoss } from "../protection/protection";
import { membersOfReplicaScaling, sharedScaling } from "../scaling/scalingRules";
import { dying, stateOf, waiting, wishedState } from "../serviceState/serviceStates";
import { createService } from "./serviceCreation";
import { deleteService, serviceProtection } from "./serviceDeletion";
import { serviceInputs, serviceOutputs } from "./serviceInputs";
import { serviceFailures, serviceWarnings } from "./serviceRules";
import { creationOf, stepsOf } from "./serviceSteps";

type Inputs = Static<typeof serviceInputs>;

/** Members of a service whose values in an answer of the API have the form in which a program declares them. */
const shownAsDeclared = [
  ...["name", "provider", "region", "dataWarehouseId", "isReadonly", "releaseChannel"],
  ...["hasTransparentDataEncryption", "transparentDataEncryptionKeyId", "complianceType", "byocId"],
  ...["profile", "enableCoreDumps"],
];

export const serviceResource: Resource = resourceOf({
  type: "Service",
  noun: "service",
  inputs: serviceInputs,
  outputs: serviceOutputs,
  scope: "organization",
  dialect: "clickhouse",
  isNoOrphan: true,
  operations: {
    create: "createService",
    list: "listServices",
    get: "getService",
    update: "updateService",
    delete: "deleteService",
  },
  calls: ["updateReplicaScaling", "updateServicePassword", "updateServiceState"],
  namedBy: "name",
  completenessField: "region",
  waiting,

  failures: (declared, olds) => serviceFailures(declared, olds),
  warnings: (declared, _settings, olds) => serviceWarnings(declared, olds),

  encode: (body, _settings, current) => (current ? body : creationOf(body)),

  formOf: (live, declared, _reference, former = {}) => ({
    ...pick(live, Object.keys(serviceOutputs.properties)),
    ...otherAddressesOf({ inputs: serviceInputs }, live, declared, former),
    // The answer to the create request has a password that the service made. It is no output if the program declares a password,
    // which the provider sets instead.
    ...(typeof live.password === "string" &&
      declared.password === undefined && { generatedPassword: live.password }),
    ...inputsOf(live, declared, former),
  }),

  isLike: (object, body) => {
    const { inputs } = decode(serviceResource, object);
    return shows(serviceInputs, pick(body, ["name", "provider", "region", "ipAccessList"]), inputs);
  },

  inferredInputs: ({ state }) => {
    const desiredState = wishedState(state);
    return desiredState === undefined ? {} : { desiredState };
  },

  // What `pulumi import` declares of a service. Only a service that joins another one's warehouse declares the warehouse, and
  // only the primary service of a warehouse its release channel. Whether a service runs at the moment of the import does not
  // show whether somebody wants it to run.
  declaration: ({ dataWarehouseId, releaseChannel, desiredState: _, ...members }, { isPrimary }) =>
    isPrimary === false ? { ...members, dataWarehouseId } : { ...members, releaseChannel },

  creation: (creating, usual) => createService(serviceResource, creating, usual),

  steps: (aim) => stepsOf(serviceResource, aim),

  around: {
    async check(usual, olds, news, session) {
      const checked = await usual(olds, news, session);
      sharedScaling.noteComing(checked.inputs, Object.keys(olds).length === 0, session);
      await warnOfQuota("services-per-organization", serviceResource, olds, checked, session);
      return checked;
    },

    async diff(usual, id, state, inputs, session) {
      const [shared] = sharedScaling.noteOwn(id, inputs, session);
      if (shared !== undefined)
        throw new Error(
          `${shared} is declared by a ServiceScaling of service ${id}, too; declare it in one of the two`,
        );
      sharedScaling.noteFormer(id, state, session);
      const changes = [...(await usual(id, state, inputs, session))];
      const shownState = () =>
        session.lists.find("listServices", contextOf(serviceResource, state, session).scope, id).then(
          (live) => live && stateOf(live),
          () => "unknown",
        );
      return serviceProtection.guard(changes, inputs, { id, state, shownState }, session);
    },

    plan(usual, state, inputs, session, id) {
      const planned = usual(state, inputs, session, id);
      if (!state) return planned;
      const changes = (name: keyof Inputs) =>
        !equal(schemaAt(serviceInputs, name), state[name], inputs[name]);
      return {
        ...planned,
        ...(inputs.mysqlEndpoint !== undefined && changes("mysqlEndpoint") && { endpoints: unknown }),
        ...(isRotated(inputs, state) && inputs.password === undefined && { generatedPassword: unknown }),
      };
    },

    async create(usual, inputs, session) {
      serviceProtection.refuseEngineReplacement(inputs, session);
      const created = await usual(inputs, session);
      sharedScaling.noteOwn(created.id, inputs, session);
      const { generatedPassword, password } = created.state;
      const isLost = inputs.adoptId !== undefined || trackingOf(created.state).taken === true;
      if (isLost && password === undefined && generatedPassword === undefined)
        session.warnOnce(`the password of service ${created.id} is not known; ${toGetPassword}`);
      warnOfOpen(serviceResource, `service ${created.id}`, created.state, inputs, session);
      return created;
    },

    async read(usual, id, state, session) {
      const live = await usual(id, state, session);
      const isImport = declaresNothing(serviceResource, state);
      if (live !== "gone" || !isImport) warnOfLoss(titleOf(serviceResource, id, state), live, dying, session);
      if (isImport && typeof live === "object")
        session.warnOnce(`the password of service ${id} is not known; ${toGetPassword}`);
      return live;
    },

    async update(usual, id, state, inputs, session) {
      const known = withOwnAddresses(serviceResource, id, state, inputs, session);
      const updated = await usual(id, known, inputs, session);
      if (inputs.password === undefined) return updated;
      const { generatedPassword: _, ...others } = updated;
      return others;
    },

    delete: (_usual, id, state, session) => deleteService(serviceResource, id, state, session),
  },
});

/**
 * The members of a service in an answer, as a program declares them. Of a declared list, only the program's entries are kept,
 * unless the program owns the whole list.
 *
 * @param former lists whose entries belong to the program, too: it declared them before, or their removal is owed
 */
function inputsOf(answer: MembersOf<Service>, declared: Partial<Inputs>, former: PropertyMap): PropertyMap {
  const { replicaMemoryGb } = answer;
  const scaling = pick(
    // For horizontal scaling, the answer may show only `replicaMemoryGb`, which is both the minimum and the maximum.
    { minReplicaMemoryGb: replicaMemoryGb, maxReplicaMemoryGb: replicaMemoryGb, ...answer },
    membersOfReplicaScaling,
  );
  const endpoints = answer.endpoints;
  const state = wishedState(answer.state) ?? declared.desiredState;
  return {
    ...pick(answer, shownAsDeclared),
    ...scaling,
    ...("ipAccessList" in answer && {
      ipAccessList: ownsAllAddresses(declared)
        ? shownEntries(answer, "ipAccessList")
        : ownEntries({ inputs: serviceInputs }, "ipAccessList", answer, declared, former),
    }),
    ...("tags" in answer && {
      tags: ownEntries({ inputs: serviceInputs }, "tags", answer, declared, former),
    }),
    ...(Array.isArray(endpoints) && {
      mysqlEndpoint: endpoints.some((endpoint: PropertyMap) => endpoint?.protocol === "mysql"),
    }),
    ...(state !== undefined && { desiredState: state }),
  };
}

const toGetPassword = "declare password, or change passwordKeepers to have one made";
