import { describe, expect, it } from 'vitest';
import { newToken } from '../../../../server/base/ids.ts';
import { signInWithLink } from '../../../../server/console/users/sign-in.ts';
import { systemClock } from '../../../../server/base/time.ts';
import { startService } from '../../../support/service.ts';
import { fairterm } from './fairterm.ts';

const service = await startService();
const merchant = await service.createMerchant();
const run = (...args: string[]) => fairterm(args, { databaseUrl: service.databaseUrl, clock: systemClock });

describe('The users of a merchant', () => {
  it('are added with a link that signs in once, listed and removed', async () => {
    const added = await run(
      'user',
      'add',
      '--merchant',
      merchant.merchantId,
      '--email',
      'ada@acme.example',
      '--role',
      'support',
      '--json',
    );
    const { userId, url } = JSON.parse(added.stdout[0]!);
    expect(url).toMatch(new RegExp(`^${service.publicUrl}/console/link/[\\w-]{43}$`));
    const limits = { idleMinutes: 30, sessionHours: 12 };
    const browser = { before: undefined, after: newToken(32) };
    const token = url.split('/').at(-1);
    expect(await signInWithLink(service.database, token, browser, limits, systemClock.now())).toMatchObject({
      user: { id: userId },
    });

    const { stdout } = await run('user', 'list', '--merchant', merchant.merchantId, '--json');
    expect(JSON.parse(stdout[0]!)).toMatchObject([
      { userId, role: 'support', refundLimitCents: 50_000, email: 'ada@acme.example', merchantId: merchant.merchantId },
    ]);
    expect(await run('user', 'remove', '--user', userId)).toMatchObject({ code: 0 });
    expect(await run('user', 'remove', '--user', userId)).toMatchObject({ code: 1 });
    expect((await run('user', 'list', '--tenant', merchant.tenantId, '--json')).stdout).toEqual(['[]']);
  });

  it('cannot sign in with what a key pair of the merchant reads', async () => {
    await run('user', 'add', '--merchant', merchant.merchantId, '--email', 'eve@acme.example', '--role', 'admin');
    expect((await merchant.get('/sandbox/messages')).text).not.toContain('/console/');
  });
});
