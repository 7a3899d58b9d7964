import { describe, expect, it } from 'vitest';
import type { ApplicationRow } from '../../../server/applications/store.ts';
import type { CartRow } from '../../../server/carts/store.ts';
import { FORM_STEPS, isOpen, type Step, stepReached } from '../../../server/checkout/steps.ts';
import type { ApplicationStatus } from '../../../shared/wire/application.ts';

const now = '2026-11-21T12:00:00.000000Z';
const cart = (over: Partial<CartRow> = {}) => ({ status: 'OPEN', expires_on: '2026-11-21', ...over }) as CartRow;
const application = (status: ApplicationStatus, expires_at = '2026-11-28T12:00:00.000000Z') =>
  ({ status, expires_at }) as ApplicationRow;

describe('A checkout has reached', () => {
  it.each<[Step, string, CartRow, ApplicationRow | undefined, boolean]>([
    ['details', 'nobody has applied', cart(), undefined, true],
    ['unavailable', 'no plan fits the amount', cart(), undefined, false],
    ['apply', 'an application is started', cart(), application('STARTED'), true],
    ['excluded', 'nothing is sold in the buyer’s state', cart(), application('STARTED'), false],
    ['unavailable', 'the buyer is not eligible', cart(), application('INELIGIBLE'), true],
    ['plans', 'it is approved', cart(), application('APPROVED'), true],
    ['agreement', 'a plan is chosen', cart(), application('CHECKOUT_PREPARED'), true],
    ['declined', 'it is denied', cart(), application('DENIED'), true],
    ['declined', 'it was denied before the link expired', cart({ expires_on: '2026-11-20' }), application('DENIED'), true],
    ['expired', 'the last day is over', cart({ expires_on: '2026-11-20' }), undefined, true],
    ['expired', 'the merchant has expired the link', cart({ status: 'EXPIRED' }), application('APPROVED'), true],
    ['expired', 'the approval is over', cart(), application('APPROVED', now), true],
    ['completed', 'it is signed', cart({ status: 'COMPLETED' }), application('CHECKOUT_COMPLETED'), true],
    [
      'completed',
      'it was signed long ago',
      cart({ status: 'COMPLETED', expires_on: '2025-01-01' }),
      application('CHECKOUT_COMPLETED', now),
      true,
    ],
  ])('%s when %s', (step, _why, cartRow, applicationRow, isFinanceable) => {
    expect(stepReached(cartRow, applicationRow, isFinanceable, now)).toBe(step);
  });
});

describe('The whole square of steps: open are', () => {
  const open: [string, Step][] = [
    ['details', 'details'],
    ['apply', 'apply'],
    ['plans', 'plans'],
    ['agreement', 'agreement'],
    ['details', 'apply'],
    ['details', 'excluded'],
    ['plans', 'agreement'],
  ];
  const reachable: Step[] = [...FORM_STEPS, 'unavailable', 'excluded', 'declined', 'expired', 'completed'];
  it.each(FORM_STEPS.flatMap((step) => reachable.map((reached) => [step, reached] as const)))(
    '%s, having reached %s',
    (step, reached) => {
      expect(isOpen(step, reached)).toBe(open.some(([one, other]) => one === step && other === reached));
    },
  );
});
