/** The link of a cart does not disclose the buyer's data or the state of the application to other browsers, at any step. */
import { describe, expect, it } from 'vitest';
import { createCart, open, post, sessionUrl, submit, typed } from '../../../support/checkout.ts';
import { Page } from '../../../support/page.ts';
import { hiddenFieldsFor } from '../../../support/app.ts';
import { fetchResponse, startService } from '../../../support/service.ts';
import { changeSealed, storedApplication, storedApplications, withoutRetries } from '../../../support/stored.ts';

const FORMS = ['details', 'apply', 'plans', 'card', 'agreement'] as const;
const ACTIONS = ['check', 'cancel', 'extend'] as const;

/** The victim's input, chosen so that no page contains it otherwise. */
const victimInput = {
  ...typed,
  firstName: 'Wilhelmina',
  lastName: 'Przybylski',
  email: 'mina@victim.example',
  phone: '(555) 010-0177',
  address: '77 Cypress Hollow',
  city: 'Carbondale',
  zip: '62901',
  shipElsewhere: 'yes',
  shippingFirstName: 'Leopoldine',
  shippingLastName: 'Okonkwo',
  shippingAddress: '4 Juniper Bend',
  shippingCity: 'Peoria',
  shippingState: 'IL',
  shippingZip: '61602',
  signedName: 'Wilhelmina Przybylski',
};
const VICTIM_DATA =
  /Wilhelmina|Przybylski|mina@victim|010.?0177|Cypress|Carbondale|\b62901|Leopoldine|Okonkwo|Juniper|Peoria|\b61602/;
/** Matches text that discloses the state of an application. Every page says who sees "whether you were approved". */
const DECISION =
  /(?<!whether you were )approved|denied|declined|not eligible|Choose a plan|you’re approved|\d\.\d\d%|Visa \d{4}|lender has not|canceled/i;

/** Step of the checkout, digits of the victim's SSN, and number of submitted forms. */
const steps: [step: string, digits: string, forms: number][] = [
  ['the application', '1101', 1],
  ['waiting for the lender', '5002', 2],
  ['a frozen credit file', '4001', 2],
  ['a denial', '2001', 2],
  ['the plans', '1101', 2],
  ['the card', '1101', 3],
  ['the agreement', '1101', 4],
];

const service = await startService();
const merchant = await service.createMerchant();

