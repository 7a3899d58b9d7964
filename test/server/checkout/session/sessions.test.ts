/** What somebody who has a cart's link, and not the buyer's browser, can see and do: nothing of the buyer's, at any step. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  chair,
  copyIn,
  createCart,
  fieldsOf,
  open,
  type Page,
  pageAt,
  post,
  sessionUrl,
  submit,
  typed,
} from '../../../support/checkout.ts';
import { hiddenFieldsFor } from '../../../support/app.ts';
import { fetchResponse, startService, type TestMerchant, type TestService } from '../../../support/service.ts';

const FORMS = ['details', 'apply', 'plans', 'card', 'agreement'] as const;
const ACTS = ['check', 'cancel', 'extend'] as const;

/** What the victim types, different from everything that a page says by itself. */
const victim = {
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
const TYPED = /Wilhelmina|Przybylski|mina@victim|010.?0177|Cypress|Carbondale|62901|Leopoldine|Okonkwo|Juniper|Peoria|61602/;
/** What tells how far an application has come, or how it was decided. */
const STATE = /approved|denied|declined|not eligible|Choose your plan|\d\.\d\d%|Visa \d{4}|lender has not|canceled/i;

/** How far the victim has come, by the forms they sent. */
const steps: [at: string, digits: string, forms: number][] = [
  ['the application', '1101', 1],
  ['waiting for the lender', '5002', 2],
  ['a frozen credit file', '4001', 2],
  ['a denial', '2001', 2],
  ['the plans', '1101', 2],
  ['the card', '1101', 3],
  ['the agreement', '1101', 4],
];

describe('A cart’s link', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });
  const shippingOptions = [{ type: 'Ground', typeId: 'ground', cost: 0 }];
  const given = async (digits: string, forms: number) => {
    const cart = await createCart(merchant, { shippingOptions, errorUrl: 'https://shop.example/bag' });
    let page = await open(cart.url);
    for (let sent = 0; sent < forms; sent++) page = await submit(page, { ...victim, taxIdLast4: digits });
    return { cart, page };
  };
  const rowsOf = (cartId: string) =>
    service.database.query.selectFrom('applications').selectAll().where('cart_id', '=', cartId).orderBy('id').execute();
  const rowOf = async (cartId: string) => (await rowsOf(cartId))[0]!;
  const transactionsOf = (cartId: string) =>
    service.database.query.selectFrom('transactions').selectAll().where('cart_id', '=', cartId).execute();

  describe.each(steps)('while its buyer is at %s', (_at, digits, forms) => {
    it('shows no typed value and no state of the application to any browser', async () => {
      const { cart } = await given(digits, forms);
      for (const place of ['', '/', ...[...FORMS, ...ACTS, 'restart', 'card/return', 'notice'].map((name) => `/${name}`)]) {
        for (const query of ['', '?lang=es', '?display=popup', '?display=frame']) {
          const { text, headers } = await fetchResponse(cart.url + place + query);
          expect([place, text]).toEqual([place, expect.not.stringMatching(TYPED)]);
          expect(headers.get('location') ?? '').not.toMatch(/\/c\/[\w-]{22}\/[\w-]{22}/);
        }
      }
      const shown = await open(cart.url);
      expect(shown.heading).toBe('This checkout is already in progress');
      expect(shown.text).not.toMatch(STATE);
    });

    it('rejects forms for the buyer’s session with tokens of other sessions', async () => {
      const { cart, page } = await given(digits, forms);
      const before = await rowOf(cart.id);
      const planted = { ...typed, firstName: 'Mallory', offerId: 'standard-24', card: 'tok_visa', shownHash: '0'.repeat(64) };
      const [, , , secret] = new URL(page.url).pathname.split('/');
      for (const place of [...FORMS, ...ACTS]) {
        // A token of the link, one of the buyer's session (which only its own browser has), and none.
        for (const seal of [
          await hiddenFieldsFor(service, { cartId: cart.id, place }),
          await hiddenFieldsFor(service, { cartId: cart.id, secret, place }),
          {},
        ]) {
          const response = await post(`${cart.url}/${place}`, { ...planted, ...seal });
          expect([place, response.status < 500, response.text]).toEqual([place, true, expect.not.stringMatching(TYPED)]);
        }
      }
      expect(await rowsOf(cart.id)).toEqual([before]);
    });

    it('responds to a guessed secret like to any other unknown secret', async () => {
      const { cart } = await given(digits, forms);
      const before = await rowOf(cart.id);
      for (const guess of ['A'.repeat(22), new URL(cart.url).pathname.split('/')[2]!, before.session_hash.slice(0, 22)]) {
        for (const place of ['', ...FORMS, 'cancel']) {
          const response = await fetchResponse(`${cart.url}/${guess}/${place}`);
          expect([response.status, pageAt(cart.url, response).heading]).toEqual([200, 'This checkout is already in progress']);
          expect(response.text).not.toMatch(TYPED);
          const seal = await hiddenFieldsFor(service, { cartId: cart.id, secret: guess, place });
          const sent = await post(`${cart.url}/${guess}/${place}`, { ...typed, ...seal });
          expect(sent.text).not.toMatch(TYPED);
        }
      }
      expect(await rowsOf(cart.id)).toEqual([before]);
    });

    it('lets a stranger start again without the first buyer’s data, and ends the first buyer’s session', async () => {
      const { cart, page } = await given(digits, forms);
      const before = await rowOf(cart.id);
      const blank = await open(`${cart.url}/restart`);
      expect(blank).toMatchObject({ status: 200, heading: 'Your details' });
      expect(blank.text).not.toMatch(TYPED);
      expect(await rowsOf(cart.id)).toEqual([before]);

      const others = await submit(blank, { firstName: 'Mallory' });
      expect(others).toMatchObject({ status: 200, heading: 'Apply for financing' });
      const details = await open(`${sessionUrl(others)}/details`);
      expect(details.text).toContain('value="Mallory"');
      expect(details.text).not.toMatch(TYPED);

      const [first, second] = await rowsOf(cart.id);
      const isEnded = before.status === 'DENIED';
      expect(first).toMatchObject({
        status: isEnded ? 'DENIED' : 'CANCELLED',
        status_code: isEnded ? before.status_code : '700300',
        billing_contact_json: before.billing_contact_json,
        request_leased_until: null,
      });
      expect(second).toMatchObject({ status: 'STARTED', superseded_at: null });
      expect(second!.billing_contact_json).not.toMatch(TYPED);

      for (const place of ['', ...FORMS, 'cancel']) {
        const errorPage = await open(`${sessionUrl(page)}/${place}`);
        expect([place, errorPage.heading]).toEqual([place, 'This checkout was started again elsewhere']);
        expect(errorPage.text).not.toContain('Mallory');
      }
      if (page.text.includes('<form')) {
        const late = await submit(page, { ...victim, taxIdLast4: digits });
        expect(late.heading).toBe('This checkout was started again elsewhere');
      }
      expect(await rowsOf(cart.id)).toEqual([first, second]);
    });
  });

  it('cannot be used to start again once the agreement is signed, while the lender confirms and afterwards', async () => {
    for (const [digits, heading] of [
      ['6001', 'This order is being completed'],
      ['1001', 'This order is complete'],
    ] as const) {
      const { cart, page } = await given(digits, 3);
      // Opened before the signature, and sent after it.
      const restart = await open(`${cart.url}/restart`);
      await submit(page, victim);
      const before = await rowsOf(cart.id);

      const shown = await open(cart.url);
      expect(shown).toMatchObject({ status: 200, heading });
      expect(shown.text).not.toMatch(TYPED);
      expect(shown.text).not.toMatch(/\/a\/|transactionId|restart/);
      for (const place of ['restart', ...FORMS]) expect((await open(`${cart.url}/${place}`)).heading).toBe(heading);
      expect((await submit(restart, { firstName: 'Mallory' })).heading).toBe(heading);
      expect(await rowsOf(cart.id)).toEqual(before);
    }
  });

  it('starts one application when it is started again eight times at the same moment', async () => {
    const { cart } = await given('1001', 2);
    const forms = await Promise.all(Array.from({ length: 8 }, () => open(`${cart.url}/restart`)));
    const pages = await Promise.all(forms.map((form, index) => submit(form, { firstName: `Ada${'abcdefgh'[index]}` })));

    const rows = await rowsOf(cart.id);
    expect(rows.filter(({ superseded_at }) => superseded_at === null)).toHaveLength(1);
    const current = rows.find(({ superseded_at }) => superseded_at === null)!;
    const went = pages.filter(({ heading }) => heading === 'Apply for financing');
    expect(went.length).toBeGreaterThan(0);
    const live = await Promise.all(went.map(({ url }) => open(`${sessionUrl({ url })}/details`)));
    expect(live.filter(({ heading }) => heading === 'Your details')).toHaveLength(1);
    expect(live.find(({ heading }) => heading === 'Your details')!.text).toContain(
      `value="${(JSON.parse(current.billing_contact_json) as { firstName: string }).firstName}"`,
    );
  });

  it('yields one purchase when it is signed and started again at the same moment', async () => {
    for (let round = 0; round < 6; round++) {
      const { cart, page } = await given('1001', 3);
      const restart = await open(`${cart.url}/restart`);
      await Promise.all([submit(page, victim), submit(restart, { firstName: 'Mallory' })]);

      const rows = await rowsOf(cart.id);
      const statuses = rows.map(({ status }) => status);
      expect([['CHECKOUT_COMPLETED'], ['CANCELLED', 'STARTED']]).toContainEqual(statuses);
      const bought = await transactionsOf(cart.id);
      expect(bought).toHaveLength(statuses.length === 1 ? 1 : 0);
      for (const { billing_contact_json } of bought) expect(billing_contact_json).not.toContain('Mallory');
    }
  });

  it('discards a decision about an application that was replaced in the meantime', async () => {
    const { cart, page } = await given('5002', 2);
    expect(page.heading).toBe('The lender is reviewing your application');
    await submit(await open(`${cart.url}/restart`));
    const { now } = service.clock;
    await service.database.write((tx) =>
      tx.updateTable('applications').set({ updated_at: now() }).where('cart_id', '=', cart.id).execute(),
    );
    expect(await submit(page)).toMatchObject({ heading: 'This checkout was started again elsewhere' });
    expect((await rowsOf(cart.id)).map(({ status }) => status)).toEqual(['CANCELLED', 'STARTED']);
  });

  it('can be started again after the buyer has canceled or the approval is over', async () => {
    const { cart, page } = await given('1001', 2);
    await submit(await open(`${sessionUrl(page)}/cancel`));
    expect(await open(cart.url)).toMatchObject({ heading: 'This checkout is already in progress' });
    const again = await submit(await open(`${cart.url}/restart`));
    expect(again).toMatchObject({ heading: 'Apply for financing' });
    expect((await rowsOf(cart.id)).map(({ status_code }) => status_code)).toEqual(['700100', '100000']);
  });

  it('shows only the merchant’s data to a buyer who starts again', async () => {
    const billingContact = { fullName: 'Grace Hopper', address: '1 Compiler Road', city: 'Arlington', state: 'VA' } as never;
    const cart = await createCart(merchant, { billingContact });
    await submit(await open(cart.url), victim);
    const { text } = await open(`${cart.url}/restart`);
    expect(text).toContain('value="Grace"');
    expect(text).not.toMatch(TYPED);
  });
});

