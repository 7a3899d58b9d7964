/** Names of merchants in e-mails: whatever they contain, a mail program finds no link in them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { merchantInEmail } from '../../../server/messages/buyer-email.ts';
import { texts } from '../../../server/base/texts.ts';
import { findDelivery } from '../../../server/messages/store.ts';
import { inviteUser } from '../../../server/console/users/users.ts';
import { completeCheckoutAndAct, createCart, testOperator } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';

const inEmail = (name: string) => merchantInEmail(name, texts.en);

it.each([
  'Alder & Tone',
  '7-Eleven',
  'Forever 21!',
  'Yahoo! & Sons',
  '1-800-Flowers',
  'Store 24/7',
  '5.11 Tactical',
  'Dr. Martens',
  'Acme Inc.',
  "O'Reilly's, Ltd.",
  'Toys “R” Us™',
  'Möbel Müller GmbH & Co. KG',
  'Shop @ Home',
  'Café №5: Coffee',
  '家具店',
])('An e-mail has the name %s as it is', (name) => {
  expect(inEmail(name)).toBe(name);
});

it.each([
  ['Your account is locked, open https://evil.example/a?b', 'Your account is locked, open https: evi…'],
  ['Win at www.evil.example', 'Win at www evil example'],
  ['Overstock.com', 'Overstock com'],
  ['1-800-Flowers.com', '1-800-Flowers com'],
  ['evil\u3002example', 'evil example'],
  ['evil\uff0eexample', 'evil example'],
  ['evil\uff61example', 'evil example'],
  ['evil\u2024example', 'evil example'],
  ['evil.\u200bexample', 'evil \u200bexample'],
  ['evil.рф', 'evil рф'],
  ['4all.com', '4all com'],
  ['3m.4you', '3m 4you'],
  ['me@evil.example', 'me evil example'],
  ['me\uff20evil', 'me evil'],
  ['mailto:me', 'mailto me'],
  ['tel:+18005550100', 'tel:'],
  ['\\\\server\\share', 'server share'],
  ['//evil/x', 'evil/x'],
  ['Call 1-800-555-0100 now', 'Call now'],
  ['Call (800) 555-0100', 'Call'],
  ['Call 555-0100', 'Call'],
  ['Call 8005550100!', 'Call !'],
  ['Call ８００５５５０１００', 'Call'],
  ['Call +44 20 7946 0958', 'Call'],
  ['Call tel:+15550100', 'Call tel:'],
  ['At 192.168.10.1', 'At 192 168 10 1'],
  ['18005550100', 'the merchant'],
  ['//', 'the merchant'],
])('An e-mail has %j without a link', (name, expected) => {
  expect(inEmail(name)).toBe(expected);
});

it('A name in an e-mail is on one line, at most 40 characters long, and has no address, whatever was typed', () => {
  const pieces = [...Array.from('.。@: -(&!aé1'), '//', '\\', '\n', '\u202e', '\u200b', '800', '5550100', 'www', 'com'];
  const anyName = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((each) => each.join('')),
  );
  fc.assert(
    fc.property(anyName, (name) => {
      const shown = inEmail(name);
      expect(Array.from(shown).length).toBeLessThanOrEqual(40);
      expect(shown.trim()).not.toBe('');
      expect(shown).not.toMatch(
        /[\n\r\u202e\\]|\/\/|\S@\S|\p{L}[.。:][\p{L}\p{N}]|[\p{L}\p{N}][.。:]\p{L}|\d{10}|\d{3}[-. ]\d{3}[-. ]\d{4}/u,
      );
    }),
  );
});

it('E-mails and texts of a merchant with an address as its name have no link in it, from the link of the cart to the refund', async () => {
  const service = await startService();
  const { database, publicUrl } = service;
  const merchant = await service.createMerchant({ name: 'Locked. Open https://evil.example, 1-800-555-0142' });
  const { id } = await createCart(merchant);
  await merchant.post(`/carts/${id}/email`, { email: 'ada@example.com', name: 'Ada' });
  await merchant.post(`/carts/${id}/text`, { phone: '5550100100' });
  await completeCheckoutAndAct(merchant, [{ type: 'authorize' }, { type: 'settle' }, { type: 'refund' }]);
  const { tenantId, merchantId } = merchant;
  const invited = { tenantId, merchantId, email: 'b@example.com', name: '', role: 'viewer' } as const;
  const mail = { publicUrl, operator: testOperator, handling: 'recorded' } as const;
  await inviteUser(database, invited, undefined, mail, service.clock.now());

  const ids = await database.query.selectFrom('outbox').select('id').where('channel', 'in', ['email', 'text']).execute();
  const deliveries = await Promise.all(ids.map((row) => findDelivery(database.query, row.id)));
  const bodies = deliveries.map((delivery) => delivery!.body);
  expect(bodies.length).toBeGreaterThanOrEqual(6);
  for (const body of bodies) expect(body).not.toMatch(/evil\.|\/\/evil|0142/);
  const named = bodies.filter((body) => body.includes('Locked. Open https: evil example'));
  expect(named.length).toBe(bodies.length);
});
