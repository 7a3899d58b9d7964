/** Access to the database without its data keys gives neither access nor a person's data. */
import { toJson } from '../../server/db/json.ts';
import { generateKeyPairSync } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';
import { type Insertable, sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Schema } from '../../server/db/schema.ts';
import { hashOfCode, newId, newToken } from '../../server/base/ids.ts';
import { addKeyPair, hashSecret, newKeyPair, retireKey } from '../../server/merchants/keys.ts';
import { retireSigningKey, rotateSigningKey } from '../../server/platform/tokens/signing-keys.ts';
import { copyOf, createCart, open, reachAgreement, sessionUrl, submit } from '../support/checkout.ts';
import { describeOnEveryEngine } from '../support/databases.ts';
import { clientOf, fetchResponse, listApplications, requestToken, startService } from '../support/service.ts';
import type { ApiResponse, TestMerchant, TestService } from '../support/service.ts';

const buyer = {
  firstName: 'Zephyrine',
  lastName: 'Quillfeather',
  email: 'zephyrine@example.com',
  signedName: 'Zephyrine Quillfeather',
};
const canary = /Zephyrine|Quillfeather/i;

describeOnEveryEngine('A changed database', (engine) => {
  let service: TestService;
  let victim: TestMerchant;
  let attacker: TestMerchant;
  const codeOf = (url: string) => new URL(url).pathname.split('/')[2]!;
  const change = (statement: ReturnType<typeof sql>) => service.database.write((tx) => statement.execute(tx));
  const insert = <Table extends keyof Schema>(table: Table, row: Insertable<Schema[Table]>) =>
    service.database.write((tx) =>
      tx
        .insertInto(table)
        .values(row as never)
        .execute(),
    );
  const linesAt = (at: string) => service.logged.map((line) => JSON.parse(line)).filter((line) => line.at === at);
  const expectNothing = ({ status, text }: ApiResponse) => {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).not.toMatch(canary);
  };
  /** Completes a purchase of the victim's buyer. */
  const buy = async () => {
    const cart = await createCart(victim);
    const agreement = await reachAgreement(cart.url, buyer);
    const signed = await submit(agreement, buyer);
    expect(signed.status).toBe(303);
    const transactionId = new URL(signed.headers.get('location')!).searchParams.get('transactionId')!;
    const copyUrl = await copyOf(await open(sessionUrl(agreement)), service.database);
    return { cart, transactionId, copyUrl };
  };
  beforeAll(async () => {
    service = await startService(engine);
    victim = await service.createMerchant();
    attacker = await service.createMerchant();
  });

  describe('gives no access to a merchant', () => {
    const keyRow = (apiKey: string) =>
      service.database.query.selectFrom('merchant_keys').selectAll().where('apiKey', '=', apiKey).executeTakeFirstOrThrow();

    it('with an inserted key', async () => {
      const forged = newKeyPair('sandbox');
      const existing = await keyRow(victim.apiKey);
      await insert('merchant_keys', { ...existing, apiKey: forged.apiKey, secretHash: hashSecret(forged.secret) });

      const asVictim = clientOf(service.publicUrl, { ...victim, ...forged });
      expect(await asVictim.post('/carts', {})).toMatchObject({ status: 401 });
      expect(await requestToken(service.publicUrl, forged)).toBeUndefined();
      expect(linesAt('database')).toMatchObject([{ level: 50, damaged: 'merchant_keys', id: forged.apiKey }]);
      await change(sql`delete from merchant_keys where api_key = ${forged.apiKey}`);
    });

    it.each([
      ['another secret', (secret: string) => ({ secretHash: hashSecret(secret) })],
      ['the code of another row', async () => ({ mac: (await keyRow(attacker.apiKey)).mac ?? '' })],
      ['an empty code', () => ({ mac: '' })],
    ])('with a key that has %s', async (_case, changesOf) => {
      const { apiKey, secret } = await addKeyPair(service.database, 'sandbox', victim.merchantId, service.clock.now());
      const forgedSecret = newKeyPair('sandbox').secret;
      const changes = await changesOf(forgedSecret);
      await service.database.write((tx) => tx.updateTable('merchant_keys').set(changes).where('apiKey', '=', apiKey).execute());

      for (const each of [secret, forgedSecret]) {
        expect(await clientOf(service.publicUrl, { ...victim, apiKey, secret: each }).post('/carts', {})).toMatchObject({
          status: 401,
        });
      }
    });

    it('with a key that was moved from another merchant', async () => {
      const { apiKey, secret } = await addKeyPair(service.database, 'sandbox', attacker.merchantId, service.clock.now());
      await change(sql`update merchant_keys set merchant_id = ${victim.merchantId} where api_key = ${apiKey}`);

      expect(await clientOf(service.publicUrl, { ...victim, apiKey, secret }).post('/carts', {})).toMatchObject({ status: 401 });
    });

    it('with a retired key that is active again', async () => {
      const { apiKey, secret } = await addKeyPair(service.database, 'sandbox', victim.merchantId, service.clock.now());
      await retireKey(service.database, apiKey, service.clock.now());
      await change(sql`update merchant_keys set retired_at = null where api_key = ${apiKey}`);

      expect(await clientOf(service.publicUrl, { ...victim, apiKey, secret }).post('/carts', {})).toMatchObject({ status: 401 });
    });
  });

  describe('gives no access to the platform API', () => {
    const publishedKids = async () => {
      const { body } = await fetchResponse(`${service.publicUrl}/.well-known/jwks.json`);
      return (body.keys as { kid: string }[]).map(({ kid }) => kid);
    };
    const claimsOf = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
    const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid as string;

    it('with an inserted signing key, which is neither published nor used', async () => {
      const token = await requestToken(service.publicUrl, victim);
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const kid = newId();
      const publicJwkJson = toJson({ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' });
      const existing = await service.database.query.selectFrom('signing_keys').selectAll().executeTakeFirstOrThrow();
      await insert('signing_keys', { ...existing, kid, publicJwkJson, createdAt: '2099-01-01T00:00:00.000000Z' });

      const forged = await new SignJWT(claimsOf(token)).setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt' }).sign(privateKey);
      expect(await listApplications(service.publicUrl, forged)).toMatchObject({ status: 401 });
      expect(await publishedKids()).toEqual([existing.kid]);
      expect(kidOf(await requestToken(service.publicUrl, victim))).toBe(existing.kid);
      expect(await listApplications(service.publicUrl, token)).toMatchObject({ status: 200 });
      await change(sql`delete from signing_keys where kid = ${kid}`);
    });

    it('with a replaced public key', async () => {
      const token = await requestToken(service.publicUrl, victim);
      const kid = kidOf(token);
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const { publicJwkJson } = await service.database.query
        .selectFrom('signing_keys')
        .selectAll()
        .where('kid', '=', kid)
        .executeTakeFirstOrThrow();
      const replaced = JSON.stringify({ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' });
      await change(sql`update signing_keys set public_jwk_json = ${replaced} where kid = ${kid}`);

      const forged = await new SignJWT(claimsOf(token)).setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt' }).sign(privateKey);
      expect(await listApplications(service.publicUrl, forged)).toMatchObject({ status: 401 });
      expect(await publishedKids()).toEqual([]);
      await change(sql`update signing_keys set public_jwk_json = ${publicJwkJson} where kid = ${kid}`);
    });

    it('with a retired signing key that is active again', async () => {
      const token = await requestToken(service.publicUrl, victim);
      const { kid } = await rotateSigningKey(service.database, service.clock.now());
      await retireSigningKey(service.database, kidOf(token), service.clock.now());
      await change(sql`update signing_keys set retired_at = null where kid = ${kidOf(token)}`);

      expect(await listApplications(service.publicUrl, token)).toMatchObject({ status: 401 });
      expect(await publishedKids()).toEqual([kid]);
    });

    it('with applications that were moved to another tenant, merchant, program or buyer', async () => {
      const { cart } = await buy();
      const merchantRow = (id: string) =>
        service.database.query.selectFrom('merchants').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const { tenantId, id: merchantId, defaultProgramId: programId } = await merchantRow(attacker.merchantId);
      const owners = { tenantId, merchantId, programId, buyerId: newId() };
      await service.database.write(async (tx) => {
        await tx.updateTable('applications').set(owners).where('cartId', '=', cart.id).execute();
        await tx.updateTable('carts').set({ merchantId }).where('id', '=', cart.id).execute();
      });

      const listed = await listApplications(service.publicUrl, await requestToken(service.publicUrl, attacker));
      expect([listed.status, listed.body.applications]).toEqual([200, []]);
    });
  });

  it('gives no access to a cart or a transaction that was moved to another merchant', async () => {
    const { cart, transactionId } = await buy();
    const { merchantId } = attacker;
    await change(sql`update carts set merchant_id = ${merchantId} where id = ${cart.id}`);
    await change(sql`update transactions set merchant_id = ${merchantId} where id = ${transactionId}`);

    expectNothing(await attacker.get(`/carts/${cart.id}`));
    expectNothing(await attacker.get(`/transactions/${transactionId}`));
    expectNothing(await attacker.post(`/transactions/actions/${transactionId}`, { type: 'authorize' }));
  });

  it('gives no access to a checkout by the code of another link', async () => {
    const cart = await createCart(victim, {
      billingContact: { fullName: buyer.signedName, email: buyer.email, address: '1 Main St', city: 'Peoria', state: 'IL' },
    });
    const code = newToken(16);
    await change(sql`update carts set code_hash = ${hashOfCode(code)} where id = ${cart.id}`);

    expectNothing(await fetchResponse(cart.url.replace(codeOf(cart.url), code)));
  });

  it('gives no access to a checkout by another session', async () => {
    const cart = await createCart(victim);
    const page = await submit(await open(cart.url), buyer);
    expect(page.step).toBe('apply');
    const secret = newToken(16);
    await change(sql`update applications set session_hash = ${hashOfCode(secret)} where cart_id = ${cart.id}`);

    expectNothing(await open(`${cart.url}/${secret}/apply`));
    expectNothing(await open(`${cart.url}/${secret}/details`));
  });

  it('gives no access to an application that was moved to the cart and session of another', async () => {
    const own = await createCart(victim);
    const other = await createCart(victim);
    const ownPage = await submit(await open(own.url));
    await submit(await open(other.url), buyer);
    await change(sql`update applications set superseded_at = created_at where cart_id = ${own.id}`);
    await change(sql`
      update applications set cart_id = ${own.id}, session_hash = ${hashOfCode(sessionUrl(ownPage).split('/').at(-1)!)}
      where cart_id = ${other.id}`);

    expectNothing(await open(`${sessionUrl(ownPage)}/details`));
  });

  it('gives no access to a signed agreement by the code of another link, without the trigger that prevents changes', async () => {
    const { copyUrl } = await buy();
    expect((await open(copyUrl)).text).toMatch(canary);
    const drop =
      engine === 'sqlite'
        ? 'drop trigger agreement_documents_only_rotated'
        : 'alter table agreement_documents disable trigger agreement_documents_are_final';
    await change(sql.raw(drop));
    const code = newToken(16);
    await change(
      sql`update agreement_documents set code_hash = ${hashOfCode(code)} where code_hash = ${hashOfCode(codeOf(copyUrl))}`,
    );

    expectNothing(await open(copyUrl.replace(codeOf(copyUrl), code)));
  });

  it('shows no message that was moved to another merchant', async () => {
    const { id } = await createCart(victim);
    await victim.post(`/carts/${id}/email`, { email: buyer.email, name: buyer.signedName });
    expect((await victim.get('/sandbox/messages')).text).toMatch(canary);
    // A trigger protects notices.
    await change(sql`
      update outbox set merchant_id = ${attacker.merchantId} where merchant_id = ${victim.merchantId} and notice is null`);

    const { status, body } = await attacker.get('/sandbox/messages');
    expect([status, body]).toEqual([200, { messages: [] }]);
  });
});
