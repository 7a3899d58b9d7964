import { describe, expect, it } from 'vitest';
import { messageProblems, readConfig } from '../../../../server/base/config/config.ts';
import { isLoopback } from '../../../../server/base/config/env.ts';

describe('The configuration', () => {
  it('has defaults for all variables', () => {
    expect(readConfig({})).toEqual({
      mode: 'sandbox',
      host: '127.0.0.1',
      port: 4000,
      publicUrl: undefined,
      databaseUrl: 'sqlite:data/sandbox.db',
      isDefaultDatabase: true,
      preparesStatements: true,
      trustProxy: false,
      callbackAllow: [],
      operator: expect.objectContaining({ name: 'Fairterm Pay' }),
      pendingDays: 7,
      authorizedDays: 90,
      approvalDays: 7,
      extensionDays: 7,
      settlementRuns: 'daily',
      retention: {
        unfinishedApplicationHours: 24,
        documentLinkDays: 90,
        unusedCartDays: 30,
        cartContactDays: 90,
        applicationDays: 790,
        purchaseDays: 2_555,
        messageDays: 90,
        securityEventDays: 730,
      },
      limits: {
        cartsPerAddress: 30,
        cartsPerMerchant: 600,
        readsPerAddress: 600,
        pagesPerAddress: 600,
        consolePages: 600,
        failedLoginsPerAddress: 60,
        applicationsPerAddress: 300,
        documentProofs: 5,
        documentPdfs: 30,
      },
      applicationsPerIdentity: 50,
      applicationsPerRecipient: 50,
      codesPerRecipient: 50,
      console: { idleMinutes: 30, sessionHours: 12, signInsPerEmail: 50, signInsPerAddress: 600 },
      messageLimits: {
        email: { perRecipient: 100, perMerchant: 10_000 },
        text: { perRecipient: 100, perMerchant: 10_000 },
      },
    });
  });

  it('has lower message limits for a live service, which sends the messages', () => {
    expect(readConfig({ MODE: 'live', TEXTS_PER_RECIPIENT_PER_DAY: '0', TEXTS_PER_MERCHANT_PER_DAY: '7' }).messageLimits).toEqual(
      {
        email: { perRecipient: 10, perMerchant: 1_000 },
        text: { perRecipient: 0, perMerchant: 7 },
      },
    );
  });

  it('has a tenth of the limits of applications and codes for a live service', () => {
    expect(readConfig({ MODE: 'live' })).toMatchObject({
      applicationsPerIdentity: 5,
      applicationsPerRecipient: 5,
      codesPerRecipient: 5,
      console: { idleMinutes: 30, sessionHours: 12, signInsPerEmail: 5, signInsPerAddress: 60 },
    });
    expect(() => readConfig({ CODES_PER_RECIPIENT_PER_DAY: '0' })).toThrow('CODES_PER_RECIPIENT_PER_DAY');
  });

  it.each([
    ['APPLICATION_RETENTION_DAYS', '789', 790],
    ['PURCHASE_RETENTION_DAYS', '729', 730],
    ['MESSAGE_RETENTION_DAYS', '89', 90],
  ])('rejects a period of %s in live mode that is too short', (name, value, min) => {
    expect(() => readConfig({ MODE: 'live', [name]: value })).toThrow(`${name}: expected a number of days from ${min} to 3650`);
    expect(readConfig({ MODE: 'live', [name]: String(min) })).toMatchObject({ mode: 'live' });
    expect(readConfig({ [name]: value })).toMatchObject({ mode: 'sandbox' });
  });

  it.each(['MODE', 'DATABASE_URL', 'TLS_CERT', 'TLS_KEY', 'TRUST_PROXY'])('treats an empty %s as missing', (name) => {
    expect(readConfig({ [name]: '' })).toEqual(readConfig({}));
  });

  it.each<[name: string, value: string, expected: object]>([
    ['HOST', '::', { host: '::' }],
    ['PORT', '0', { port: 0 }],
    ['PUBLIC_URL', 'https://pay.example//', { publicUrl: 'https://pay.example' }],
    ['CALLBACK_ALLOW', 'erp.internal, shop.internal,', { callbackAllow: ['erp.internal', 'shop.internal'] }],
    ['PENDING_DAYS', '1', { pendingDays: 1 }],
    ['AUTHORIZED_DAYS', '3650', { authorizedDays: 3_650 }],
    ['STOREFRONT_CARTS_PER_ADDRESS', '5', { limits: { cartsPerAddress: 5 } }],
    ['STOREFRONT_CARTS_PER_MERCHANT', '1000000', { limits: { cartsPerMerchant: 1_000_000 } }],
    ['STOREFRONT_READS_PER_ADDRESS', '0', { limits: { readsPerAddress: 0 } }],
    ['CHECKOUT_PAGES_PER_ADDRESS', '7', { limits: { pagesPerAddress: 7 } }],
    ['CONSOLE_PAGES_PER_USER', '8', { limits: { consolePages: 8 } }],
    ['FAILED_LOGINS_PER_ADDRESS', '8', { limits: { failedLoginsPerAddress: 8 } }],
    ['APPLICATIONS_PER_ADDRESS_PER_HOUR', '6', { limits: { applicationsPerAddress: 6 } }],
    ['DOCUMENT_PROOFS_PER_HOUR', '7', { limits: { documentProofs: 7 } }],
    ['DOCUMENT_PDFS_PER_HOUR', '8', { limits: { documentPdfs: 8 } }],
    ['APPLICATIONS_PER_IDENTITY_PER_DAY', '4', { applicationsPerIdentity: 4 }],
    ['APPLICATIONS_PER_RECIPIENT_PER_DAY', '0', { applicationsPerRecipient: 0 }],
    ['CODES_PER_RECIPIENT_PER_DAY', '3', { codesPerRecipient: 3 }],
    ['CONSOLE_IDLE_MINUTES', '5', { console: { idleMinutes: 5 } }],
    ['CONSOLE_SESSION_HOURS', '168', { console: { sessionHours: 168 } }],
    ['SIGN_INS_PER_EMAIL_PER_HOUR', '0', { console: { signInsPerEmail: 0 } }],
    ['SIGN_INS_PER_ADDRESS_PER_HOUR', '6', { console: { signInsPerAddress: 6 } }],
    ['UNFINISHED_APPLICATION_HOURS', '2', { retention: { unfinishedApplicationHours: 2 } }],
    ['UNUSED_CART_RETENTION_DAYS', '3', { retention: { unusedCartDays: 3 } }],
    ['CART_RETENTION_DAYS', '4', { retention: { cartContactDays: 4 } }],
    ['APPLICATION_RETENTION_DAYS', '5', { retention: { applicationDays: 5 } }],
    ['PURCHASE_RETENTION_DAYS', '6', { retention: { purchaseDays: 6 } }],
    ['MESSAGE_RETENTION_DAYS', '7', { retention: { messageDays: 7 } }],
    ['SECURITY_EVENT_RETENTION_DAYS', '366', { retention: { securityEventDays: 366 } }],
    ['DOCUMENT_LINK_DAYS', '1', { retention: { documentLinkDays: 1 } }],
  ])('reads %s=%s, and treats an empty value as missing', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected);
    expect(readConfig({ [name]: '' })).toEqual(readConfig({}));
  });

  it('has a separate default database for a live service, and reads whether it is behind a proxy', () => {
    const config = readConfig({ MODE: 'live', TRUST_PROXY: '1' });
    expect(config).toMatchObject({ mode: 'live', databaseUrl: 'sqlite:data/live.db', trustProxy: true });
  });

  describe('of a PostgreSQL connection for a live service', () => {
    const host = 'postgres://fairterm:hidden@db.example/shop';

    it.each([
      `${host}?sslmode=verify-full`,
      `postgresql://fairterm:hidden@db.example/shop?sslmode=require&sslmode=verify-full&sslrootcert=/etc/ca.pem`,
      'postgres://fairterm:hidden@localhost:5432/shop',
      'postgres://fairterm:hidden@127.0.0.1/shop',
      'postgres://fairterm:hidden@[::1]/shop',
      'postgres:///shop?host=/var/run/postgresql',
      'postgres://fairterm:hidden@/shop?host=/var/run/postgresql',
      'postgres://fairterm@%2Fvar%2Frun%2Fpostgresql/shop',
      'sqlite:/srv/live.db',
    ])('accepts %s', (url) => {
      expect(readConfig({ MODE: 'live', DATABASE_URL: url }).databaseUrl).toBe(url);
    });

    it.each([
      [host, 'no sslmode'],
      [`${host}?ssl=true`, 'no sslmode'],
      [`${host}?sslmode=require`, 'sslmode=require'],
      [`${host}?sslmode=verify-full&sslmode=no-verify`, 'sslmode=no-verify'],
      [`${host}?sslmode=verify-ca&uselibpqcompat=true`, 'sslmode=verify-ca'],
      ['postgres://fairterm:hidden@localhost/shop?host=db.example', 'no sslmode'],
      ['postgres://fairterm:hidden@db.example:port/shop', 'no sslmode'],
    ])('rejects %s, which is valid for a sandbox', (url, received) => {
      const read = (MODE: string) => () => readConfig({ MODE, DATABASE_URL: url });
      expect(read('live')).toThrow(
        `DATABASE_URL: expected sslmode=verify-full for a live service with a database on another machine, but received ${received}`,
      );
      expect(read('live')).not.toThrow('hidden');
      expect(read('sandbox')).not.toThrow();
    });

    it('rejects a remote host in PGHOST', () => {
      const env = { MODE: 'live', DATABASE_URL: 'postgres:///shop', PGHOST: 'db.example' };
      expect(() => readConfig(env)).toThrow('DATABASE_URL: expected sslmode=verify-full');
      expect(() => readConfig({ ...env, PGHOST: undefined })).not.toThrow();
    });
  });

  it.each([
    ['smtp://127.0.0.1:25', 'mail@pay.example'],
    ['smtps://me%40x:p%2Fss@mail.example:465?pool=true', 'Pay over Time <mail@pay.example>'],
  ])('reads the mail server and the sender: %s, %s', (url, from) => {
    expect(readConfig({ SMTP_URL: url, MAIL_FROM: from })).toMatchObject({ email: { url, from }, text: undefined });
  });

  it.each(['mail@pay.example', 'Pay over Time <mail@example.com>', 'mail@localhost'])(
    'rejects the sender %s of a live service, whose domain is reserved',
    (from) => {
      const env = { MODE: 'live', SMTP_URL: 'smtp://127.0.0.1', MAIL_FROM: from };
      expect(() => readConfig(env)).toThrow('MAIL_FROM: expected a sender that exists, but received "');
      expect(messageProblems(env)).toEqual([expect.stringMatching(/^MAIL_FROM: /)]);
      expect(readConfig({ ...env, MODE: 'sandbox' })).toMatchObject({ email: { from } });
    },
  );

  it.each([
    ['https://AC1:token@api.texts.example/2010/Messages.json', '+15550100199'],
    ['http://127.0.0.1:9000/', '12345'],
  ])('reads the text message service and the sender: %s, %s', (url, from) => {
    expect(readConfig({ TEXT_URL: url, TEXT_FROM: from })).toMatchObject({ text: { url, from }, email: undefined });
  });

  it.each([
    [{ SMTP_URL: 'https://me:hidden@mail.example', MAIL_FROM: 'a@b.example' }, 'SMTP_URL: expected an address such as smtps:'],
    [{ SMTP_URL: 'hidden', MAIL_FROM: 'a@b.example' }, 'SMTP_URL: expected an address such as smtps:'],
    [{ SMTP_URL: 'smtp://me:hidden@mail.example' }, 'MAIL_FROM: expected a sender such as mail@shop.example'],
    [{ SMTP_URL: 'smtp://me:hidden@mail.example', MAIL_FROM: 'Pay' }, 'MAIL_FROM: expected a sender such as'],
    [{ SMTP_URL: 'smtp://me:hidden@mail.example', MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' }, 'MAIL_FROM: expected'],
    [
      { MAIL_FROM: 'a@b.example' },
      'SMTP_URL: expected an address such as smtps://user:password@host:465, because MAIL_FROM is set',
    ],
    [{ TEXT_URL: 'http://me:hidden@texts.example', TEXT_FROM: '+15550100199' }, 'TEXT_URL: expected an https address'],
    [{ TEXT_URL: 'https://me:hidden@texts.example' }, 'TEXT_FROM: expected a number such as +15550100100'],
    [{ TEXT_URL: 'https://me:hidden@texts.example', TEXT_FROM: 'Acme' }, 'TEXT_FROM: expected a number such as'],
    [{ TEXT_FROM: '+15550100199' }, 'because TEXT_FROM is set'],
    [{ MAIL_REPORTS: 'hidden', MAIL_REPORTS_KEY: 'hidden' }, 'MAIL_REPORTS: expected mailgun or sendgrid'],
    [{ MAIL_REPORTS_KEY: 'hidden-0123456789' }, 'MAIL_REPORTS: expected mailgun or sendgrid'],
    [{ MAIL_REPORTS: 'mailgun', MAIL_REPORTS_KEY: 'hidden' }, 'MAIL_REPORTS_KEY: expected the signing key of its webhooks'],
    [{ MAIL_REPORTS: 'sendgrid', MAIL_REPORTS_KEY: 'hidden-0123456789' }, 'MAIL_REPORTS_KEY: expected the verification key of'],
  ])('rejects incomplete message settings without repeating a password: %j', (env, message) => {
    const read = () => readConfig(env);
    expect(read).toThrow(message);
    expect(read).not.toThrow('hidden');
  });

  it.each([
    [{ MODE: 'test' }, 'MODE: expected "sandbox" or "live", but received "test"'],
    ...['TLS_CERT', 'TLS_KEY'].map((name): [Record<string, string>, string] => [
      { [name]: 'file.pem' },
      `${name}: expected no value, because a proxy terminates TLS; give it the file, and set TRUST_PROXY=1`,
    ]),
    [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY: expected 0 or 1, but received "true"'],
    [{ PORT: '80a' }, 'PORT: expected a port from 0 to 65535, but received "80a"'],
    [{ PORT: '-1' }, 'PORT: expected a port from 0 to 65535, but received "-1"'],
    [{ PORT: '65536' }, 'PORT: expected a port from 0 to 65535, but received "65536"'],
    [{ DOCUMENT_PDFS_PER_HOUR: '0' }, 'DOCUMENT_PDFS_PER_HOUR: expected a number of documents from 1 to 100, but received "0"'],
    [{ PENDING_DAYS: '0' }, 'PENDING_DAYS: expected a number of days from 1 to 3650, but received "0"'],
    [
      { STOREFRONT_CARTS_PER_ADDRESS: '-1' },
      'STOREFRONT_CARTS_PER_ADDRESS: expected a number of requests a minute from 0 to 1000000, but received "-1"',
    ],
    [
      { STOREFRONT_READS_PER_ADDRESS: 'many' },
      'STOREFRONT_READS_PER_ADDRESS: expected a number of requests a minute from 0 to 1000000, but received "many"',
    ],
    [{ PENDING_DAYS: '-7' }, 'PENDING_DAYS: expected a number of days from 1 to 3650, but received "-7"'],
    [{ PENDING_DAYS: '1.5' }, 'PENDING_DAYS: expected a number of days from 1 to 3650, but received "1.5"'],
    [{ AUTHORIZED_DAYS: '3651' }, 'AUTHORIZED_DAYS: expected a number of days from 1 to 3650, but received "3651"'],
    [{ AUTHORIZED_DAYS: 'week' }, 'AUTHORIZED_DAYS: expected a number of days from 1 to 3650, but received "week"'],
    [{ PUBLIC_URL: 'ftp://x' }, 'PUBLIC_URL: expected an http or https address, but received "ftp://x"'],
  ])('rejects %j with the name of the variable', (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });
});

it.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['localhost.example', false],
  ['127.evil.example', false],
  ['[::1]', true],
])('isLoopback(%j) is %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
