import { describe, expect, it } from 'vitest';
import { readGuide } from '../../../support/docs.ts';
import type { CardPortion } from '../../../../server/purchases/cards/gateway.ts';
import { sandboxGateway, testCards } from '../../../../server/purchases/cards/sandbox-gateway.ts';

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
    ['tok_capture_fails', 'authorized'],
    ['tok_renewal_declined', 'authorized'],
  ])('include %s, whose authorization is always %s', async (reference, response) => {
    const hold = response === 'authorized' ? { expiresAt: '2026-11-28T09:30:00.000000Z' } : {};
    for (let times = 0; times < 2; times++) {
      expect(await sandboxGateway.authorize(reference, 40_000, now)).toEqual({ outcome: response, ...hold });
    }
  });

  it('include tok_unreachable, whose authorization has an unknown outcome', async () => {
    await expect(sandboxGateway.authorize('tok_unreachable', 40_000, now)).rejects.toMatchObject(unavailable);
  });

  it('are held again on new references, except tok_renewal_declined', async () => {
    for (const { reference, onAuthorize } of testCards.filter((card) => card.onAuthorize !== 'unreachable')) {
      const second = await sandboxGateway.renew(reference, 40_000);
      const third = await sandboxGateway.renew(second, 40_000);
      expect(new Set([reference, second, third]).size).toBe(3);
      const outcome = reference === 'tok_renewal_declined' ? 'declined' : onAuthorize;
      for (const renewed of [second, third]) {
        expect(await sandboxGateway.authorize(renewed, 40_000, now)).toMatchObject({ outcome });
        expect(await sandboxGateway.finishEntry(portion, renewed)).toBeNull();
      }
    }
  });

  it('are captured at the first attempt, except those whose captures fail', async () => {
    for (const { reference } of testCards) {
      const first = sandboxGateway.capture(reference, 40_000, 1);
      const second = sandboxGateway.capture(reference, 40_000, 2);
      const failure = { name: 'CardFailure', isPermanent: reference === 'tok_capture_fails' };
      if (reference.startsWith('tok_capture_fails')) await expect(first).rejects.toMatchObject(failure);
      else await first;
      if (reference === 'tok_capture_fails') await expect(second).rejects.toMatchObject(failure);
      else await second;
      await sandboxGateway.release(reference);
      await sandboxGateway.refund(reference, 40_000, 'refund-1');
    }
  });
});
