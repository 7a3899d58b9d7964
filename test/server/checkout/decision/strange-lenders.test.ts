/** Invalid lender responses. The service does not treat them as decisions and does not offer a loan that the program lacks. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../server/db/database.ts';
import type { Lender } from '../../../../server/lenders/lender.ts';
import { noLender } from '../../../../server/lenders/create-lender.ts';
import { open, reachAgreement, submit, sessionUrl } from '../../../support/checkout.ts';
import { createDatabase } from '../../../support/databases.ts';
import { parsePage } from '../../../support/html.ts';
import { startApp } from '../../../support/app.ts';

const approved = { outcome: 'approved', tierId: 'A', limitCents: null };

const sayings: [what: string, response: unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a text', 'approved'],
  ['what can be said of an earlier request alone', 'unknown'],
  ['an empty object', {}],
  ['another outcome', { outcome: 'maybe' }],
  ['an outcome that every object has', { outcome: 'constructor' }],
  ['an approval for no tier', { outcome: 'approved', limitCents: null }],
  ['an approval for a tier that is not sold', { ...approved, tierId: 'Z' }],
  ['an approval for a list of tiers', { ...approved, tierId: ['A'] }],
  ['an approval up to nothing', { ...approved, limitCents: 0 }],
  ['an approval up to less than nothing', { ...approved, limitCents: -5 }],
  ['an approval up to half a cent', { ...approved, limitCents: 60_000.5 }],
  ['an approval up to what is no number', { ...approved, limitCents: Number.NaN }],
  ['an approval up to a text', { ...approved, limitCents: '60000' }],
  ['an approval up to more than was asked for', { ...approved, limitCents: 75_001 }],
  ['a denial without reasons', { outcome: 'denied' }],
  ['a denial with an unknown reason', { outcome: 'denied', reasons: ['their hat'] }],
  ['a denial with a text for reasons', { outcome: 'denied', reasons: 'income' }],
  ['an unknown action', { outcome: 'needs-action', action: 'dance' }],
];

describe('A lender that', () => {
  let database: Database;
  beforeAll(async () => {
    database = await createDatabase();
  });
  const applicationOf = (cartId: string) =>
    database.query.selectFrom('applications').selectAll().where('cart_id', '=', cartId).executeTakeFirstOrThrow();
  const given = async (lender: object) => {
    const responds = {
      decide: async () => approved,
      decisionOf: async () => 'unknown',
      accept: async () => 'accepted',
      ...lender,
    };
    const app = await startApp(database, { lender: { ...noLender, ...responds } as unknown as Lender });
    return { ...app, cart: await app.createCart() };
  };

  describe('responds to an application with', () => {
    it.each(sayings)('%s is treated as no response', async (_what, response) => {
      const { cart, logged } = await given({ decide: async () => response });
      const page = await submit(await submit(await open(cart.url)));
      expect(page).toMatchObject({ status: 200, heading: 'The lender is reviewing your application' });
      expect(parsePage(page.text, page.url).faults).toEqual([]);
      expect(await applicationOf(cart.id)).toMatchObject({ status: 'STARTED', status_code: '100100', tier_id: null });
      expect(logged.filter((line) => line.includes('"fault"'))).toEqual([]);
    });
  });

  it('offers less than the smallest plan makes the buyer ineligible', async () => {
    const { cart } = await given({ decide: async () => ({ ...approved, limitCents: 100 }) });
    const page = await submit(await submit(await open(cart.url)));
    expect([page.status, page.headers.get('location')]).toEqual([303, 'https://shop.example/']);
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'INELIGIBLE', status_code: '310000' });
  });

  it.each<[string, object]>([
    ['finds a buyer ineligible', { outcome: 'ineligible' }],
    ['has less to lend than anybody sells a plan for', { ...approved, limitCents: 100 }],
  ])('%s received a request, and the notice does not name the state as the reason', async (_what, response) => {
    const { cart } = await given({ decide: async () => response });
    const page = await submit(await submit(await open(`${cart.url}?display=popup`)));
    expect(page).toMatchObject({ heading: 'Financing is not available for this order' });
    expect(page.text).toContain('Fairterm Lending has reviewed your application');
    expect(page.text).not.toContain('no lender has received');
    expect(page.text).not.toMatch(/<main>[^]*residents of Illinois/);
    const spanish = await open(`${sessionUrl(page)}?lang=es&display=popup`);
    expect(spanish.text).toContain('Fairterm Lending revisó su solicitud');
    expect(spanish.text).not.toContain('no se consultó a ningún prestamista');
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['true', true],
    ['no', 'declined'],
    ['what is said to an application', approved],
  ])('responds to a signature with %s is treated as no response', async (_what, response) => {
    const { cart } = await given({ accept: async () => response });
    const page = await submit(await reachAgreement(cart.url));
    expect(page).toMatchObject({ status: 200, heading: 'We are finishing your purchase' });
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'ATTEMPTED_CHECKOUT', status_code: '600000' });
  });

  it('throws is an internal error, and the next request reads its response', async () => {
    const responses: (() => unknown)[] = [() => Promise.reject(new TypeError('x is not a function'))];
    const { cart, logged } = await given({ decide: async () => responses.shift()!(), decisionOf: async () => approved });
    const applying = await submit(await open(cart.url));
    expect(await submit(applying)).toMatchObject({ status: 500, heading: 'Something went wrong on our side' });
    expect(logged.filter((line) => line.includes('"error":"TypeError"'))).toHaveLength(1);
    expect(await submit(applying)).toMatchObject({ heading: 'Choose your plan' });
  });
});
