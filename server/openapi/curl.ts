import type { Json } from './document.ts';

/** A call as one types it into a shell, with the printed example. Ids, keys and tokens are variables. */
export function curlOf(document: Json, path: string, method: string, operation: Json, example?: unknown): string {
  const names: Record<string, string> = { transactionId: '$TRANSACTION', cartId: '$CART' };
  const parameters = parametersOf(document, operation);
  const asked = parameters.filter(
    ({ in: place, required, example: value }) => place === 'query' && (required || value !== undefined),
  );
  const query = asked.map(({ name, example: value }: Json, at: number) => `${at ? '&' : '?'}${name}=${value ?? '$KEY'}`).join('');
  const url = document.servers[0].url + path.replace(/\{(\w+)\}/g, (_, name: string) => names[name]!) + query;
  const origin = parameters.find(({ name }) => name === 'origin');
  const [type] = Object.keys(operation.requestBody?.content ?? {});
  const words = [
    'curl',
    ...credentials(operation.security, example !== undefined),
    ...(method === 'get' || (method === 'post' && example !== undefined) ? [] : [`-X ${method.toUpperCase()}`]),
    /[?&]/.test(url) ? `"${url}"` : url,
    ...(origin ? [`-H 'origin: ${origin.example}'`] : []),
    ...(example === undefined ? [] : dataOf(example, type)),
  ];
  return words.join(' ');
}

function dataOf(example: unknown, type: string | undefined): string[] {
  if (type === 'application/json') return [`-d '${JSON.stringify(example, null, 2).replaceAll("'", String.raw`'\''`)}'`];
  return Object.entries(example as object).map(([name, value]) => `-d ${name}=${value}`);
}

/** What a call takes beside its body, whether it is described here or once for many calls. */
export function parametersOf({ components }: Json, { parameters = [] }: Json): Json[] {
  return parameters.map((one: Json) => (one.$ref ? components.parameters[one.$ref.split('/').at(-1)] : one));
}

function credentials(security: Json[], isInBody: boolean): string[] {
  const mayBeInBody = security.some((one) => Object.keys(one).length === 0);
  if (security.length === 0 || (mayBeInBody && isInBody)) return [];
  return [
    security.some(({ bearerAuthApplication }) => bearerAuthApplication) ? '-H "authorization: Bearer $TOKEN"' : '-u $KEY:$SECRET',
  ];
}
