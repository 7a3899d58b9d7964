declare const content: unique symbol;

/** The JSON text of a value of type `T`, in a column. Only `toJson` creates it, so `fromJson` returns a value of that type. */
export type Json<T> = string & { readonly [content]: T };

export function toJson<T>(value: T): Json<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type has a property that no string has
  return JSON.stringify(value) as Json<T>;
}

export function fromJson<T>(json: Json<T>): T {
  return JSON.parse(json);
}
