import { getFormKey } from '../../server/checkout/session/store.ts';
import { formToken } from '../../server/checkout/web/form-token.ts';
import { newToken } from '../../server/ids.ts';
import type { TestService } from './service.ts';

/** The hidden fields of a form that was shown a moment ago, for posting to a place without having its page. */
export async function sealFor(
  { database, clock }: TestService,
  { cartId, secret, place }: { cartId: string; secret?: string | undefined; place: string },
): Promise<Record<string, string>> {
  const nextSecret = ['details', 'restart', 'apply'].includes(place) ? newToken(16) : '';
  const form = { cartId, secret, place, nextSecret };
  return { formToken: formToken(await getFormKey(database.query), form, clock.now()), nextSecret };
}
