/** Every step is opened and sent at every place a checkout can be at: the whole matrix, over HTTP. */
import { beforeAll, describe, expect, it } from 'vitest';
import { importProgram } from '../../../../server/merchants/import-program.ts';
import { plusDays } from '../../../../server/time.ts';
import { createCart, open, type Page, post, reachAgreement, sessionUrl, submit, typed } from '../../../support/checkout.ts';
import { hiddenFieldsFor } from '../../../support/app.ts';
import { givenProgram } from '../../../support/programs.ts';
import { fetchResponse, startService, type TestMerchant, type TestService } from '../../../support/service.ts';

const HEADINGS: Record<string, string> = {
  details: 'Your details',
  apply: 'Apply for financing',
  plans: 'Choose your plan',
  card: 'Your card',
  agreement: 'Review and sign',
  cancel: 'Cancel your application?',
};

/** A place a checkout can be at: how it got there, and which of its pages can be opened. */
interface Place {
  way(url: string): Promise<Page | undefined>;
  /** Of the cart, beside what every cart of this test has. */
  customTotal?: number;
  open: readonly string[];
  /** What the address of the checkout shows; left out, the first of those that are open. */
  shows?: string;
  /** Whether the checkout has failed: the link redirects to `errorUrl`. */
  hasFailed?: boolean;
}

const detailed = async (url: string) => submit(await open(url));
const applied = async (url: string, taxIdLast4: string) => submit(await detailed(url), { taxIdLast4 });
const atCard = async (url: string) => submit(await applied(url, '1101'));

const places: Record<string, Place> = {
  'there is no application': { way: async () => undefined, open: ['details'] },
  'the details are there': { way: detailed, open: ['apply', 'details', 'cancel'] },
  'it is approved': { way: (url) => applied(url, '1001'), open: ['plans', 'cancel'] },
  'a card for the rest is asked for': { way: atCard, open: ['card', 'plans', 'cancel'] },
  'the agreement is to be signed': { way: (url) => reachAgreement(url), open: ['agreement', 'plans', 'cancel'] },
  'the agreement is to be signed, and a part is paid by card': {
    way: async (url) => submit(await atCard(url)),
    open: ['agreement', 'plans', 'card', 'cancel'],
  },
  'the lender’s answer is late': {
    way: (url) => applied(url, '5002'),
    open: ['cancel'],
    shows: 'The lender is reviewing your application',
  },
  'the lender has not confirmed what is signed': {
    way: async (url) => submit(await reachAgreement(url, { taxIdLast4: '6001' })),
    open: [],
    shows: 'We are finishing your purchase',
  },
  'the buyer must do something first': {
    way: (url) => applied(url, '4002'),
    open: ['details', 'apply', 'cancel'],
    shows: 'We need something from you',
  },
  'it is denied': { way: (url) => applied(url, '2001'), open: [], shows: 'We cannot offer financing this time' },
  'the buyer is not eligible': { way: (url) => applied(url, '3001'), open: [], hasFailed: true },
  'nothing is sold in the buyer’s state': {
    way: async (url) => submit(await open(url), { state: 'IA' }),
    open: ['details'],
    shows: 'Financing is not available for this order',
  },
  'nothing is sold for the amount': {
    way: async () => undefined,
    customTotal: 4_999,
    open: [],
    hasFailed: true,
  },
  'the buyer has cancelled': {
    way: async (url) => {
      const page = await detailed(url);
      return submit(await open(`${sessionUrl(page)}/cancel`));
    },
    open: [],
    hasFailed: true,
  },
  'it is signed': {
    way: async (url) => submit(await reachAgreement(url)),
    open: [],
    shows: 'This purchase is complete',
  },
};

const expectRedirect = ({ status, headers }: Page): void =>
  expect([status, headers.get('location')]).toEqual([303, 'https://shop.example/']);

const STEPS = [
  'details',
  'apply',
  'plans',
  'card',
  'agreement',
  'check',
  'cancel',
  'extend',
  'nonsense',
  'DETAILS',
  'constructor',
];

