import type { Operation } from '../../../server/openapi/operation.ts';
import { parameters } from '../../../server/openapi/parameters.ts';

/** Returns the query string of the operation's example. */
export function queryOf({ parameters: names = [], query }: Operation, apiKey: string): string {
  const required = names.map((name) => parameters[name]).filter((parameter) => 'required' in parameter);
  const pairs = required.flatMap((parameter) =>
    parameter.in === 'query' ? [`${parameter.name}=${'example' in parameter ? parameter.example : apiKey}`] : [],
  );
  const own = Object.entries(query?.example ?? {}).map(([name, value]) => `${name}=${value}`);
  return pairs.length + own.length > 0 ? `?${[...pairs, ...own].join('&')}` : '';
}
