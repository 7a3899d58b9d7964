import {
  type ApplicationFilters,
  FairtermPlatform,
  type FairtermPlatformOptions,
  type ListOptions,
} from '../../../shared/client/index.ts';
import { applicationList } from '../../../server/http/openapi/resources/applications.ts';
import { type TestResponse, createStandIn, type Request } from './stand-in.ts';

export const [application] = applicationList.applications;

/** Returns a page that contains `listed` `count` times. */
export const page = (count: number, listed: object = application!): TestResponse => ({
  status: 200,
  body: { applications: Array(count).fill(listed) },
});

/** Returns an error response in the format of the platform API. */
export const platformError = (status: number, reason: string, headers: Record<string, string> = {}): TestResponse => ({
  status,
  headers,
  body: { message: `No: ${reason}`, reason, domain: 'platform.fairterm', metadata: { parameter: 'limit' } },
});

export const expired = platformError(401, 'TOKEN_EXPIRED');

/** Returns a token that is valid for an hour, according to a clock that is years behind. */
export const jwt = (name: string) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'ES256' })}.${part({ iat: 1_000_000, exp: 1_003_600, name: `${name}>>>???` })}.signature`;
};
const tokenResponse = (name: string): TestResponse => ({ status: 200, body: { token: jwt(name) } });

/** Starts a server that issues the tokens t1, t2, … and sends `lists` in response to list requests, and its client. */
export async function startPlatform(
  lists: readonly TestResponse[],
  options: Partial<FairtermPlatformOptions> = { token: 'a-token' },
) {
  let tokenCount = 0;
  let listCount = 0;
  const responseTo = ({ path }: Request): TestResponse =>
    path.startsWith('/api/auth/') ? tokenResponse(`t${++tokenCount}`) : lists[Math.min(++listCount, lists.length) - 1]!;
  const server = await createStandIn([
    (response, request) => {
      const nextResponse = responseTo(request);
      if (typeof nextResponse === 'function') return nextResponse(response, request);
      response.writeHead(nextResponse.status, { 'x-request-id': 'r', ...nextResponse.headers });
      return response.end(nextResponse.text ?? JSON.stringify(nextResponse.body));
    },
  ]);
  const platform = new FairtermPlatform({ ...server.service, ...options } as FairtermPlatformOptions);
  const listRequests = () => server.requests.filter(({ path }) => path.startsWith('/api/application'));
  return {
    ...server,
    platform,
    list: (filters?: ApplicationFilters, listOptions?: ListOptions) => platform.applications.list(filters, listOptions),
    queries: () => listRequests().map(({ path }) => path.slice('/api/application?'.length)),
    bearers: () => listRequests().map(({ headers }) => headers.authorization),
    grants: () => server.requests.filter(({ path }) => path.startsWith('/api/auth/')),
  };
}

/** Returns the error that a call fails with. */
export const errorOf = (call: Promise<unknown>) => call.catch((thrown: unknown) => thrown);
