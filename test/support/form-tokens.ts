import { FORM_TOKEN_FIELD, formToken } from '../../server/checkout/form-token.ts';
import { getFormKey } from '../../server/checkout/store.ts';
import type { TestService } from './service.ts';

/** The hidden field of a form that was shown a moment ago, for whoever posts to a place without having its page. */
export async function tokenFor({ database, clock }: TestService, cartId: string, place: string): Promise<Record<string, string>> {
  return { [FORM_TOKEN_FIELD]: formToken(await getFormKey(database.query), cartId, place, clock.now()) };
}
