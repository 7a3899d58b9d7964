import type { Operation } from '../../../server/openapi/operations/operation.ts';
import { parameters } from '../../../server/openapi/parameters.ts';

/** What a call must have in its query, as it is printed. */
export function queryOf(operation: Operation, apiKey: string): string {
  const asked = (operation.parameters ?? []).map((name) => parameters[name]).filter((parameter) => 'required' in parameter);
  const words = asked.flatMap((parameter) =>
    parameter.in === 'query' ? [`${parameter.name}=${'example' in parameter ? parameter.example : apiKey}`] : [],
  );
  return words.length > 0 ? `?${words.join('&')}` : '';
}
