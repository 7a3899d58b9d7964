import { describe, expect, it } from 'vitest';
import { readGuide } from '../../support/docs.ts';
import type { CardPortion } from '../../../server/cards/gateway.ts';
import { sandboxGateway, testCards } from '../../../server/cards/sandbox-gateway.ts';

const portion: CardPortion = { applicationId: 'a', amountCents: 40_000, currency: 'USD', language: 'en' };
const now = '2026-11-21T09:30:00.000000Z';
const unavailable = { name: 'ServiceError', code: 'card-unavailable' };

describe('The test cards of the sandbox', () => {
  it('are listed in the sandbox guide', () => {
    const rows = [...readGuide('server/docs/sandbox.md').matchAll(/^\| `(tok_\w+)` \| (.+?) \| (.+?) \|$/gm)];
    const described = rows.map(([, reference, label, meaning]) => ({ reference, label, meaning }));
    expect(described).toEqual(testCards.map(({ reference, label, meaning }) => ({ reference, label, meaning })));
  });

  it('are chosen by name, without an entry page', async () => {
    expect(sandboxGateway.testCards).toBe(testCards);
    for (const { reference, label } of testCards) {
      expect(await sandboxGateway.finishEntry(portion, reference)).toEqual({ reference, label });
    }
    await expect(sandboxGateway.startEntry(portion, 'http://localhost/')).rejects.toMatchObject(unavailable);
  });

  it.each(['', 'tok_unknown', 'constructor', '4242424242424242'])('do not include %j', async (entry) => {
    expect(await sandboxGateway.finishEntry(portion, entry)).toBeNull();
  });

  it.each([
    ['tok_visa', 'authorized'],
    ['tok_mastercard', 'authorized'],
    ['tok_declined', 'declined'],
    ['tok_insufficient_funds', 'declined'],
    ['tok_capture_fails_once', 'authorized'],
  ])('include %s, whose authorization is always %s', async (reference, response) => {
    const hold = response === 'authorized' ? { expiresAt: '2026-11-28T09:30:00.000000Z' } : {};
    for (let times = 0; times < 2; times++) {
      expect(await sandboxGateway.authorize(reference, 40_000, now)).toEqual({ outcome: response, ...hold });
    }
  });

  it('include tok_unreachable, whose authorization has an unknown outcome', async () => {
    await expect(sandboxGateway.authorize('tok_unreachable', 40_000, now)).rejects.toMatchObject(unavailable);
  });

  it('are captured at the first attempt, except tok_capture_fails_once', async () => {
    for (const { reference, failsFirstCapture } of testCards) {
      const first = sandboxGateway.capture(reference, 40_000, 1);
      if (failsFirstCapture) await expect(first).rejects.toMatchObject({ name: 'CardFailure', isPermanent: false });
      else await first;
      await sandboxGateway.capture(reference, 40_000, 2);
      await sandboxGateway.release(reference);
      await sandboxGateway.refund(reference, 40_000, 'refund-1');
    }
    expect(testCards.filter(({ failsFirstCapture }) => failsFirstCapture).map(({ reference }) => reference)).toEqual([
      'tok_capture_fails_once',
    ]);
  });
});
