/** Plain JSON as a type: what a call's arguments may be made of, and nothing that JSON cannot say. */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: JsonValue;
}
