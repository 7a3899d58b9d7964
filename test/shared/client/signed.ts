import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { SignedCallback } from '../../../shared/client/index.ts';

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** The secret of another receiver. */
export const otherSecret = `whsec_${randomBytes(32).toString('base64')}`;
export const body = '{"transactionId":"0193-tx","orderRef":"ORDER-1"}';
const sentAt = new Date('2026-11-21T12:00:00Z');
export const now = sentAt.getTime();

/** Returns a callback that `standardwebhooks` signed. `message` overrides the defaults. */
export function signed(overrides: { secret?: string; id?: string; at?: Date; body?: string } = {}) {
  const message = { secret, id: 'msg_1', at: sentAt, body, ...overrides };
  const headers = {
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(message.at.getTime() / 1_000)),
    'webhook-signature': new Webhook(message.secret).sign(message.id, message.at, message.body),
  };
  return { body: message.body, headers, secrets: secret, now } satisfies SignedCallback;
}
