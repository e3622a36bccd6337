import type { PropertyMap } from "../../../provider/values/data";
import type { Dialect, OperationName, Sandbox } from "../../../sandbox/index";
import type { Service } from "../faults/faultyService";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

/** The test data of one resource type, by which general tests cover all types. */
export interface Example {
  /** Valid inputs that declare every property of the resource type. */
  readonly valid: JsonObject;
  /**
   * Programs of the resource type that together declare every property of every dialect and API. The objects to which they
   * refer exist in a sandbox after `furnish`.
   */
  readonly wholes: { readonly [title: string]: JsonObject };
  /**
   * Property values that mean the same as those of an example program but are written differently. The key is the title under
   * which `wholes` has the program.
   */
  readonly equivalents?: { readonly [title: string]: JsonObject };
  /**
   * The dialect and the APIs that an example program needs. The key is the title under which `wholes` has the program. A
   * program that is not listed works everywhere.
   */
  readonly needs?: { readonly [title: string]: { readonly dialect?: Dialect; readonly apis?: string } };
  /**
   * Returns the path at which the API's answers show a declared property; undefined if answers lack the property. Without this
   * function it is the same path.
   */
  shownAt?(path: string, program: PropertyMap, dialect: Dialect): string | undefined;
  /**
   * Other valid values of properties that refer to objects or are one of a set, by the value or by the name of the property.
   */
  readonly alternatives?: { readonly [member: string]: readonly Json[] };
  /**
   * Returns the operations that create the object of a program, in order. Without this function it is the resource's create
   * operation.
   */
  createdBy?(program: PropertyMap, dialect: Dialect): readonly OperationName[];
  /** Returns the request body for a program, in the server's names. Without this function it has the declared properties. */
  bodyOf?(program: PropertyMap, dialect: Dialect): PropertyMap;
  /** Whether an update of the resource sends only the differing properties, in several requests where necessary. */
  readonly isUpdatedInParts?: true;
  /**
   * Whether an update in parts sends a value, by its path in the request, although that path has not changed. If absent, no test
   * looks at that.
   * @param changed the changed property paths
   */
  isSentBeside?(path: string, changed: readonly string[]): boolean;
  /** Returns the programs before and after a change of the resource. They may refer to objects that `furnish` creates. */
  programs(service: Service): readonly [PropertyMap, PropertyMap];
  find(sandbox: Sandbox, id: string): object | undefined;
  /**
   * Returns a record of the sandbox without properties that change by themselves, and with unordered lists sorted. If absent,
   * tests compare the whole record.
   */
  lasting?(record: PropertyMap): PropertyMap;
  /** Returns a record of the sandbox with the property names that programs use. If absent, the names are the same. */
  asDeclared?(record: PropertyMap): PropertyMap;
  /** Properties that change along with others, so that tests of a single change leave them out. */
  readonly follows?: readonly string[];
  /** The names of properties that the service generates, such as ids, so that equal objects differ in them. */
  readonly made?: readonly string[];
  /** Whether lists of objects leave out properties that programs declare. */
  readonly isListedInPart?: true;
  /** Creates an object of another person in a sandbox. Absent if every new sandbox already has one. */
  furnish?(service: Service): void;
  /** The id of an object of another person, about which tests send requests. A singleton has none. */
  readonly home?: string;
  /** How a test creates a second object of the resource type. Absent for singletons. */
  readonly creatable?: Creatable;
}

/** How a test creates an object of the resource type directly in the sandbox, as another person would. */
export interface Creatable {
  readonly id: string;
  add(service: Service, id: string): void;
  /** True if the service refuses a second object of the type with the same name. */
  readonly hasUniqueName?: boolean;
}

export const organizationId = "3f1c6a52-7d0e-4b8f-9a41-5c2e8d7b6f10";
export const serviceId = "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59";

export const placed = (adoptId: string, program: JsonObject): JsonObject => ({
  ...{ organizationId, serviceId, adoptId },
  ...program,
});
