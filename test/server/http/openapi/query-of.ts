import type { Operation } from '../../../../server/http/openapi/operation.ts';
import { parameters } from '../../../../server/http/openapi/parameters.ts';

/** Returns the query string with the example values of the required parameters and of the operation's query. */
export function queryOf({ parameters: names = [], query }: Operation, apiKey: string): string {
  const required = names.map((name) => parameters[name]).filter((parameter) => 'required' in parameter);
  const pairs = required.flatMap((parameter) =>
    parameter.in === 'query' ? [`${parameter.name}=${String('example' in parameter ? parameter.example : apiKey)}`] : [],
  );
  const examples = Object.entries(query?.example ?? {}).map(([name, value]) => `${name}=${value}`);
  return pairs.length + examples.length > 0 ? `?${[...pairs, ...examples].join('&')}` : '';
}
