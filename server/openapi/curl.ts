import type { Json } from './document.ts';

/** A call as one types it into a shell, with the printed example. Ids and keys are variables. */
export function curlOf(document: Json, path: string, method: string, operation: Json, example?: unknown): string {
  const names: Record<string, string> = { transactionId: '$TRANSACTION', cartId: '$CART' };
  const parameters = (operation.parameters ?? []).map(({ $ref }: Json) => document.components.parameters[$ref.split('/').at(-1)]);
  const asked = parameters.filter((parameter: Json) => parameter.in === 'query' && parameter.required);
  const query = asked.map(({ name, example: value }: Json, at: number) => `${at ? '&' : '?'}${name}=${value ?? '$KEY'}`).join('');
  const url = document.servers[0].url + path.replace(/\{(\w+)\}/g, (_, name: string) => names[name]!) + query;
  const origin = (operation.parameters ?? []).some(({ $ref }: Json) => $ref.endsWith('/origin'));
  const words = [
    'curl',
    ...(operation.security.length > 0 ? ['-u $KEY:$SECRET'] : []),
    ...(method === 'get' || (method === 'post' && example !== undefined) ? [] : [`-X ${method.toUpperCase()}`]),
    /[?&]/.test(url) ? `"${url}"` : url,
    ...(origin ? [`-H 'origin: ${document.components.parameters.origin.example}'`] : []),
    ...(example === undefined ? [] : [`-d '${JSON.stringify(example, null, 2).replaceAll("'", String.raw`'\''`)}'`]),
  ];
  return words.join(' ');
}
