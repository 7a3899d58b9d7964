/**
 * Replaces the functions that Prototype.js 1.7.3 and other libraries of its time replace, by versions that do less, as those do. Runs in
 * the page before its scripts.
 */
export function replaceBuiltIns(): void {
  const refuse = (name: string) => () => {
    throw new TypeError(`${name} is replaced`);
  };
  Object.assign(Array, {
    from: (items: ArrayLike<unknown>) => {
      const copy = [];
      for (let index = 0; index < items.length; index++) copy.push(items[index]);
      return copy;
    },
  });
  // Versions before 1.7 define it, and `JSON.stringify` calls it.
  Object.assign(Array.prototype, { toJSON: () => '[]', first: refuse('first'), last: refuse('last'), clone: refuse('clone') });
  Object.assign(Function.prototype, {
    // Versions before 1.7.3 return the function itself without an object, and a function that is no constructor with one.
    bind(this: (...values: unknown[]) => unknown, object: unknown, ...first: unknown[]) {
      return object === undefined ? this : (...values: unknown[]) => Reflect.apply(this, object, [...first, ...values]);
    },
    delay: refuse('delay'),
    defer: refuse('defer'),
    wrap: refuse('wrap'),
  });
  Object.assign(Number.prototype, { round: refuse('round'), floor: refuse('floor') });
  Object.assign(RegExp.prototype, { match: RegExp.prototype.test });
  for (const name of [
    'show',
    'hide',
    'update',
    'select',
    'match',
    'visible',
    'toggle',
    'clone',
    'wrap',
    'empty',
    'up',
    'down',
    'next',
  ])
    Object.assign(HTMLElement.prototype, { [name]: refuse(name) });
  // The native constructor is hidden, and its prototype is kept.
  const { prototype } = Element;
  const replaced = function Element() {};
  replaced.prototype = prototype;
  Object.assign(globalThis, { Element: replaced });
}
