import type { Service } from "../../api/answers.golden";
import { decode } from "../../lifecycle/decode";
import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import { contextOf } from "../../lifecycle/scope";
import { declaredIn, declaresNothing, trackingOf } from "../../lifecycle/state";
import { type Change, equal, shows } from "../../values/compare";
import { type MembersOf, type PropertyMap, pick } from "../../values/data";
import { entriesAmong } from "../../values/entries";
import { isEverywhere } from "../../values/network";
import { schemaAt } from "../../values/schema";
import type { Static } from "../../values/schemaBuilders";
import { containsUnknown, unknown } from "../../values/unknown";
import { warnOfQuota } from "../access/quotas";
import { noteComing, noteService } from "../scaling/scalingOwners";
import { membersOfReplicaScaling } from "../scaling/scalingRules";
import { noteChanged, refuseEngineReplacement } from "./engineReplacements";
import { createService } from "./serviceCreation";
import { deleteService, howToUnprotect, isProtected } from "./serviceDeletion";
import { serviceInputs, serviceOutputs } from "./serviceInputs";
import { entriesIn, type ListName, listSchema, ownsAllAddresses } from "./serviceLists";
import { serviceFailures, serviceWarnings } from "./serviceRules";
import { titleOf, waiting, wishedState } from "./serviceStates";
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
    ...otherAddressesOf(live, declared, former),
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
      noteComing(checked.inputs, Object.keys(olds).length === 0, session);
      await warnOfQuota("services-per-organization", serviceResource, olds, checked, session);
      return checked;
    },

    async diff(usual, id, state, inputs, session) {
      const [shared] = noteService(id, inputs, session);
      if (shared !== undefined)
        throw new Error(
          `${shared} is declared by a ServiceScaling of service ${id}, too; declare it in one of the two`,
        );
      const changes = await usual(id, state, inputs, session);
      if (changes.length === 0) return changes;
      const replacing = changes.filter(({ replaces }) => replaces);
      const now = () =>
        session.lists
          .find("listServices", contextOf(serviceResource, state, session).scope, id)
          .catch(() => ({}));
      const title = titleOf(id, state);
      const noteAs = (isKept: boolean) =>
        noteChanged({ id, title, inputs: declaredIn(serviceResource, inputs), isProtected: isKept }, session);
      if (replacing.length === 0) {
        noteAs(isProtected(state, undefined));
        return changes;
      }
      if (!isProtected(state, await now())) {
        noteAs(false);
        session.warnOnce(
          `${replacing.map(({ path }) => path).join(", ")}: the change will replace ${title} by an empty one, and its data will be lost`,
        );
        return changes;
      }
      // If a preview does not know the new value of a property, the value may turn out unchanged. So the preview does not refuse
      // the service's replacement because of such a property.
      const isOpen = ({ path }: Change) => containsUnknown(inputs[path]);
      const known = replacing.filter((change) => !isOpen(change)).map(({ path }) => path);
      if (known.length > 0)
        throw new Error(
          `${known.join(", ")}: the change would replace ${title}, which is protected, by an empty one, and lose its data; ${howToUnprotect}`,
        );
      noteAs(true);
      return changes.map((change) => ({ ...change, replaces: false }));
    },

    plan(usual, state, inputs, session, id) {
      const planned = usual(state, inputs, session, id);
      if (!state) return planned;
      const changes = (name: keyof Inputs) =>
        !equal(schemaAt(serviceInputs, name), state[name], inputs[name]);
      return {
        ...planned,
        ...(inputs.mysqlEndpoint !== undefined && changes("mysqlEndpoint") && { endpoints: unknown }),
        ...(changes("passwordKeepers") && inputs.password === undefined && { generatedPassword: unknown }),
      };
    },

    async create(usual, inputs, session) {
      refuseEngineReplacement(declaredIn(serviceResource, inputs), howToUnprotect, session);
      const created = await usual(inputs, session);
      noteService(created.id, inputs, session);
      const { generatedPassword, password } = created.state;
      const isLost = inputs.adoptId !== undefined || trackingOf(created.state).taken === true;
      if (isLost && password === undefined && generatedPassword === undefined)
        session.warnOnce(`the password of service ${created.id} is not known; ${toGetPassword}`);
      const { otherAddresses = [] } = created.state as { readonly otherAddresses?: readonly string[] };
      const open = otherAddresses.filter(isEverywhere);
      if (open.length > 0)
        session.warnOnce(
          `service ${created.id} lets everybody in (${open.join(", ")}), which the program does not declare; keepOtherAddresses: false removes it`,
        );
      return created;
    },

    async read(usual, id, state, session) {
      const live = await usual(id, state, session);
      const isImport = declaresNothing(serviceResource, state);
      if (live === "gone" && !isImport)
        session.warnOnce(
          `${titleOf(id, state)} was deleted, and its data is lost: the next update makes another one, which is empty and billed`,
        );
      if (isImport && typeof live === "object")
        session.warnOnce(`the password of service ${id} is not known; ${toGetPassword}`);
      return live;
    },

    async update(usual, id, state, inputs, session) {
      const updated = await usual(id, state, inputs, session);
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
        ? entriesIn(answer, "ipAccessList")
        : own("ipAccessList", answer, declared, former),
    }),
    ...("tags" in answer && { tags: own("tags", answer, declared, former) }),
    ...(Array.isArray(endpoints) && {
      mysqlEndpoint: endpoints.some((endpoint: PropertyMap) => endpoint?.protocol === "mysql"),
    }),
    ...(state !== undefined && { desiredState: state }),
  };
}

/** The program's entries of one list in an answer about a service, such as its tags; all if it does not declare the list. */
function own(
  name: ListName,
  answer: PropertyMap,
  declared: PropertyMap,
  former: PropertyMap,
): readonly PropertyMap[] {
  const entries = entriesIn(answer, name);
  if (!(name in declared)) return entries;
  return entriesAmong(listSchema(name), entries, [...entriesIn(declared, name), ...entriesIn(former, name)]);
}

/** The output that names the addresses of other people; absent as long as nothing tells which ones are the program's. */
function otherAddressesOf(answer: PropertyMap, declared: Partial<Inputs>, former: PropertyMap): PropertyMap {
  if (!("ipAccessList" in answer) || !("ipAccessList" in declared)) return {};
  const ours = own("ipAccessList", answer, declared, former);
  const others = entriesIn(answer, "ipAccessList").filter((entry) => !ours.includes(entry));
  return { otherAddresses: ownsAllAddresses(declared) ? [] : others.map(({ source }) => String(source)) };
}

const toGetPassword = "declare password, or change passwordKeepers to have one made";
