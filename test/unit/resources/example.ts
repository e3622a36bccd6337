import type { Data } from "../../../provider/values/data";
import type { Dialect, OperationName, Sandbox } from "../../../sandbox/index";
import type { Service } from "../faults/service";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

/** The test data of one resource type. The tests of all types share it. */
export interface Example {
  /** Inputs that are valid and declare every property of the type. */
  readonly valid: JsonObject;
  /**
   * Programs of the resource type that together declare every property of every dialect and API. The objects to which they
   * refer exist in a sandbox after `furnish`.
   */
  readonly wholes: { readonly [title: string]: JsonObject };
  /** Property values that mean the same as those in `wholes` but are written differently, by the title of the program. */
  readonly equivalents?: { readonly [title: string]: JsonObject };
  /** The dialect and the APIs that a program in `wholes` needs, by its title. A program without an entry works everywhere. */
  readonly needs?: { readonly [title: string]: { readonly dialect?: Dialect; readonly apis?: string } };
  /**
   * Returns the path at which the API's answers show a declared property, or undefined if answers lack it. Default: the same
   * path.
   */
  shownAt?(path: string, program: Data, dialect: Dialect): string | undefined;
  /**
   * Other valid values of properties that refer to objects or are one of a set, by the value or by the name of the property.
   */
  readonly alternatives?: { readonly [member: string]: readonly Json[] };
  /** Returns the operations that create the object of a program, in order. Default: the resource's create operation. */
  createdBy?(program: Data, dialect: Dialect): readonly OperationName[];
  /** Returns the request body for a program, in the server's vocabulary. Default: the declared properties. */
  bodyOf?(program: Data, dialect: Dialect): Data;
  /** True if an update sends only the differing properties, in several requests where necessary. */
  readonly isUpdatedInParts?: true;
  /** Returns two programs: the one before and the one after a change. They may refer to objects that `furnish` creates. */
  programs(service: Service): readonly [Data, Data];
  /** Returns the sandbox's record of the object with this id, which a test may read or change. */
  find(sandbox: Sandbox, id: string): object | undefined;
  /**
   * Returns a record of the sandbox without properties that change by themselves, and with unordered lists sorted. Default: the
   * record.
   */
  lasting?(record: Data): Data;
  /** Returns a record of the sandbox with the property names that programs use. Default: the record. */
  asDeclared?(record: Data): Data;
  /** The names of properties that the service generates, such as ids, so that equal objects differ in them. */
  readonly made?: readonly string[];
  /** True if lists of objects leave out properties that programs declare. */
  readonly isListedInPart?: true;
  /** Creates an object in a sandbox that belongs to somebody else. Absent if a new sandbox already has one. */
  furnish?(service: Service): void;
  /** The id of an object that belongs to somebody else and that test requests name. A singleton has none. */
  readonly home?: string;
  /** Valid requests of the resource type by operation. Default: requests with the programs, and requests about `home`. */
  readonly requests?: Requests;
  /** How to create a second object of the type. Absent for singletons. */
  readonly creatable?: Creatable;
}

/** How to create an object of the type directly in the sandbox, as somebody else would. */
export interface Creatable {
  readonly id: string;
  add(service: Service, id: string): void;
  /** True if the service refuses a second object of the type with the same name. */
  readonly hasUniqueName?: boolean;
}

export type Requests = { readonly [Name in OperationName]?: readonly [parameters: object, body?: object] };

export const organizationId = "3f1c6a52-7d0e-4b8f-9a41-5c2e8d7b6f10";
export const serviceId = "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59";

/** Returns a program that adopts an existing object in the example organization and service. */
export const placed = (adoptId: string, program: JsonObject): JsonObject => ({
  ...{ organizationId, serviceId, adoptId },
  ...program,
});