describe('A checkout', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
    const program = givenProgram({ id: 'own', states: { excluded: ['IA'] } });
    await importProgram(service.database, program, [merchant.merchantId], { asDefault: true }, service.clock.now());
  });

  /** Everything that is stored of a cart. */
  const storedOf = async (cartId: string) => {
    const { query } = service.database;
    const [cart] = await query.selectFrom('carts').selectAll().where('id', '=', cartId).execute();
    const applications = await query.selectFrom('applications').selectAll().where('cart_id', '=', cartId).execute();
    const transactions = await query.selectFrom('transactions').selectAll().where('cart_id', '=', cartId).execute();
    return { cart, applications, transactions };
  };
  const given = async ({ way, customTotal }: Place) => {
    const cart = await createCart(merchant, customTotal === undefined ? {} : { items: undefined, customTotal });
    const page = await way(cart.url);
    // Where the checkout is: at the link while there is no application, in a session afterwards.
    const url = page ? sessionUrl(page) : cart.url;
    const { pathname } = new URL(url);
    return { id: cart.id, url, path: `${pathname}?lang=en`, secret: pathname.split('/')[3] };
  };
  const sealOf = ({ id, secret }: { id: string; secret: string | undefined }, place: string) =>
    hiddenFieldsFor(service, { cartId: id, secret, place });
  /** Whatever is answered, nothing has come of it. */
  const expectNothingDone = async (cartId: string, act: () => Promise<void>) => {
    const before = await storedOf(cartId);
    await act();
    expect(await storedOf(cartId)).toEqual(before);
  };

  it.each(Object.entries(places))('when %s, opens the available pages, and redirects from all others', async (_what, place) => {
    const cart = await given(place);
    await expectNothingDone(cart.id, async () => {
      const page = await open(cart.url);
      if (place.hasFailed) expectRedirect(page);
      else expect(page.heading).toBe(place.shows ?? HEADINGS[place.open[0]!]);
      for (const step of STEPS) {
        const response = await fetchResponse(`${cart.url}/${step}`);
        const heading = /<h1>([^<]*)<\/h1>/.exec(response.text)?.[1];
        if (place.open.includes(step)) expect([step, response.status, heading]).toEqual([step, 200, HEADINGS[step]]);
        else expect([step, response.status, response.headers.get('location')]).toEqual([step, 303, cart.path]);
      }
    });
  });

  it.each(Object.entries(places))('when %s, ignores forms of unavailable pages', async (_what, place) => {
    const cart = await given(place);
    const signed = (await storedOf(cart.id)).cart?.transaction_id;
    const whatever = { ...typed, offerId: 'standard-24', card: 'tok_visa', shownHash: '0'.repeat(64) };
    await expectNothingDone(cart.id, async () => {
      for (const step of STEPS.filter((name) => !place.open.includes(name))) {
        const response = await post(`${cart.url}/${step}`, { ...whatever, ...(await sealOf(cart, step)) });
        const leadsTo = signed && step === 'agreement' ? `https://shop.example/?transactionId=${signed}&orderRef=` : cart.path;
        expect([step, response.status, response.headers.get('location')]).toEqual([step, 303, leadsTo]);
      }
    });
  });

  it.each(Object.entries(places))('when %s, shows an empty form of an available page again', async (_what, place) => {
    const cart = await given(place);
    await expectNothingDone(cart.id, async () => {
      for (const step of place.open.filter((name) => name !== 'cancel')) {
        const response = await post(`${cart.url}/${step}`, await sealOf(cart, step));
        expect([step, response.status]).toEqual([step, 422]);
        expect(response.text).toContain(`<h1>${HEADINGS[step]}</h1>`);
      }
    });
  });

  const ends: [what: string, end: (id: string) => Promise<unknown> | void][] = [
    ['the merchant has ended the link', (id) => merchant.post(`/carts/${id}/expire`)],
    ['its last day is over', () => service.clock.moveTo(plusDays(service.clock.now(), 8))],
  ];
  // What waits for a lender is finished all the same.
  const ending = Object.keys(places).filter((name) => !name.startsWith('the lender'));
  describe.each(ends)('when %s', (_what, end) => {
    it.each(ending)('changes nothing where %s', async (name) => {
      const startedAt = service.clock.now();
      const { id, url, secret } = await given(places[name]!);
      try {
        await end(id);
        const { cart, transactions } = await storedOf(id);
        for (const step of STEPS) {
          const opened = await fetchResponse(`${url}/${step}`);
          const sent = await post(`${url}/${step}`, {
            ...typed,
            offerId: 'standard-24',
            card: 'tok_visa',
            ...(await sealOf({ id, secret }, step)),
          });
          expect([step, opened.status, sent.status]).toEqual([step, 303, 303]);
        }
        expect(await storedOf(id)).toMatchObject({ cart, transactions });
        const page = await open(url);
        if (name === 'it is denied' || name === 'it is signed')
          expect(page).toMatchObject({ status: 200, heading: places[name]!.shows });
        else expectRedirect(page);
      } finally {
        service.clock.moveTo(startedAt);
      }
    });
  });
});
