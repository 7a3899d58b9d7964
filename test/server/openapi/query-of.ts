import type { Operation } from '../../../server/openapi/operation.ts';
import { parameters } from '../../../server/openapi/parameters.ts';

/** What a call has in its query, as it is printed. */
export function queryOf({ parameters: names = [], query }: Operation, apiKey: string): string {
  const asked = names.map((name) => parameters[name]).filter((parameter) => 'required' in parameter);
  const words = asked.flatMap((parameter) =>
    parameter.in === 'query' ? [`${parameter.name}=${'example' in parameter ? parameter.example : apiKey}`] : [],
  );
  const own = Object.entries(query?.example ?? {}).map(([name, value]) => `${name}=${value}`);
  return words.length + own.length > 0 ? `?${[...words, ...own].join('&')}` : '';
}
