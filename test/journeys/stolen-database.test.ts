/** A stolen database, which reveals neither a person nor a secret. */
import { existsSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { callbackSecretsOf } from '../../server/merchants/callback-secrets.ts';
import { getServiceKey } from '../../server/checkout/session/store.ts';
import { systemClock } from '../../server/base/time.ts';
import { signingKey } from '../../server/platform/tokens/signing-keys.ts';
import { copyOf, createCart, open, reachAgreement, sessionUrl, submit, chair } from '../support/checkout.ts';
import { describeOnEveryEngine, everythingStored } from '../support/databases.ts';
import { startReceiver } from '../support/http.ts';
import { listApplications, requestToken, startService, type TestMerchant, type TestService } from '../support/service.ts';
import { until } from '../support/time.ts';

const buyer = {
  firstName: 'Zephyrine',
  lastName: 'Quillfeather',
  email: 'zephyrine@canarymail.example',
  phone: '(555) 019-7731',
  address: '7731 Marigoldstrand Way',
  city: 'Wobblesworthy',
  signedName: 'Zephyrine Quillfeather',
};
const shippingContact = {
  fullName: 'Ottilie Nightingale-Sparrow',
  email: 'ottilie@canarypost.example',
  phone: '5550194242',
  address: '4242 Hazelnutgrove Lane',
  city: 'Peoria',
  state: 'IL',
  zip: '61602',
};

describeOnEveryEngine('A stolen database', (engine) => {
  let service: TestService;
  let merchant: TestMerchant;
  let token: string;
  let cartId: string;
  /** Of the transaction. */
  let id: string;
  /** Texts that must not be found, by their kind. */
  const canaries: Record<string, string> = {
    'first name': buyer.firstName,
    'last name': buyer.lastName,
    'e-mail address': 'canarymail',
    'phone number': '5550197731',
    street: 'Marigoldstrand',
    city: buyer.city,
    'name of the recipient': 'Nightingale-Sparrow',
    'e-mail address of the recipient': 'canarypost',
    'phone number of the recipient': shippingContact.phone,
    'street of the recipient': 'Hazelnutgrove',
    metadata: 'Canarymetadata',
    'tracking number': 'CANARYTRACK7731',
    'creator of the cart': 'Canarycashier',
    'user of the callback': 'canaryuser',
  };

  beforeAll(async () => {
    service = await startService(engine);
    merchant = await service.createMerchant();
    const { url, received } = await startReceiver();
    const callbackUrl = url.replace('//', '//canaryuser:canarypassword@');
    const options = { shippingContact, requireShippingContact: true, callbackUrl, metadata: { note: 'Canarymetadata' } };

    // A signed purchase, with an e-mail, a text message, a callback and a shipment.
    const cart = await createCart(merchant, options, { createdBy: 'Canarycashier' });
    await merchant.post(`/carts/${cart.id}/email`, { email: buyer.email, name: buyer.firstName });
    await merchant.post(`/carts/${cart.id}/text`, { phone: canaries['phone number'] });
    const agreement = await reachAgreement(cart.url, buyer);
    const signed = await submit(agreement, buyer);
    expect(signed.status).toBe(303);
    await until(() => received.length > 0);
    cartId = cart.id;
    id = new URL(signed.headers.get('location')!).searchParams.get('transactionId')!;
    await merchant.post(`/transactions/actions/${id}`, { type: 'authorize' });
    await merchant.post(`/transactions/${id}/shipment`, { carrierName: 'Post', trackingNumber: 'CANARYTRACK7731' });

    // A denied application with its notice, and one that was not finished.
    const denied = await createCart(merchant, options);
    let page = await open(denied.url);
    for (let forms = 0; forms < 2; forms++) page = await submit(page, { ...buyer, taxIdLast4: '2001' });
    await submit(await open((await createCart(merchant, options)).url), buyer);

    // A cart that is created with an idempotency key, whose response is stored.
    const stored = await merchant.call('POST', '/carts', {
      headers: { 'idempotency-key': 'once' },
      body: JSON.stringify({ options: { items: [chair], billingContact: { ...shippingContact, email: buyer.email } } }),
    });
    expect(stored.status).toBe(200);

    token = await requestToken(service.publicUrl, merchant);
    const session = new URL(sessionUrl(agreement)).pathname.split('/');
    const { query } = service.database;
    Object.assign(canaries, {
      'key secret': merchant.secret,
      'callback secret': (await callbackSecretsOf(query, merchant.merchantId))[0]!.secret.slice('whsec_'.length),
      'code of the checkout link': session[2],
      'secret of the checkout': session[3],
      'code of the document': new URL(await copyOf(await open(sessionUrl(agreement)), service.database)).pathname.split('/')[2],
      'key of the forms': (await getServiceKey(query)).export().toString('base64url'),
      'private signing key': JSON.parse((await signingKey(service.database, systemClock.now())).privateJwkJson).d,
      token: token.split('.')[2],
    });
  });

  it('contains no person and no secret', async () => {
    const stored = await contentOf(service);
    expect(stored).toContain(merchant.merchantId.toLowerCase());
    for (const [what, canary] of Object.entries(canaries)) {
      const found = encodingsOf(canary).filter((text) => stored.includes(text));
      expect({ what, found }).toEqual({ what, found: [] });
    }
  });

  it('is readable by the service, whose APIs return it', async () => {
    const listed = await listApplications(service.publicUrl, token, 'metadata.eq=true');
    expect(listed.status).toBe(200);
    const texts = [listed.text, (await merchant.get(`/carts/${cartId}`)).text, (await merchant.get(`/transactions/${id}`)).text];
    const found = ['last name', 'street', 'street of the recipient', 'creator of the cart', 'tracking number', 'metadata'];
    for (const what of found) expect(texts.join('\n')).toContain(canaries[what]);
  });
});

/** Returns everything that is stored, in lower case: on SQLite the bytes of the files, on PostgreSQL all rows of all tables. */
async function contentOf({ database }: TestService): Promise<string> {
  if (database.engine === 'postgres') return (await everythingStored(database, { isSealed: true })).toLowerCase();
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list where name = 'main'`.execute(database.query);
  const files = ['', '-wal', '-shm'].map((end) => rows[0]!.file + end).filter((file) => existsSync(file));
  expect(files).toHaveLength(3);
  return Buffer.concat(files.map((file) => readFileSync(file)))
    .toString('latin1')
    .toLowerCase();
}

/** Returns a text as it may be encoded, in lower case. Base64 depends on the position of the text in its block. */
function encodingsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const inner = encoded.slice(offset === 0 ? 0 : 4, Math.floor((offset + bytes.length) / 3) * 4);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const reversible = [text, bytes.toString('hex'), encodeURIComponent(text), JSON.stringify(text).slice(1, -1)];
  return [...reversible, ...base64].map((encoded) => encoded.toLowerCase());
}
