import {
  type ApplicationFilters,
  FairtermPlatform,
  type FairtermPlatformOptions,
  type ListOptions,
} from '../../../shared/client/index.ts';
import { applicationList } from '../../../server/openapi/resources/applications.ts';
import { type TestResponse, givenResponses, type Request } from './stand-in.ts';

export const [application] = applicationList.applications;

/** A page with this many applications. */
export const page = (count: number, of: object = application!): TestResponse => ({
  status: 200,
  body: { applications: Array(count).fill(of) },
});

/** An error response in the format of the platform API. */
export const no = (status: number, reason: string, headers: Record<string, string> = {}): TestResponse => ({
  status,
  headers,
  body: { message: `No: ${reason}`, reason, domain: 'platform.fairterm', metadata: { parameter: 'limit' } },
});

export const expired = no(401, 'TOKEN_EXPIRED');

/** A token that is valid for an hour, by a clock that is years behind. */
export const jwt = (name: string) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'ES256' })}.${part({ iat: 1_000_000, exp: 1_003_600, name: `${name}>>>???` })}.signature`;
};
export const tokenCalled = (name: string): TestResponse => ({ status: 200, body: { token: jwt(name) } });

/** Issues the tokens t1, t2, …, and returns the configured answer for every list. */
export async function givenPlatform(
  lists: readonly TestResponse[],
  over: Partial<FairtermPlatformOptions> = { token: 'a-token' },
) {
  let tokens = 0;
  let listed = 0;
  const responseTo = ({ path }: Request): TestResponse =>
    path.startsWith('/api/auth/') ? tokenCalled(`t${++tokens}`) : lists[Math.min(++listed, lists.length) - 1]!;
  const given = await givenResponses([
    (response, request) => {
      const planned = responseTo(request);
      if (typeof planned === 'function') return planned(response, request);
      response.writeHead(planned.status, { 'x-request-id': 'r', ...planned.headers });
      return response.end(planned.text ?? JSON.stringify(planned.body));
    },
  ]);
  const platform = new FairtermPlatform({ ...given.service, ...over } as FairtermPlatformOptions);
  const listRequests = () => given.requests.filter(({ path }) => path.startsWith('/api/application'));
  return {
    ...given,
    platform,
    list: (filters?: ApplicationFilters, options?: ListOptions) => platform.applications.list(filters, options),
    queries: () => listRequests().map(({ path }) => path.slice('/api/application?'.length)),
    bearers: () => listRequests().map(({ headers }) => headers.authorization),
    grants: () => given.requests.filter(({ path }) => path.startsWith('/api/auth/')),
  };
}

/** Returns the error that a call fails with. */
export const errorOf = (call: Promise<unknown>) => call.catch((thrown: unknown) => thrown);
