/** The dates of a checkout in the time zone of its program: promotions, versions, agreements and notices. */
import { beforeAll, describe, expect, it } from 'vitest';
import { lastDayOf } from '../../../server/lending/applications/expiry.ts';
import { importProgram } from '../../../server/lending/programs/import.ts';
import {
  copyOf,
  createCart,
  open,
  type Page,
  reachAgreement,
  reachDecision,
  sessionUrl,
  submit,
} from '../../support/checkout.ts';
import { createOffer, createProgram } from '../../support/programs.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';
import type { Instant } from '../../../server/base/time.ts';

/** 8 p.m. on December 31 in New York. */
const EVENING = '2027-01-01T01:00:00.000000Z';
const promo = { kind: 'zero-apr', from: '2026-11-20', to: '2026-12-31' };
const offers = [createOffer({ id: 'a24' }), createOffer({ id: 'free', termLength: 6, tierAprBps: { A: 0 }, promo })];

/** Imports a program of the time zone for a new merchant, and a version of it that takes effect on January 1. */
async function createMerchantIn(service: TestService, timeZone: string): Promise<TestMerchant> {
  const merchant = await service.createMerchant();
  const versions = [
    { version: 2, effective: { from: '2026-01-01' }, offers },
    { version: 3, effective: { from: '2027-01-01' }, offers: [createOffer({ id: 'later', tierAprBps: { A: 1_099 } })] },
  ];
  for (const version of versions) {
    const program = createProgram({ ...version, timeZone });
    await importProgram(service.database, program, [merchant.merchantId], { asDefault: false }, service.clock.now());
  }
  return merchant;
}

const textOf = ({ text }: Pick<Page, 'text'>) => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe.each([
  {
    timeZone: 'America/New_York',
    signed: 'December 31, 2026 at 8:00 PM EST',
    offerId: 'free',
    version: 2,
    date: 'December 31, 2026',
    day: '2026-12-31',
    due: 'January 31, 2027',
  },
  {
    timeZone: 'UTC',
    signed: 'January 1, 2027 at 1:00 AM UTC',
    offerId: 'later',
    version: 3,
    date: 'January 1, 2027',
    day: '2027-01-01',
    due: 'February 1, 2027',
  },
])('At 01:00 UTC on January 1, with a program in $timeZone', ({ timeZone, signed, offerId, version, date, day, due }) => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    service.clock.moveTo('2026-12-01T12:00:00.000000Z');
    merchant = await createMerchantIn(service, timeZone);
    service.clock.moveTo(EVENING);
  });

  it(`sells the version of ${day}, with its promotions, in quotes, programs and carts`, async () => {
    const { body } = await merchant.post('/aslowas', { customTotal: 75_000 });
    expect(body.basis).toMatchObject({ date: day, programVersion: version });
    expect(body.asLowAs.minApr).toBe(version === 2 ? 0 : 0.1099);

    const { body: document } = await merchant.get(`/storefront/programs?key=${merchant.apiKey}`);
    expect(document.programs[0]).toMatchObject({ version, timeZone });
    const { body: created } = await merchant.post('/carts', { options: { customTotal: 75_000 } });
    const { body: retrieved } = await merchant.get(`/carts/${created.id}`);
    for (const { asLowAs } of [created, retrieved]) expect(asLowAs).toEqual(body.asLowAs);
  });

  it(`dates the agreement, its payments and its copy ${day}`, async () => {
    const agreement = await reachAgreement((await createCart(merchant)).url, { offerId });
    expect(textOf(agreement)).toContain(`assumes that it is the date of this agreement, ${date}.`);
    expect(textOf(agreement)).toContain(due);

    const completed = await open(sessionUrl(await submit(agreement)));
    expect(textOf(completed)).toContain(`Signed by Ada Lovelace on ${date}.`);
    const copy = await open(await copyOf(completed, service.database));
    expect(textOf(copy)).toContain(`Signed electronically by Ada Lovelace on ${signed}.`);
    expect(textOf(copy)).toContain(`assumes that it is the date of this agreement, ${date}.`);
    const { body: messages } = await merchant.get('/sandbox/messages');
    expect(JSON.stringify(messages)).toContain(`On ${date} you signed an agreement`);
  });

  it(`states ${day} as the due date's start on the page of the plans, and as the date of a denial`, async () => {
    const { url } = await createCart(merchant);
    const plans = await reachDecision(url);
    expect(textOf(plans)).toContain(`your first payment is due on ${due}.`);
    expect(textOf(plans)).toContain('Your approval is valid through January 6, 2027.');
    expect(textOf(plans)).not.toMatch(/UTC|\d [AP]M\b/);

    const denied = await reachDecision((await createCart(merchant)).url, { taxIdLast4: '2001' });
    expect(textOf(denied)).toContain(`On ${date}, Fairterm Lending denied your application for credit`);
  });
});

it.each<[timeZone: string, shownAt: Instant, signedAt: Instant, isChanged: boolean]>([
  ['America/New_York', '2027-01-02T04:59:00.000000Z', '2027-01-02T05:01:00.000000Z', true],
  ['America/New_York', '2027-01-01T23:59:00.000000Z', '2027-01-02T00:01:00.000000Z', false],
  ['UTC', '2027-01-01T23:59:00.000000Z', '2027-01-02T00:01:00.000000Z', true],
  ['UTC', '2027-01-02T04:59:00.000000Z', '2027-01-02T05:01:00.000000Z', false],
])(
  'An agreement of a program in %s, shown at %s and signed at %s, must be signed again: %s',
  async (timeZone, shownAt, signedAt, isChanged) => {
    const service = await startService();
    const merchant = await createMerchantIn(service, timeZone);
    service.clock.moveTo(shownAt);
    const agreement = await reachAgreement((await createCart(merchant)).url, { offerId: 'later' });
    service.clock.moveTo(signedAt);

    const signed = await submit(agreement);

    expect(signed.text.includes('The agreement has changed since you opened this page.')).toBe(isChanged);
    expect(signed.status === 422).toBe(isChanged);
  },
);

it.each<[expiresAt: Instant, state: string, lastDay: string]>([
  // When January 7 has ended everywhere.
  ['2027-01-08T11:00:00.000000Z', 'NY', '2027-01-07'],
  ['2027-01-08T11:00:00.000000Z', 'HI', '2027-01-07'],
  ['2027-01-09T06:00:00.000000Z', 'NY', '2027-01-08'],
  ['2027-01-09T06:00:00.000000Z', 'HI', '2027-01-07'],
  ['2027-01-09T06:00:00.000000Z', '', '2027-01-08'],
])('An approval that expires at %s is valid, for a buyer in the state "%s", through %s', (expiresAt, state, lastDay) => {
  expect(lastDayOf({ expiresAt, billingContact: { state } }, { timeZone: 'UTC' })).toBe(lastDay);
});
