import Koa from 'koa';
import { describe, expect, it } from 'vitest';
import { type Refusal, ServiceError } from '../../../server/errors.ts';
import { platformErrors } from '../../../server/http/platform-errors.ts';
import { statusOf } from '../../../server/http/merchant-errors.ts';
import { listen } from '../../support/listen.ts';
import { givenDatabase } from '../../support/engines.ts';
import { givenApp } from '../../support/own-app.ts';

/** What the platform API answers when `thrown` is thrown within it, and what is reported of it. */
async function answerTo(thrown: unknown) {
  const { server, port, stop } = await listen();
  const app = new Koa();
  const reported: unknown[] = [];
  app.on('error', (error) => reported.push(error));
  app.use(platformErrors);
  app.use(() => {
    throw thrown;
  });
  const handle = app.callback();
  server.on('request', (request, response) => void handle(request, response));
  const response = await fetch(`http://localhost:${port}/api/application`);
  const answer = { status: response.status, headers: response.headers, body: await response.json(), reported };
  await stop();
  return answer;
}

describe('A refusal on the platform API', () => {
  it.each(Object.entries(statusOf) as [Refusal, number][])('%s is %i, its reason in capitals', async (refusal, status) => {
    const details = { parameter: 'limit', expected: '1', received: '2' };
    const answer = await answerTo(new ServiceError(refusal, 'What was wrong.', { details }));
    expect([answer.status, answer.body, answer.reported]).toEqual([
      status,
      {
        message: 'What was wrong.',
        reason: refusal.toUpperCase().replaceAll('-', '_'),
        domain: 'platform.fairterm',
        metadata: details,
      },
      [],
    ]);
    // Whoever must bring something else is told what; whoever must wait, for how long. RFC 9110, 11.6.1.
    expect(answer.headers.has('www-authenticate')).toBe(status === 401 || refusal === 'scope-missing');
    expect(answer.headers.get('retry-after')).toBe(status === 503 ? '5' : null);
  });

  it('is said in a challenge without what would end it early', async () => {
    const { headers } = await answerTo(new ServiceError('token-malformed', 'Not "this" \\ nor — that.'));
    expect(headers.get('www-authenticate')).toBe(
      'Bearer realm="fairterm", error="invalid_token", error_description="Not this  nor  that."',
    );
  });

  it('is nothing else that goes wrong: that is reported, and told to nobody', async () => {
    const fault = new Error('The password of the database is 1234');
    const { status, body, reported } = await answerTo(fault);
    expect([status, body]).toEqual([
      500,
      { message: 'Something went wrong on our side.', reason: 'FAULT', domain: 'platform.fairterm', metadata: {} },
    ]);
    expect(reported).toEqual([fault]);
  });

  it('is in the same words when it comes over plain HTTP', async () => {
    const { publicUrl } = await givenApp(await givenDatabase('sqlite'), { transport: { mode: 'live', trustProxy: false } });
    const response = await fetch(`${publicUrl}/api/application`);
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { reason: 'HTTPS_REQUIRED', domain: 'platform.fairterm', metadata: {} },
    ]);
  });
});
