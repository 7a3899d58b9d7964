import { type Answer, fetchAnswer, type TestMerchant } from './service.ts';

/** A token for the key pair of `merchant`. */
export async function givenToken(
  serviceUrl: string,
  { apiKey, secret }: Pick<TestMerchant, 'apiKey' | 'secret'>,
): Promise<string> {
  const init = { method: 'POST', body: JSON.stringify({ apiKey, secret }) };
  const { body } = await fetchAnswer(`${serviceUrl}/api/auth/service/authorize`, init);
  return body.token as string;
}

/** `GET /api/application`, by the bearer of `token`. @param query - As it stands in the address, `limit=1`. */
export function listApplications(serviceUrl: string, token: string, query = ''): Promise<Answer> {
  return fetchAnswer(`${serviceUrl}/api/application${query && `?${query}`}`, { headers: { authorization: `Bearer ${token}` } });
}
