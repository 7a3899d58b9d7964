/** A lender that keeps nothing of what it promises. Whatever it says, nobody gets a loan that nobody sells, and a page is shown. */
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../server/db/database.ts';
import type { Lender } from '../../../server/lenders/lender.ts';
import { noLender } from '../../../server/lenders/no-lender.ts';
import { open, reachAgreement, submit } from '../../support/buyer.ts';
import { describeOnEveryEngine, givenDatabase } from '../../support/engines.ts';
import { parsePage } from '../../support/html.ts';
import { givenApp } from '../../support/own-app.ts';

const approved = { outcome: 'approved', tierId: 'A', limitCents: null };

const answers: [what: string, answer: unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a text', 'approved'],
  ['an empty object', {}],
  ['another outcome', { outcome: 'maybe' }],
  ['an outcome of every object', { outcome: 'constructor' }],
  ['an approval for no tier', { outcome: 'approved', limitCents: null }],
  ['an approval for a tier that is not sold', { ...approved, tierId: 'Z' }],
  ['an approval for a list of tiers', { ...approved, tierId: ['A'] }],
  ['a limit of nothing', { ...approved, limitCents: 0 }],
  ['a limit below nothing', { ...approved, limitCents: -5 }],
  ['a limit below what is sold', { ...approved, limitCents: 100 }],
  ['a limit of half a cent', { ...approved, limitCents: 60_000.5 }],
  ['a limit that is no number', { ...approved, limitCents: Number.NaN }],
  ['a limit of text', { ...approved, limitCents: '60000' }],
  ['a denial without reasons', { outcome: 'denied' }],
  ['a denial for a reason that is none', { outcome: 'denied', reasons: ['their hat'] }],
  ['a denial with a text for reasons', { outcome: 'denied', reasons: 'income' }],
  ['an action that is none', { outcome: 'needs-action', action: 'dance' }],
];

describeOnEveryEngine('A lender that answers', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await givenDatabase(engine);
  });
  const applicationOf = (cartId: string) =>
    database.query.selectFrom('applications').selectAll().where('cart_id', '=', cartId).executeTakeFirstOrThrow();

  it.each(answers)('%s', async (_what, answer) => {
    const lender = { ...noLender, decide: async () => answer, decisionOf: async () => 'unknown' } as unknown as Lender;
    const app = await givenApp(database, { lender });
    const cart = await app.givenCart();
    const page = await submit(await submit(await open(cart.url)));
    const { status, status_code, tier_id, offers_json, financed_cents } = await applicationOf(cart.id);
    console.log(_what, '->', page.status, page.heading, '|', status, status_code, tier_id, offers_json, financed_cents, app.logged.filter((l) => l.includes('fault')).map((l) => JSON.parse(l).fault));
    expect(parsePage(page.text, page.url).faults).toEqual([]);
    const again = await open(cart.url);
    console.log('   then', again.status, again.heading, (await submit(again)).heading);
  });

  it.each([['nothing', undefined], ['yes', true], ['a text', 'declined']])('%s to a signature', async (_what, answer) => {
    const lender = { ...noLender, decide: async () => approved, accept: async () => answer } as unknown as Lender;
    const app = await givenApp(database, { lender });
    const cart = await app.givenCart();
    const page = await submit(await reachAgreement(cart.url));
    const { status, status_code } = await applicationOf(cart.id);
    console.log(_what, '->', page.status, page.heading, '|', status, status_code);
  });
});
