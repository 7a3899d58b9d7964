/** Opens and submits every step at typical positions of a checkout, over HTTP. `steps.test.ts` has the rule for every position. */
import { describe, expect, it } from 'vitest';
import { createCart, open, post, reachAgreement, sessionUrl, submit, typed } from '../../../support/checkout.ts';
import { Page } from '../../../support/page.ts';
import { hiddenFieldsFor } from '../../../support/app.ts';
import { withoutRetries } from '../../../support/stored.ts';
import { fetchResponse, startService } from '../../../support/service.ts';

/** A position of a checkout. */
interface Position {
  /** Advances the checkout to the position. */
  reach(url: string): Promise<Page | undefined>;
  /** Steps whose page can be opened. */
  open: readonly string[];
  /** The step or state at the address of the checkout. Default: the first open step. */
  shows?: string;
  /** True if the checkout has failed: the link redirects to `errorUrl`. */
  hasFailed?: boolean;
}

const submitDetails = async (url: string) => submit(await open(url));
const apply = async (url: string, taxIdLast4: string) => submit(await submitDetails(url), { taxIdLast4 });

const positions: Record<string, Position> = {
  'there is no application': { reach: async () => undefined, open: ['details'] },
  'the details are submitted': { reach: submitDetails, open: ['apply', 'details', 'cancel'] },
  'the agreement can be signed, with a card for the remainder': {
    reach: async (url) => submit(await submit(await apply(url, '1101'))),
    open: ['agreement', 'plans', 'card', 'cancel'],
  },
  'the lender’s response is late': {
    reach: (url) => apply(url, '5002'),
    open: ['cancel'],
    shows: 'waiting',
  },
  'the buyer has cancelled': {
    reach: async (url) => {
      const page = await submitDetails(url);
      return submit(await open(`${sessionUrl(page)}/cancel`));
    },
    open: [],
    hasFailed: true,
  },
  'it is signed': {
    reach: async (url) => submit(await reachAgreement(url)),
    open: [],
    shows: 'completed',
  },
};

const expectRedirect = ({ status, headers }: Page): void =>
  expect([status, headers.get('location')]).toEqual([303, 'https://shop.example/']);

const STEPS = 'details apply plans card agreement check cancel extend nonsense DETAILS constructor'.split(' ');

const service = await startService();
const merchant = await service.createMerchant();

describe('A checkout', () => {
  it('shows its first form at the link, and each accepted form redirects to the next page at once', async () => {
    const { url } = await createCart(merchant);
    const link = await fetchResponse(url);
    let page = new Page(url, link);
    expect([link.status, page.step]).toEqual([200, 'details']);
    for (const step of ['apply', 'plans', 'agreement']) {
      const accepted = await post(page.form!.action, { ...page.fields, ...typed });
      const next = new URL(accepted.headers.get('location')!, url).href;
      page = new Page(next, await fetchResponse(next));
      expect([accepted.status, page.status, page.step]).toEqual([303, 200, step]);
    }
  });

  /** Returns the stored rows of a cart. */
  const storedOf = async (cartId: string) => {
    const { query } = service.database;
    const [cart] = await query.selectFrom('carts').selectAll().where('id', '=', cartId).execute();
    const applications = await query.selectFrom('applications').selectAll().where('cartId', '=', cartId).execute();
    const transactions = await query.selectFrom('transactions').selectAll().where('cartId', '=', cartId).execute();
    return { cart, applications: applications.map(withoutRetries), transactions };
  };
  const given = async ({ reach }: Position) => {
    const cart = await createCart(merchant);
    const page = await reach(cart.url);
    // The checkout is at the link while there is no application, and at its session afterwards.
    const url = page ? sessionUrl(page) : cart.url;
    const { pathname } = new URL(url);
    return { id: cart.id, url, path: `${pathname}?lang=en`, secret: pathname.split('/')[3] };
  };
  const hiddenFieldsOf = ({ id, secret }: { id: string; secret: string | undefined }, path: string) =>
    hiddenFieldsFor(service, { cartId: id, secret, path });
  const expectNoChange = async (cartId: string, act: () => Promise<void>) => {
    const before = await storedOf(cartId);
    await act();
    expect(await storedOf(cartId)).toEqual(before);
  };

  it.each(Object.entries(positions))(
    'when %s, opens the available pages, and redirects from all others',
    async (_case, position) => {
      const cart = await given(position);
      await expectNoChange(cart.id, async () => {
        const page = await open(cart.url);
        if (position.hasFailed) expectRedirect(page);
        else expect(page.step).toBe(position.shows ?? position.open[0]);
        for (const step of STEPS) {
          const response = new Page(cart.url, await fetchResponse(`${cart.url}/${step}`));
          if (position.open.includes(step)) expect([response.status, response.step]).toEqual([200, step]);
          else expect([step, response.status, response.headers.get('location')]).toEqual([step, 303, cart.path]);
        }
      });
    },
  );

  it.each(Object.entries(positions))('when %s, ignores forms of unavailable pages', async (_case, position) => {
    const cart = await given(position);
    const signed = (await storedOf(cart.id)).cart?.transactionId;
    const form = { ...typed, offerId: 'standard-24', card: 'tok_visa', shownHash: '0'.repeat(64) };
    await expectNoChange(cart.id, async () => {
      for (const step of STEPS.filter((name) => !position.open.includes(name))) {
        const response = await post(`${cart.url}/${step}`, { ...form, ...(await hiddenFieldsOf(cart, step)) });
        const target = signed && step === 'agreement' ? `https://shop.example/?transactionId=${signed}&orderRef=` : cart.path;
        // Actions without an effect redirect to the current step, if there is one.
        const isAtStep = cart.secret !== undefined && position.shows === undefined && !position.hasFailed;
        const current = isAtStep && ['check', 'extend'].includes(step) ? target.replace('?', `/${position.open[0]}?`) : target;
        expect([step, response.status, response.headers.get('location')]).toEqual([step, 303, current]);
      }
    });
  });
});
