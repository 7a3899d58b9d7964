/** A newcomer in an empty folder: the commands and the code of the guide "Your first hour", with the client from its tarball. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { callbackSecretsOf } from '../../server/merchants/callback-secrets.ts';
import { sandboxProgram } from '../../server/lending/programs/standard-program.ts';
import { buy, openPage, startBrowser } from '../support/browser.ts';
import { onCleanup } from '../support/cleanup.ts';
import { codeBlock, codeBlocks, firstHour, readGuide } from '../support/docs.ts';
import { freePort } from '../support/network.mjs';
import { packTarball, temporaryFolder } from '../support/packages.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/time.ts';

it('The guide leads from an empty folder to a shop, a purchase, a recovered event, a refund and its settlement', async () => {
  const service = await startService();
  const port = String(await freePort());
  const shopUrl = `http://localhost:${port}`;
  const merchant = await service.createMerchant({ storeUrl: shopUrl, origins: [shopUrl], program: sandboxProgram });
  const [callbackSecret] = await callbackSecretsOf(service.database.query, merchant.merchantId);
  const folder = temporaryFolder();
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    KEY: merchant.apiKey,
    SECRET: merchant.secret,
    CALLBACK_SECRETS: callbackSecret!.secret,
    SHOP_URL: shopUrl,
    PORT: port,
    npm_config_offline: 'true',
    npm_config_cache: join(folder, '.cache'),
  };
  const withUrl = (code: string) =>
    code.replaceAll('http://localhost:4000', service.publicUrl).replaceAll('http://localhost:3000', shopUrl);
  const shell = async (name: string) => {
    const code = withUrl(codeBlock(firstHour, name));
    return (await promisify(execFile)('bash', ['-c', code], { cwd: folder, env: environment })).stdout;
  };

  const tarball = await packTarball('client');
  copyFileSync(tarball, join(folder, basename(tarball)));
  await shell('install');
  environment['WEBHOOK_SECRETS'] = JSON.parse(await shell('create-webhook')).secret;
  const code = codeBlocks(firstHour).filter(({ language }) => language === 'js');
  writeFileSync(join(folder, 'shop.mjs'), withUrl(code.map((block) => block.code).join('\n')));
  const shop = spawn(process.execPath, ['shop.mjs'], { cwd: folder, env: environment });
  const ended = once(shop, 'close');
  onCleanup(async () => {
    shop.kill();
    await ended;
  });
  let printed = '';
  for (const stream of [shop.stdout, shop.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const forgeCallback = () => fetch(`${shopUrl}/callback`, { method: 'POST', body: '{}' }).catch(() => undefined);
  await until(async () => (await forgeCallback())?.status === 400);

  const { page } = await openPage(await startBrowser());
  await page.goto(shopUrl);
  await page.locator('financing-button a').click();
  await page.waitForURL(`${service.publicUrl}/**`);
  await buy(page);
  await expect.poll(() => printed).toMatch(/Paid by transaction [\w-]+/);
  await expect.poll(async () => (await fetch(page.url())).text()).toContain('Thank you!');
  expect(page.url()).toContain(`${shopUrl}/thank-you?`);

  await expect.poll(() => printed).toMatch(/transaction\.authorized of order [\w-]+/);

  const transactionId = /Paid by transaction ([\w-]+)/.exec(printed)![1]!;
  const orderRef = /transaction\.authorized of order ([\w-]+)/.exec(printed)![1]!;
  Object.assign(environment, { TRANSACTION: transactionId, ORDER: orderRef });
  shop.kill();
  await ended;
  expect(JSON.parse(await shell('settle'))).toMatchObject({ status: 'SETTLED', total: 259_800 });
  expect(printed).not.toContain('transaction.settled');
  expect(JSON.parse(await shell('recover')).events).toMatchObject([{ type: 'transaction.settled', data: { orderRef } }]);

  expect(JSON.parse(await shell('find')).transactions).toMatchObject([{ serviceTransactionId: transactionId }]);
  expect(JSON.parse(await shell('refund'))).toMatchObject({ status: 'SETTLED', adjustedTotal: 129_900 });

  environment['SETTLEMENT'] = JSON.parse(await shell('settlements')).settlements[0].id;
  const { lines, payout } = JSON.parse(await shell('settlement'));
  expect(lines).toMatchObject([
    { type: 'settled', transactionId, orderRef, gross: 259_800, fee: 7_564, net: 252_236 },
    { type: 'refunded', transactionId, orderRef, gross: -129_900, fee: -3_767, net: -126_133 },
  ]);
  expect(payout).toBe(126_103);
  for (const { net } of [...lines, { net: payout }]) expect(readGuide(firstHour)).toContain(`| ${net} |`);
});