describe('The session of a checkout', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });
  const rowOf = (cartId: string) =>
    service.database.query.selectFrom('applications').selectAll().where('cart_id', '=', cartId).executeTakeFirstOrThrow();

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
    expect(row.session_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(service.logged.join('')).not.toContain(secret);
    expect(service.logged.join('')).toContain('"route":"/c/:code/:secret/:step"');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  it('rotates the secret with each form of personal data, so that a shared link does not show them', async () => {
    const cart = await createCart(merchant, { shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 0 }] });
    const attackers = await submit(await open(cart.url), { firstName: 'Mallory' });
    const passedOn = sessionUrl(attackers);

    // The victim corrects the details in the session that the attacker began.
    const corrected = await submit(await open(`${passedOn}/details`), victim);
    expect(sessionUrl(corrected)).not.toBe(passedOn);
    for (const place of ['', '/details', '/apply', '/plans']) {
      const { heading, text } = await open(passedOn + place);
      expect(heading).toBe('This checkout is already in progress');
      expect(text).not.toMatch(TYPED);
    }

    // Or applies in it: how the lender decides is for the victim alone.
    const second = await createCart(merchant);
    const begun = await submit(await open(second.url), { firstName: 'Mallory' });
    const decided = await submit(begun, { taxIdLast4: '2001' });
    expect(decided.heading).toBe('We cannot offer financing this time');
    const shared = await open(sessionUrl(begun));
    expect(shared.heading).toBe('This checkout is already in progress');
    expect(shared.text).not.toMatch(STATE);
  });

  it.each(FORMS)('rejects the form of another session: %s', async (step) => {
    const other = await createCart(merchant, { items: [{ ...chair, sku: 'OTHER' }] });
    const own = await createCart(merchant);
    const upTo = async (url: string, over: Record<string, string>): Promise<Page> => {
      let page = await open(url);
      for (const name of FORMS.slice(0, FORMS.indexOf(step)))
        page = await submit(page, { ...over, taxIdLast4: name ? '1101' : '' });
      return page;
    };
    const [mine, theirs] = [await upTo(own.url, victim), await upTo(other.url, typed)];
    const restarted = async () => {
      if (step === 'details') return theirs;
      let page = await submit(await open(`${own.url}/restart`));
      for (const name of FORMS.slice(1, FORMS.indexOf(step))) page = await submit(page, { taxIdLast4: name ? '1101' : '' });
      return page;
    };
    // Of another cart's session, and of another session of the same cart.
    const fromOther = await post(mine.url, { ...typed, ...fieldsOf(theirs) });
    expect(fromOther.status).toBe(403);
    const again = await restarted();
    const before = await service.database.query.selectFrom('applications').selectAll().where('cart_id', '=', own.id).execute();
    const crossed = await post(again.url, { ...typed, ...fieldsOf(mine) });
    expect(crossed.status).toBe(403);
    expect(crossed.text).not.toMatch(TYPED);
    expect(await service.database.query.selectFrom('applications').selectAll().where('cart_id', '=', own.id).execute()).toEqual(
      before,
    );
  });

  it('responds to both of two simultaneous forms with the same session', async () => {
    const cart = await createCart(merchant);
    let page = await open(cart.url);
    for (const heading of ['Apply for financing', 'Choose your plan', 'Review and sign']) {
      const both = await Promise.all([submit(page), submit(page)]);
      expect(both.map((each) => each.heading)).toEqual([heading, heading]);
      expect(new Set(both.map(sessionUrl)).size).toBe(1);
      page = both[0]!;
    }
    expect(
      await service.database.query.selectFrom('applications').select('id').where('cart_id', '=', cart.id).execute(),
    ).toHaveLength(1);
  });

  it('accepts the first form again when the buyer went back and changed it', async () => {
    const cart = await createCart(merchant);
    const first = await open(cart.url);
    await submit(first, { firstName: 'Ada' });
    const changed = await submit(first, { firstName: 'Augusta' });
    expect(changed).toMatchObject({ heading: 'Apply for financing' });
    expect((await rowOf(cart.id)).billing_contact_json).toContain('Augusta');
  });

  it('can be reloaded at every step, and stays the same', async () => {
    const cart = await createCart(merchant);
    let page = await submit(await open(cart.url));
    for (let sent = 0; sent < 3; sent++) {
      const reloaded = await open(page.url);
      expect([reloaded.url, reloaded.heading]).toEqual([page.url, page.heading]);
      page = await submit(reloaded);
    }
    expect(page.status).toBe(303);
  });
});

