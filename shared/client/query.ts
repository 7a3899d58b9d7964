type QueryValue = string | number | boolean | readonly string[] | undefined;

/**
 * Returns the query string. Lists become repeated parameters.
 *
 * @throws TypeError if a value is empty. A filter that was computed as empty would otherwise match everything.
 */
export function queryOf(parameters: Readonly<Record<string, QueryValue>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => {
    const values = [value].flat();
    const isEmpty = values.length === 0 || values.some((item) => item === undefined || item === null || item === '');
    if (isEmpty) throw new TypeError(`${name}: expected a value, but received an empty one; omit it to match everything`);
    return values.map((item) => [name, String(item)]);
  });
  return new URLSearchParams(pairs).toString();
}