describe('A cart’s link', () => {
  const shippingOptions = [{ type: 'Ground', typeId: 'ground', cost: 0 }];
  const startCheckout = async (digits: string, forms: number) => {
    const cart = await createCart(merchant, { shippingOptions, errorUrl: 'https://shop.example/bag' });
    let page = await open(cart.url);
    for (let count = 0; count < forms; count++) page = await submit(page, { ...victimInput, taxIdLast4: digits });
    return { cart, page };
  };
  const rowsOf = async (cartId: string) => (await storedApplications(service.database, cartId)).map(withoutRetries);
  const rowOf = async (cartId: string) => (await rowsOf(cartId))[0]!;

  describe.each(steps)('while the buyer is at %s', (_step, digits, forms) => {
    it('shows neither the buyer’s input nor the state of the application to other browsers', async () => {
      const { cart } = await startCheckout(digits, forms);
      for (const path of ['', '/', ...[...FORMS, ...ACTIONS, 'restart', 'card/return', 'notice'].map((name) => `/${name}`)]) {
        for (const query of ['', '?lang=es', '?display=popup', '?display=frame']) {
          const { text, headers } = await fetchResponse(cart.url + path + query);
          expect([path, text]).toEqual([path, expect.not.stringMatching(VICTIM_DATA)]);
          expect(headers.get('location') ?? '').not.toMatch(/\/c\/[\w-]{22}\/[\w-]{22}/);
        }
      }
      const shown = await open(cart.url);
      expect(shown.step).toBe('in-progress');
      expect(shown.text).not.toMatch(DECISION);
    });

    it('responds to a guessed secret as to any unknown secret', async () => {
      const { cart } = await startCheckout(digits, forms);
      const before = await rowOf(cart.id);
      for (const guess of ['A'.repeat(22), new URL(cart.url).pathname.split('/')[2]!, before.sessionHash.slice(0, 22)]) {
        for (const path of ['', ...FORMS, 'cancel']) {
          const response = await fetchResponse(`${cart.url}/${guess}/${path}`);
          expect([response.status, new Page(cart.url, response).step]).toEqual([200, 'in-progress']);
          expect(response.text).not.toMatch(VICTIM_DATA);
          const hiddenFields = await hiddenFieldsFor(service, { cartId: cart.id, secret: guess, path });
          const submitted = await post(`${cart.url}/${guess}/${path}`, { ...typed, ...hiddenFields });
          expect(submitted.text).not.toMatch(VICTIM_DATA);
        }
      }
      expect(await rowsOf(cart.id)).toEqual([before]);
    });

    it('lets another browser restart without the buyer’s data, which ends the buyer’s session', async () => {
      const { cart, page } = await startCheckout(digits, forms);
      const before = await rowOf(cart.id);
      const blank = await open(`${cart.url}/restart`);
      expect(blank).toMatchObject({ status: 200, step: 'details' });
      expect(blank.text).not.toMatch(VICTIM_DATA);
      expect(await rowsOf(cart.id)).toEqual([before]);

      const restarted = await submit(blank, { firstName: 'Mallory' });
      expect(restarted).toMatchObject({ status: 200, step: 'apply' });
      const details = await open(`${sessionUrl(restarted)}/details`);
      expect(details.text).toContain('value="Mallory"');
      expect(details.text).not.toMatch(VICTIM_DATA);

      const [first, second] = await rowsOf(cart.id);
      const isEnded = before.status === 'DENIED';
      expect(first).toMatchObject({
        status: isEnded ? 'DENIED' : 'CANCELLED',
        statusCode: isEnded ? before.statusCode : '700300',
        billingContact: before.billingContact,
      });
      expect((await storedApplications(service.database, cart.id))[0]!.requestLeasedUntil).toBeNull();
      expect(second).toMatchObject({ status: 'STARTED', supersededAt: null });
      expect(JSON.stringify(second!.billingContact)).not.toMatch(VICTIM_DATA);

      for (const path of ['', ...FORMS, 'cancel']) {
        const errorPage = await open(`${sessionUrl(page)}/${path}`);
        expect([path, errorPage.step]).toEqual([path, 'superseded']);
        expect(errorPage.text).not.toContain('Mallory');
      }
      if (page.text.includes('<form')) {
        const lateSubmission = await submit(page, { ...victimInput, taxIdLast4: digits });
        expect(lateSubmission.step).toBe('superseded');
      }
      expect(await rowsOf(cart.id)).toEqual([first, second]);
    });
  });

  it('cannot restart the checkout after the signature, before and after the lender confirms', async () => {
    for (const [digits, step] of [
      ['6001', 'signed'],
      ['1001', 'bought'],
    ] as const) {
      const { cart, page } = await startCheckout(digits, 3);
      // Opened before the signature and submitted after it.
      const restart = await open(`${cart.url}/restart`);
      await submit(page, victimInput);
      const before = await rowsOf(cart.id);

      const shown = await open(cart.url);
      expect(shown).toMatchObject({ status: 200, step });
      expect(shown.text).not.toMatch(VICTIM_DATA);
      expect(shown.text).not.toMatch(/\/a\/|transactionId|restart/);
      for (const path of ['restart', ...FORMS]) expect((await open(`${cart.url}/${path}`)).step).toBe(step);
      expect((await submit(restart, { firstName: 'Mallory' })).step).toBe(step);
      expect(await rowsOf(cart.id)).toEqual(before);
    }
  });
});

describe('The session of a checkout', () => {
  const rowOf = (cartId: string) => storedApplication(service.database, cartId);

  it('has a secret of 128 bits in its URL, which is stored as a hash and never logged', async () => {
    const cart = await createCart(merchant);
    const secrets = new Set<string>();
    for (let count = 0; count < 20; count++) {
      const page = await submit(await open((await createCart(merchant)).url));
      secrets.add(new URL(page.url).pathname.split('/')[3]!);
    }
    expect(secrets.size).toBe(20);
    const page = await submit(await open(cart.url));
    const secret = new URL(page.url).pathname.split('/')[3]!;
    expect(Buffer.from(secret, 'base64url')).toHaveLength(16);
    const row = await rowOf(cart.id);
    expect(row.sessionHash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(row)).not.toContain(secret);
    const [, , code = ''] = new URL(cart.url).pathname.split('/');
    for (const data of [secret, code, 'Lovelace', 'ada@example.com', '5550100100', 'Analytical']) {
      expect(service.logged.join('')).not.toContain(data);
    }
    expect(service.logged.join('')).toContain('"route":"/c/:code/:secret/:step"');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  it('rotates the secret with each form that contains personal data, so that a shared URL does not disclose the data', async () => {
    const cart = await createCart(merchant, { shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 0 }] });
    const attackerPage = await submit(await open(cart.url), { firstName: 'Mallory' });
    const sharedUrl = sessionUrl(attackerPage);

    // The victim corrects the details in the session that the attacker started.
    const corrected = await submit(await open(`${sharedUrl}/details`), victimInput);
    expect(sessionUrl(corrected)).not.toBe(sharedUrl);
    for (const path of ['', '/details', '/apply', '/plans']) {
      const { step, text } = await open(sharedUrl + path);
      expect(step).toBe('in-progress');
      expect(text).not.toMatch(VICTIM_DATA);
    }

    // The victim applies in a session that the attacker started; only the victim can read the decision.
    const second = await createCart(merchant);
    const started = await submit(await open(second.url), { firstName: 'Mallory' });
    const decided = await submit(started, { taxIdLast4: '2001' });
    expect(decided.step).toBe('declined');
    const shared = await open(sessionUrl(started));
    expect(shared.step).toBe('in-progress');
    expect(shared.text).not.toMatch(DECISION);
  });

  it('responds to two concurrent submissions with the same session', async () => {
    const cart = await createCart(merchant);
    let page = await open(cart.url);
    for (const step of ['apply', 'plans', 'agreement']) {
      const both = await Promise.all([submit(page), submit(page)]);
      expect(both.map((each) => each.step)).toEqual([step, step]);
      expect(new Set(both.map(sessionUrl)).size).toBe(1);
      page = both[0]!;
    }
    expect(
      await service.database.query.selectFrom('applications').select('id').where('cartId', '=', cart.id).execute(),
    ).toHaveLength(1);
  });
});

