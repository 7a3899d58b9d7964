import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pino, { type Logger } from 'pino';
import { createApp } from './app.ts';
import { createCardGateway } from './cards/create-gateway.ts';
import { cardSender } from './cards/gateway.ts';
import { startCartCleanup } from './carts/cleanup.ts';
import { identityKeyOf } from './checkout/decision/limits.ts';
import { codeKeyOf } from './checkout/signing/one-time-code.ts';
import { createPdfRenderer } from './checkout/signing/pdf-renderer.ts';
import { getFormKey } from './checkout/session/store.ts';
import { startCheckoutJob } from './checkout/job.ts';
import { checkoutScript, checkoutStyles } from './checkout/web/pages.ts';
import { requireOperator } from './config/operator.ts';
import { readDataKeys } from './config/data-keys.ts';
import { addressAt, type Config, requireReachable } from './config/config.ts';
import { type Database, openDatabase } from './db/database.ts';
import { migrateInMode, savePublicUrl } from './db/mode.ts';
import { errorLogFields } from './errors.ts';
import { limitConnections, rateLimiters } from './http/rate-limit.ts';
import { createHttpServer } from './http/server.ts';
import { readTlsPair } from './http/transport.ts';
import { startKeyCleanup } from './idempotency/cleanup.ts';
import { createLender } from './lenders/create-lender.ts';
import { isLoopback } from './config/env.ts';
import { callbackSender, createSender } from './notifications/callback.ts';
import { startDelivery } from './notifications/deliver.ts';
import { type MessageSenders, createMessageSenders, handlingByChannel } from './notifications/messages.ts';
import { FailedLogins, startFailedLoginJob } from './security-events/failed-logins.ts';
import { type MovableClock, movableClock, systemClock, unmovableClock } from './time.ts';
import { startRetentionSweep } from './retention/sweep.ts';
import { signingKey } from './tokens/signing-keys.ts';
import { startExpiryJob } from './transactions/expire.ts';
import { storeRelease, readRelease } from './widget-files/release.ts';

/** One attempt to reach a callback receiver. */
const CALLBACK_TIMEOUT_MS = 15_000;

/** Writes log lines together. Writing each of them takes a fifth of the processor time of a request (decisions/0035). */
const LOG_DESTINATION = { sync: false, minLength: 4_096, periodicFlush: 100 };

/** Time that requests in progress have to finish when the service closes. */
const CLOSE_TIMEOUT_MS = 5_000;

export interface RunningService {
  /** URL for buyers and pages. */
  publicUrl: string;
  database: Database;
  clock: MovableClock;
  /** Stops accepting requests, finishes those in progress, and closes the database. */
  close(): Promise<void>;
}

/** Replacements of what the service creates from its configuration, for tests. The service closes them. */
interface Overrides {
  log?: Logger;
  /** Senders of e-mails and texts. */
  messages?: MessageSenders;
  database?: Database;
}

/**
 * Starts the service: database, delivery of callbacks, expiry of transactions, HTTP.
 *
 * @param widgetFolder - Folder of the built widget.
 */
