import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import { onCleanup } from '../support/cleanup.ts';
import { codeBlock, ensureCommand, expectSamplesToWork, requestsOfReference, samplesGuide } from '../support/docs.ts';
import { startPhpFpm } from './php-fpm.ts';
import { npmStart } from '../support/process.ts';

ensureCommand('php');
const sandbox = await npmStart();
afterAll(() => sandbox.stop());

it('The PHP sample of code-samples.md completes a purchase', () => expectSamplesToWork('php', sandbox));

it('The PHP samples of the API reference send the same requests as with curl', async () => {
  const [expected, requests] = await Promise.all([requestsOfReference('sh'), requestsOfReference('php')]);
  expect(requests).toEqual(expected);
});

/** Responds with the callback, or with 400 and the reason. */
const RECEIVER = `
try {
    echo json_encode(callbackOf(file_get_contents('php://input'), getallheaders()));
} catch (RuntimeException $error) {
    http_response_code(400);
    echo $error->getMessage();
}`;

it('The PHP sample accepts valid callbacks under nginx and PHP-FPM, and rejects others for the right reason', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-sample-'));
  onCleanup(() => rmSync(folder, { recursive: true }));
  const [setup, verify] = ['setup', 'verify-callback'].map((name) => codeBlock(samplesGuide, name, 'php'));
  const script = join(folder, 'callback.php');
  writeFileSync(script, `${setup}\n${verify}\n${RECEIVER}`);
  const secrets = [randomBytes(32), randomBytes(24)].map((key) => `whsec_${key.toString('base64')}`);
  const url = await startPhpFpm(script, { CALLBACK_SECRETS: secrets.join(',') });

  const body = '{"transactionId":"t","orderRef":"Bücher 1"}';
  const signedBy = (secret: string, sentAt = new Date()) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', sentAt, body),
  });
  const send = async (headers: Record<string, string>, content = body) => {
    const response = await fetch(url, { method: 'POST', headers, body: content });
    return [response.status, await response.text()];
  };
  for (const secret of secrets) {
    const [status, text] = await send(signedBy(secret));
    expect([status, JSON.parse(String(text))]).toEqual([200, JSON.parse(body)]);
  }
  const valid = signedBy(secrets[0]!);
  const { 'webhook-signature': _, ...unsigned } = valid;
  expect(await send(unsigned)).toEqual([400, 'webhook-signature: expected the header']);
  expect(await send(valid, `${body} `)).toEqual([400, 'webhook-signature: expected a signature by one of the secrets']);
  expect(await send(signedBy(`whsec_${randomBytes(32).toString('base64')}`))).toEqual([
    400,
    'webhook-signature: expected a signature by one of the secrets',
  ]);
  expect(await send(signedBy(secrets[0]!, new Date(Date.now() - 600_000)))).toEqual([
    400,
    'webhook-timestamp: expected a time within 5 minutes',
  ]);
});
