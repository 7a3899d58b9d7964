import { describe, expect, it } from 'vitest';
import { statusCodes } from '../../../../shared/wire/status-codes.ts';
import type { Application } from '../../../../server/lending/applications/store.ts';
import type { Cart } from '../../../../server/purchases/carts/store.ts';
import type { Session } from '../../../../server/checkout/session/session.ts';
import { linkState, type LinkState, type State, checkoutState } from '../../../../server/checkout/session/state.ts';
import { canSubmit, positionOf, steps } from '../../../../server/checkout/step-registry.ts';
import type { ApplicationStatus } from '../../../../shared/wire/application.ts';
import type { Instant } from '../../../../server/base/time.ts';

const now: Instant = '2026-11-21T12:00:00.000000Z';
const cart = (change: Partial<Cart> = {}) => ({ status: 'OPEN', expiresOn: '2026-11-21', ...change }) as Cart;
const codes = { ...statusCodes, INELIGIBLE: { law: statusCodes.INELIGIBLE.law } };
const application = (status: ApplicationStatus, expiresAt: Instant = '2026-11-28T12:00:00.000000Z', statusCode = '') =>
  ({
    status,
    expiresAt,
    statusCode: statusCode || Object.values(codes[status])[0]!,
    supersededAt: null,
    detailsDeletedAt: null,
  }) as Application;

/** The part of a session that steps read. */
const checkout = (state: State | LinkState, status: ApplicationStatus | undefined, cardCents = 1) =>
  ({ state, application: status && { status, detailsDeletedAt: null }, portions: { cardCents } }) as Session;

describe('The step of a checkout is', () => {
  it.each<[string, string, Cart, Application, isFinanceable?: boolean]>([
    ['apply', 'the application is started', cart(), application('STARTED')],
    ['excluded', 'the program has no offers in the buyer’s state', cart(), application('STARTED'), false],
    ['unavailable', 'the buyer is not eligible', cart(), application('INELIGIBLE')],
    ['excluded', 'the exclusion of the state is stored', cart(), application('INELIGIBLE', now, '310100')],
    ['waiting', 'a decision is requested', cart(), application('STARTED', undefined, '100100')],
    ['waiting', 'the last day for a decision has ended, until the job denies it', cart(), application('STARTED', now, '100100')],
    [
      'waiting',
      'a decision is requested, and the cart expired',
      cart({ status: 'EXPIRED' }),
      application('STARTED', now, '100100'),
    ],
    ['needs-action', 'the lender requires an action', cart(), application('NEEDS_ACTION')],
    ['card', 'a card is required for the remainder', cart(), application('ATTEMPTED_PREPARE_CHECKOUT')],
    ['agreement', 'the approval was extended', cart(), application('CHECKOUT_EXTENDED')],
    ['waiting', 'the agreement is signed and not yet accepted by the lender', cart(), application('ATTEMPTED_CHECKOUT', now)],
    ['waiting', 'the agreement is signed, and the cart expired', cart({ status: 'EXPIRED' }), application('ATTEMPTED_CHECKOUT')],
    ['cancelled', 'the buyer canceled', cart(), application('CANCELLED')],
    ['expired', 'the merchant expired the cart', cart({ status: 'EXPIRED' }), application('CANCELLED', now, '700200')],
    ['expired', 'the job expired the application', cart(), application('EXPIRED')],
    ['plans', 'the application is approved', cart(), application('APPROVED')],
    ['agreement', 'a plan is chosen', cart(), application('CHECKOUT_PREPARED')],
    ['declined', 'the application is denied', cart(), application('DENIED')],
    ['declined', 'the application was denied before the cart expired', cart({ expiresOn: '2026-11-20' }), application('DENIED')],
    ['expired', 'the merchant expired the cart of an approval', cart({ status: 'EXPIRED' }), application('APPROVED')],
    ['expired', 'the approval expired', cart(), application('APPROVED', now)],
    ['completed', 'the checkout is completed', cart({ status: 'COMPLETED' }), application('CHECKOUT_COMPLETED')],
    [
      'completed',
      'the checkout was completed long ago',
      cart({ status: 'COMPLETED', expiresOn: '2025-01-01' }),
      application('CHECKOUT_COMPLETED', now),
    ],
  ])('%s when %s', (step, _case, cartRow, applicationRow, isFinanceable = true) => {
    const state = checkoutState(cartRow, applicationRow, isFinanceable, now);
    expect(positionOf(checkout(state, applicationRow.status))).toBe(step);
  });

  it('superseded when another application replaced it, in every status', () => {
    for (const status of Object.keys(statusCodes) as ApplicationStatus[]) {
      const row = { ...application(status), supersededAt: now };
      expect([status, checkoutState(cart(), row, true, now)]).toEqual([status, 'superseded']);
    }
  });
});