export async function serve(config: Config, widgetFolder: string, overrides: Overrides = {}): Promise<RunningService> {
  const { log = pino(pino.destination(LOG_DESTINATION)) } = overrides;
  const files = { widget: readRelease(widgetFolder), stylesheet: checkoutStyles(), script: checkoutScript() };
  requireReachable(config);
  const operator = requireOperator(config);
  const tls = config.tls && readTlsPair(config.tls);
  const faultsOf =
    (at: string, idName = 'transactionId') =>
    (thrown: unknown, id?: string) =>
      log.error({ at, ...(id !== undefined && { [idName]: id }), ...errorLogFields(thrown) });
  // Done before the service listens, because it takes time.
  const messages = overrides.messages ?? (await createMessageSenders(config));
  const cards = await createCardGateway(config, faultsOf('cards'));
  const database = overrides.database ?? openDatabase(config.databaseUrl, () => readDataKeys(config));
  const { server, close: closeServer } = createHttpServer(
    (request, response) => void handle(request, response),
    tls,
    (refusal) => log.info(refusal),
  );
  limitConnections(server, config.connections, config.trustProxy, (limit) => log.warn({ at: 'connections', closed: limit }));
  let formKey: KeyObject;
  let publicUrl: string;
  try {
    await migrateInMode(database, config.mode);
    formKey = await getFormKey(database.query);
    await storeRelease(database, files.widget, systemClock.now());
    // Creates the signing key before the first token, so that verifiers find it in the published key set.
    await signingKey(database, systemClock.now());
    server.listen(config.port, config.host);
    await once(server, 'listening');
    // With port 0, the operating system chooses a port.
    publicUrl = addressAt(config, (server.address() as AddressInfo).port);
    await savePublicUrl(database, publicUrl);
  } catch (thrown) {
    server.close();
    await database.close();
    throw thrown;
  }
  const isLive = config.mode === 'live';
  const clock = isLive ? unmovableClock : movableClock(database.setClockOffset);
  const onFailedAttempt = (attempt: object) => log.warn({ at: 'lender', ...attempt });
  const { lender, close: closeLender } = createLender(config, { realClock: systemClock, clock, onFailedAttempt });

  // A live service behind a proxy also listens on loopback, but its receivers are on other machines.
  const allowLoopback = !isLive && isLoopback(config.host);
  const callbacks = { mode: config.mode, allowLoopback, allowedHosts: config.callbackAllow };
  const sender = createSender({ ...callbacks, timeoutMs: CALLBACK_TIMEOUT_MS });
  const { close: closeMessages, ...messageSenders } = messages;
  // Retries follow the system clock, not the sandbox's.
  const callback = callbackSender(database, systemClock, sender.send);
  const senders = { callback, ...messageSenders, ...(cards && { card: cardSender(cards) }) };
  const delivery = startDelivery({ database, clock: systemClock, senders, onError: faultsOf('delivery') });
  const expiry = startExpiryJob({ database, clock, lifetimes: config, onError: faultsOf('expiry') });
  const messageHandlings = handlingByChannel(messages, config.mode);
  const { documentLinkDays } = config.retention;
  const mail = {
    publicUrl,
    handling: messageHandlings.email,
    textHandling: messageHandlings.text,
    mode: config.mode,
    documentLinkDays,
    operator,
  };
  const { applicationsPerIdentity, applicationsPerRecipient, codesPerRecipient } = config;
  const identityKey = identityKeyOf(formKey);
  const attemptLimits = { identityKey, applicationsPerIdentity, applicationsPerRecipient, codesPerRecipient };
  const codeKey = codeKeyOf(formKey);
  const deps = { database, lender, cards, approvals: config, attemptLimits, mail, codeKey, onCompleted: delivery.wake };
  const checkouts = startCheckoutJob({
    deps,
    clock,
    retention: config.retention,
    onError: faultsOf('checkout', 'applicationId'),
  });
  const keyCleanup = startKeyCleanup(database, systemClock, faultsOf('key-cleanup'));
  const cartCleanup = startCartCleanup(
    { database, clock, retentionDays: config.retention.unusedCartDays },
    faultsOf('cart-cleanup'),
  );
  const retentionSweep = startRetentionSweep({
    database,
    realClock: systemClock,
    retention: config.retention,
    onError: faultsOf('retention'),
  });
  const failedLogins = new FailedLogins();
  const failedLoginJob = startFailedLoginJob(database, failedLogins, faultsOf('security-events'));

  const pdfs = createPdfRenderer();
  const handle = createApp({
    ...files,
    deps,
    parties: { operator, usesScoreService: config.lender?.kind === 'rules' },
    clock,
    realClock: systemClock,
    log,
    publicUrl,
    formKey,
    pdfs,
    messageHandlings,
    wakeDelivery: delivery.wake,
    lifetimes: config,
    limits: rateLimiters(config.limits, () => performance.now()),
    messageLimits: config.messageLimits,
    failedLogins,
    transport: config,
    callbacks,
    tokenIssuer: config.tokenIssuer,
  }).callback();

  return {
    publicUrl,
    database,
    clock,
    close: async () => {
      await closeServer(CLOSE_TIMEOUT_MS);
      // `closeLender` aborts requests to a lender that does not respond.
      await Promise.all([
        closeLender(),
        delivery.stop(),
        expiry.stop(),
        checkouts.stop(),
        keyCleanup.stop(),
        failedLoginJob.stop(),
        cartCleanup.stop(),
        retentionSweep.stop(),
        pdfs.close(),
      ]);
      await Promise.all([sender.close(), closeMessages()]);
      await database.close();
    },
  };
}