const CHANGED = 'The agreement has changed since you opened this page';

describe('The agreement', () => {
  const shippingOptions = [{ type: 'Ground', typeId: 'ground', cost: 0 }];
  const reach = async (input: Record<string, string>, options = {}) => {
    const cart = await createCart(merchant, { shippingOptions, ...options });
    let page = await open(cart.url);
    for (let forms = 0; forms < 3; forms++) page = await submit(page, input);
    expect(page.step).toBe('agreement');
    return { cart, page };
  };
  const rows = ({ text }: Page): Record<string, string> =>
    Object.fromEntries(
      [.../<section class="parties".*?<\/section>/s.exec(text)![0].matchAll(/<dt>(.*?)<\/dt>\s*<dd>(.*?)<\/dd>/gs)].map(
        ([, label, value]) => [
          label,
          value!
            .replaceAll(/<br\s*\/?>/g, ', ')
            .replaceAll(/<[^>]*>/g, '')
            .trim(),
        ],
      ),
    );

  it('shows the buyer’s name and e-mail address, the shipping address, and the home address if it differs', async () => {
    const { page } = await reach(victimInput);
    expect(rows(page)).toEqual({
      Borrower: 'Wilhelmina Przybylski',
      Email: 'mina@victim.example',
      'Ship to': 'Leopoldine Okonkwo, 4 Juniper Bend, Peoria, IL 61602',
      'Home address': 'Wilhelmina Przybylski, 77 Cypress Hollow, Carbondale, IL 62901',
    });
    expect(rows((await reach({ address2: 'Apt 4' })).page)).toEqual({
      Borrower: 'Ada Lovelace',
      Email: 'ada@example.com',
      'Ship to': 'Ada Lovelace, 12 Analytical Way, Apt 4, Springfield, IL 62701',
    });
    expect(Object.keys(rows((await reach({}, { shippingOptions: [] })).page))).toEqual(['Borrower', 'Email', 'Home address']);
  });

  it.each([
    ['shipping address', 'shippingContact', 'Juniper Bend', 'Robbers Cave', CHANGED],
    // The signature is the earlier name.
    ['name', 'billingContact', 'Przybylski', 'Przybylska', 'Sign with your name as it appears in the agreement'],
    ['e-mail address', 'billingContact', 'mina@victim.example', 'mina@attacker.example', CHANGED],
    ['home address', 'billingContact', '77 Cypress', '78 Cypress', CHANGED],
  ] as const)(
    'is shown again instead of signed if the %s changed after it was displayed',
    async (_name, column, from, to, notice) => {
      const { cart, page } = await reach(victimInput);
      const before = await storedApplication(service.database, cart.id);
      await changeSealed(service.database, 'applications', before.id, {
        [column]: JSON.parse(JSON.stringify(before[column]).replace(from, to)),
      });

      const redisplayed = await submit(page, victimInput);
      expect(redisplayed).toMatchObject({ status: 422, step: 'agreement' });
      expect(redisplayed.text).toContain(notice);
      expect(redisplayed.text).toContain(to);
      expect(await storedApplication(service.database, cart.id)).toMatchObject({
        status: 'CHECKOUT_PREPARED',
        paymentAgreements: [],
      });
      const { signedName: _signature, ...details } = victimInput;
      expect(await submit(redisplayed, details)).toMatchObject({ status: 303 });
    },
  );
});
