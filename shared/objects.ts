/** Returns the names of an object's properties, with their type. Only for objects that have no others than their type declares. */
export function keysOf<T extends object>(object: T): (keyof T & string)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript cannot express that there are no other properties
  return Object.keys(object) as (keyof T & string)[];
}

/** Returns true for anything that can have properties whose values have to be checked. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Returns a property of any value, such as a parsed body or a caught error; undefined without one. */
export function propertyOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
