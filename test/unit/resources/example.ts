import type { Data } from "../../../provider/values/data";
import type { Dialect, OperationName, Sandbox } from "../../../sandbox/index";
import type { Service } from "../faults/service";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

/** What the tests know of one type. Whatever holds for all types is tested with it. */
export interface Example {
  /** A valid object with every property that the type has. */
  readonly valid: JsonObject;
  /**
   * Programs that have between them every property of every dialect and API. What they name exists in a sandbox that is
   * furnished.
   */
  readonly wholes: { readonly [title: string]: JsonObject };
  /** What says the same as properties of these programs, in other words. */
  readonly equivalents?: { readonly [title: string]: JsonObject };
  /** Those of them that not every server takes, or none. */
  readonly needs?: { readonly [title: string]: { readonly dialect?: Dialect; readonly apis?: string } };
  /** The place at which answers show one of a program; undefined if at none. Default: at its own. */
  shownAt?(path: string, program: Data, dialect: Dialect): string | undefined;
  /** Of members that name something else: what else there is to name. */
  readonly alternatives?: { readonly [member: string]: readonly Json[] };
  /** The operations that create an object of a program, in their order. Default: the one of the resource. */
  createdBy?(program: Data, dialect: Dialect): readonly OperationName[];
  /** What requests say of a program, in the words of a server. Default: what it declares. */
  bodyOf?(program: Data, dialect: Dialect): Data;
  /** Whether updates send what differs, in as many requests as it takes, rather than what the program declares. */
  readonly isUpdatedInParts?: true;
  /** What a program declares before and after it is changed, beside what `furnish` puts into a service. */
  programs(service: Service): readonly [Data, Data];
  /** What a sandbox holds of the object with this id in the state, to be looked at or changed. */
  find(sandbox: Sandbox, id: string): object | undefined;
  /** A record without what becomes of it by itself, and in one order where that says nothing. Default: as it is. */
  lasting?(record: Data): Data;
  /** A record in the vocabulary of a program. Default: as it is. */
  asDeclared?(record: Data): Data;
  /** Members of a record that the service makes for each object, in which equal ones differ. */
  readonly made?: readonly string[];
  /** Whether lists leave out something that programs declare. */
  readonly isListedInPart?: true;
  /** Puts an object of somebody else into a sandbox. Absent where a new one has one that no test is about. */
  furnish?(service: Service): void;
  /** The object of somebody else that requests are about; a service has one singleton. */
  readonly home?: string;
  /** Requests that the service carries out. Default: of its operations with the programs, and about `home`. */
  readonly requests?: Requests;
  /** Absent for what a service has only one of. */
  readonly creatable?: Creatable;
}

/** What is created under an id that the service gives: one that somebody else has created. */
export interface Creatable {
  readonly id: string;
  add(service: Service, id: string): void;
  /** Whether the service refuses a second one of the same name. */
  readonly hasUniqueName?: boolean;
}

export type Requests = { readonly [Name in OperationName]?: readonly [parameters: object, body?: object] };

export const organizationId = "3f1c6a52-7d0e-4b8f-9a41-5c2e8d7b6f10";
export const serviceId = "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59";

/** A program of an object that is there already, in a place of its own. */
export const placed = (adoptId: string, program: JsonObject): JsonObject => ({
  ...{ organizationId, serviceId, adoptId },
  ...program,
});