describe('The link of a cart shows', () => {
  it.each<[LinkState, string, Cart, boolean]>([
    ['new', 'the cart has no application', cart(), true],
    ['unavailable', 'no plan is offered for the amount', cart(), false],
    ['expired', 'the cart has expired', cart({ expiresOn: '2026-11-20' }), true],
    ['expired', 'the merchant has expired the cart', cart({ status: 'EXPIRED' }), true],
  ])('%s when %s', (step, _case, cartRow, isFinanceable) => {
    expect(linkState(cartRow, undefined, isFinanceable, now)).toBe(step);
  });

  it('the same for every application that can be continued or was denied, and for every one that ended otherwise', () => {
    const unsigned = (Object.keys(statusCodes) as ApplicationStatus[]).filter(
      (status) => status !== 'ATTEMPTED_CHECKOUT' && status !== 'CHECKOUT_COMPLETED',
    );
    const ended = ['CANCELLED', 'EXPIRED', 'INELIGIBLE'];
    for (const status of unsigned) {
      const shown = ended.includes(status) ? 'ended' : 'in-progress';
      expect([status, linkState(cart(), application(status), true, now)]).toEqual([status, shown]);
      expect([status, linkState(cart({ status: 'EXPIRED' }), application(status), true, now)]).toEqual([status, 'expired']);
    }
    expect(linkState(cart(), application('INELIGIBLE', undefined, '310100'), true, now)).toBe('in-progress');
    expect(linkState(cart(), application('APPROVED', now), true, now)).toBe('ended');
  });

  it('a signed or completed checkout, even after the merchant has expired it', () => {
    const expired = cart({ status: 'EXPIRED', expiresOn: '2025-01-01' });
    expect(linkState(expired, application('ATTEMPTED_CHECKOUT'), true, now)).toBe('signed');
    expect(linkState(expired, application('CHECKOUT_COMPLETED'), true, now)).toBe('bought');
  });
});

describe('A buyer can open', () => {
  /** Statuses and states of a checkout by its position. */
  const positions: Record<string, [State | LinkState, ApplicationStatus | undefined]> = {
    details: ['new', undefined],
    apply: ['open', 'STARTED'],
    plans: ['open', 'APPROVED'],
    card: ['open', 'ATTEMPTED_PREPARE_CHECKOUT'],
    agreement: ['open', 'CHECKOUT_PREPARED'],
    'agreement after an extension': ['open', 'CHECKOUT_EXTENDED'],
    'needs-action': ['needs-action', 'NEEDS_ACTION'],
    excluded: ['excluded', 'STARTED'],
    'excluded, as stored': ['excluded', 'INELIGIBLE'],
    waiting: ['waiting', 'STARTED'],
    'waiting after signing': ['waiting', 'ATTEMPTED_CHECKOUT'],
    unavailable: ['unavailable', 'INELIGIBLE'],
    declined: ['declined', 'DENIED'],
    cancelled: ['cancelled', 'CANCELLED'],
    expired: ['expired', 'APPROVED'],
    superseded: ['superseded', 'CHECKOUT_PREPARED'],
    completed: ['completed', 'CHECKOUT_COMPLETED'],
  };
  const openSteps: Record<string, string[]> = {
    details: ['details'],
    apply: ['details', 'apply'],
    plans: ['plans'],
    card: ['plans', 'card'],
    agreement: ['plans', 'card', 'agreement'],
    'agreement after an extension': ['plans', 'card', 'agreement'],
    'needs-action': ['details', 'apply'],
    excluded: ['details'],
    'excluded, as stored': ['details'],
  };
  const allowedAt = (position: string, cardCents: number) =>
    steps.filter((step) => canSubmit(checkout(...positions[position]!, cardCents), step)).map(({ name }) => name);

  it.each(Object.keys(positions))('exactly the allowed steps at %s', (position) => {
    expect(allowedAt(position, 1)).toEqual(openSteps[position] ?? []);
  });

  it.each(Object.keys(positions).filter((position) => position !== 'card'))(
    'no card step at %s when the whole total is financed',
    (position) => {
      expect(allowedAt(position, 0)).toEqual((openSteps[position] ?? []).filter((name) => name !== 'card'));
    },
  );
});