describe('The agreement', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });
  const shippingOptions = [{ type: 'Ground', typeId: 'ground', cost: 0 }];
  const reach = async (over: Record<string, string>, options = {}) => {
    const cart = await createCart(merchant, { shippingOptions, ...options });
    let page = await open(cart.url);
    for (let forms = 0; forms < 3; forms++) page = await submit(page, over);
    expect(page.heading).toBe('Review and sign');
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

  it('shows the buyer, their e-mail, the shipping address, and the home address if it differs', async () => {
    const { page } = await reach(victim);
    expect(rows(page)).toEqual({
      Buyer: 'Wilhelmina Przybylski',
      Email: 'mina@victim.example',
      'Ship to': 'Leopoldine Okonkwo, 4 Juniper Bend, Peoria, IL 61602',
      'Home address': 'Wilhelmina Przybylski, 77 Cypress Hollow, Carbondale, IL 62901',
    });
    expect(rows((await reach({ address2: 'Apt 4' })).page)).toEqual({
      Buyer: 'Ada Lovelace',
      Email: 'ada@example.com',
      'Ship to': 'Ada Lovelace, 12 Analytical Way, Apt 4, Springfield, IL 62701',
    });
    expect(Object.keys(rows((await reach({}, { shippingOptions: [] })).page))).toEqual(['Buyer', 'Email', 'Home address']);
  });

  it.each([
    ['shipping address', 'shipping_contact_json', 'Juniper Bend', 'Robbers Cave'],
    ['name', 'billing_contact_json', 'Przybylski', 'Przybylska'],
    ['e-mail address', 'billing_contact_json', 'mina@victim.example', 'mina@attacker.example'],
    ['home address', 'billing_contact_json', '77 Cypress', '78 Cypress'],
  ] as const)('cannot be signed after the %s changed since it was shown, and is shown again', async (_what, column, from, to) => {
    const { cart, page } = await reach(victim);
    const application = service.database.query.selectFrom('applications').selectAll().where('cart_id', '=', cart.id);
    const before = await application.executeTakeFirstOrThrow();
    const change = (value: string) =>
      service.database.write((tx) =>
        tx
          .updateTable('applications')
          .set({ [column]: value })
          .where('id', '=', before.id)
          .execute(),
      );
    await change(before[column].replace(from, to));

    const redisplayedText = await submit(page, victim);
    expect(redisplayedText).toMatchObject({ status: 422, heading: 'Review and sign' });
    expect(redisplayedText.text).toContain('The agreement has changed since you opened this page');
    expect(redisplayedText.text).toContain(to);
    expect(await application.executeTakeFirstOrThrow()).toMatchObject({
      status: 'CHECKOUT_PREPARED',
      payment_agreements_json: '[]',
    });
    expect(await submit(redisplayedText, victim)).toMatchObject({ status: 303 });
  });

  it('is stored with the buyer, their e-mail and both addresses, and the transaction has the same', async () => {
    const { cart, page } = await reach(victim);
    await submit(page, victim);
    const copy = await open(copyIn(await open(sessionUrl(page))));
    for (const shown of [
      'Wilhelmina Przybylski, 77 Cypress Hollow, Carbondale, IL 62901',
      'mina@victim.example',
      'Leopoldine Okonkwo, 4 Juniper Bend, Peoria, IL 61602',
    ]) {
      expect(copy.text).toContain(shown);
    }
    const { transaction_id: id } = await service.database.query
      .selectFrom('carts')
      .select('transaction_id')
      .where('id', '=', cart.id)
      .executeTakeFirstOrThrow();
    expect((await merchant.get(`/transactions/${id}`)).body).toMatchObject({
      shippingContact: { fullName: 'Leopoldine Okonkwo', address: '4 Juniper Bend', city: 'Peoria' },
    });
  });
});
