import { propertyOf } from '../shared/objects.ts';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { type AppDeps, createApp, createMetricsApp } from './app.ts';
import { createCardGateway } from './purchases/cards/create-gateway.ts';
import { cardSender } from './purchases/cards/gateway.ts';
import { startCartCleanup } from './purchases/carts/cleanup.ts';
import { startCartExpiryJob } from './purchases/carts/expiry.ts';
import { identityKeyOf } from './checkout/decision/limits.ts';
import { codeKeyOf } from './checkout/signing/one-time-code.ts';
import { findNotice } from './agreements/sent-notices.ts';
import { createPdfRenderer } from './agreements/pdf-renderer.ts';
import { getServiceKey } from './checkout/session/store.ts';
import { startCheckoutJob } from './checkout/job.ts';
import { raiseException } from './checkout/decision/raise-exception.ts';
import { startRetryJob } from './checkout/waiting/job.ts';
import { checkoutScript, checkoutStyles } from './checkout/web/pages.ts';
import { type Operator, requireOperator } from './base/config/operator.ts';
import { readDataKeys } from './base/config/data-keys.ts';
import { addressAt, type Config } from './base/config/config.ts';
import type { Database } from './db/database.ts';
import { openDatabase } from './db/open-database.ts';
import { onDamagedRow, onFailure } from './db/engine.ts';
import { startSaving, WriteBuffer } from './db/write-buffer.ts';
import { migrateInMode, savePublicUrl } from './db/mode.ts';
import { codeOf, errorLogFields, isUnavailable } from './base/errors.ts';
import { newId } from './base/ids.ts';
import type { NewException } from './lending/exceptions/store.ts';
import { rateLimiters } from './http/rate-limit.ts';
import { AnonymousRequests, startAnonymousRequestsJob } from './http/request-log.ts';
import { createHttpServer } from './http/server.ts';
import { startKeyCleanup } from './merchants/idempotency/once.ts';
import type { Job } from './base/job.ts';
import { createLender } from './lending/lenders/create-lender.ts';
import { servicingSender } from './messages/servicing-sender.ts';
import type { Attempt } from './lending/lenders/signed-client.ts';
import { addCalls, newCall } from './lending/lenders/store.ts';
import { isLoopback } from './base/config/env.ts';
import { createLog } from './base/log.ts';
import { packageVersion } from './base/package-version.ts';
import { saveRequests } from './merchants/requests/store.ts';
import { callbackSender, createSender } from './messages/callback.ts';
import { startDelivery } from './messages/deliver.ts';
import { reportingNotices } from './messages/notice-delivery.ts';
import { noticeKeyOf } from './messages/notices.ts';
import { type MessageSenders, createMessageSenders, handlingByChannel } from './messages/messages.ts';
import { FailedLogins, startFailedLoginJob } from './merchants/failed-logins.ts';
import { type MovableClock, movableClock, systemClock, unmovableClock } from './base/time.ts';
import type { LiveService } from './lending/programs/live-rule.ts';
import { findFaultyVersions, sellOnlyLivePrograms } from './lending/programs/programs.ts';
import { createMetrics } from './operations/metrics/metrics.ts';
import type { UnstartedService } from './operations/sandbox/samples.ts';
import { startRetentionSweep } from './operations/retention/sweep.ts';
import { startSettlementJob } from './purchases/settlements/run.ts';
import { signingKey } from './platform/tokens/signing-keys.ts';
import { recordingCaptures, savingSchedules } from './purchases/transactions/delivery-outcomes.ts';
import { startExpiryJob } from './purchases/transactions/expire.ts';
import { createTransactions } from './purchases/transactions/transactions.ts';
import { enqueueDeliveries } from './messages/webhooks/enqueue.ts';
import { webhookSender } from './messages/webhooks/sender.ts';
import { storeRelease, readRelease } from './operations/widget-files/release.ts';

/** One attempt to reach a callback receiver. */
const CALLBACK_TIMEOUT_MS = 15_000;

/** Time that requests in progress have to finish when the service closes. */
const CLOSE_TIMEOUT_MS = 5_000;

export interface RunningService {
  /** URL for buyers and pages. */
  publicUrl: string;
  /** URL of the metrics, if they are served. */
  metricsUrl: string | undefined;
  database: Database;
  clock: MovableClock;
  /** Stops accepting requests, finishes those in progress, and closes the database. */
  close(): Promise<void>;
}

/** Replacements of what the service creates from its configuration, for tests. The service closes them. */
interface Overrides {
  log?: Logger;
  /** False to run no jobs but those that save what requests leave in memory, to look at a restored database. Default: true. */
  hasJobs?: boolean;
  /** Senders of e-mails and texts. */
  messages?: MessageSenders;
  database?: Database;
  /** Called when the database is up to date, before the service listens and its jobs start. */
  beforeListening?: (service: UnstartedService) => Promise<void>;
}

/**
 * Starts the service: database, connections to others, HTTP, background jobs. If a part fails to start, closes the others.
 *
 * @param widgetFolder - Folder of the built widget.
 */
export async function serve(config: Config, widgetFolder: string, overrides: Overrides = {}): Promise<RunningService> {
  const { log = createLog(), hasJobs = true } = overrides;
  const operator = requireOperator(config);
  const files = { widget: readRelease(widgetFolder), stylesheet: checkoutStyles(), script: checkoutScript() };
  const closers = new Closers();
  try {
    const resources = await openResources(config, { ...overrides, log }, closers);
    const { database } = resources;
    await migrateInMode(database, config.mode);
    for (const failure of await database.settingProblems()) log.warn({ at: 'database', failure });
    if (config.mode === 'live') await withholdPrograms(database, { hasCards: resources.cards !== undefined }, log);
    const serviceKey = await getServiceKey(database.query);
    await storeRelease(database, files.widget, systemClock.now());
    // Creates the signing key before the first token, so that verifiers find it in the published key set.
    await signingKey(database, systemClock.now());
    await overrides.beforeListening?.({ ...resources, config, operator, serviceKey, publicUrl: addressAt(config, config.port) });
    const { publicUrl, handleRequests } = await listen(config, resources, closers);
    const metricsUrl = await listenForMetrics(config, resources, closers);
    await savePublicUrl(database, publicUrl);
    handleRequests(startApp(config, { ...resources, ...files, operator, serviceKey, publicUrl, hasJobs }));
    return { publicUrl, metricsUrl, database, clock: resources.clock, close: () => closers.close() };
  } catch (thrown) {
    await closers.close().catch((failure: unknown) => log.error({ at: 'start', ...errorLogFields(failure) }));
    throw thrown;
  }
}

/**
 * Sells only programs that meet the requirements of live mode, and logs the others. Applications in progress continue. A program on sale
 * that could not be imported again only causes a warning.
 */
async function withholdPrograms(database: Database, service: LiveService, log: Logger): Promise<void> {
  sellOnlyLivePrograms(database, service);
  for await (const { isSold, ...faulty } of findFaultyVersions(database.query, systemClock.now())) {
    log[isSold ? 'warn' : 'error']({ at: 'programs', isSold, ...faulty });
  }
}

/** Functions that close the parts of a service that were started. */
class Closers {
  readonly #closers: (() => Promise<unknown>)[] = [];

  add(close: () => Promise<unknown>): void {
    this.#closers.unshift(close);
  }

  /** Closes all parts, the latest first. @throws The first failure, after all parts were closed. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closers) await close().catch((thrown: unknown) => failures.push(thrown));
    if (failures.length > 0) throw failures[0];
  }
}

type Resources = Awaited<ReturnType<typeof openResources>>;

/** Opens the database, and what calls the services of others. */
async function openResources(
  config: Config,
  { log, messages: givenMessages, database: givenDatabase }: Overrides & { log: Logger },
  closers: Closers,
) {
  const opened = givenDatabase ?? openDatabase(config.databaseUrl, () => readDataKeys(config), config);
  closers.add(() => opened.close());
  const metrics = createMetrics({ version: packageVersion(), mode: config.mode, engine: opened.engine });
  const database = metrics.countingFailedWrites(opened);
  const countDamaged = metrics.faultCounter('database');
  onFailure(database, (cause, notLogged) => {
    const code = codeOf(cause) || 'database-unavailable';
    log.error({ at: 'database', ...errorLogFields(cause), code, ...(notLogged > 0 && { notLogged }) });
  });
  onDamagedRow(database, (error) => {
    countDamaged();
    log.error({ at: 'database', damaged: error.table, id: error.rowId, ...errorLogFields(error) });
  });
  const messages = givenMessages ?? (await createMessageSenders(config));
  closers.add(() => messages.close());
  const cards = await createCardGateway(config, (thrown) => log.warn({ at: 'cards', ...errorLogFields(thrown) }));
  closers.add(async () => cards?.close?.());
  const isLive = config.mode === 'live';
  // A live service behind a proxy also listens on loopback, but its receivers are on other machines.
  const allowLoopback = !isLive && isLoopback(config.host);
  const callbackRules = { mode: config.mode, allowLoopback, allowedHosts: config.callbackAllow };
  const callbacks = createSender({ ...callbackRules, timeoutMs: CALLBACK_TIMEOUT_MS });
  closers.add(() => callbacks.close());

  const pdfs = createPdfRenderer();
  closers.add(() => pdfs.close());
  const clock = isLive ? unmovableClock : movableClock(database.setClockOffset);
  // Dropped calls are also in the log, if they failed.
  const lenderCalls = new WriteBuffer(addCalls);
  const onAttempt = (attempt: Attempt) => {
    metrics.observeLenderRequest(attempt);
    lenderCalls.add(newCall('sent', attempt));
    logLenderCall(log, attempt);
  };
  const { lender, close: closeLender } = createLender(config, { realClock: systemClock, clock, onAttempt });
  /** Background jobs. Requests to a lender that does not respond are aborted, so that jobs stop that wait for it. */
  const jobs: Pick<Job, 'stop'>[] = [];
  closers.add(() => Promise.all([closeLender(), ...jobs.map((job) => job.stop())]));

  const anonymousRequests = new AnonymousRequests(log);
  return {
    log,
    metrics,
    database,
    messages,
    cards,
    callbackRules,
    callbacks,
    pdfs,
    clock,
    lender,
    lenderCalls,
    jobs,
    anonymousRequests,
  };
}

/** Logs a call to or from the lender that failed. */
function logLenderCall(log: Logger, { path, id, attempt, failure }: Attempt): void {
  if (failure !== '') log.warn({ at: 'lender', path, id, attempt, failure });
}

/**
 * Listens for requests, which wait until `handleRequests` is called: with port 0, the application is created afterwards, because the
 * operating system chooses the port of its URL.
 */
async function listen(config: Config, { anonymousRequests }: Resources, closers: Closers) {
  let handleRequests!: (handle: RequestListener) => void;
  let giveUp!: () => void;
  const application = new Promise<RequestListener>((resolve, reject) => {
    handleRequests = resolve;
    giveUp = reject;
  });
  // If no request waits, nothing else handles the rejection.
  application.catch(() => undefined);
  const { server, close } = createHttpServer(
    (request, response) =>
      void application.then(
        (handle) => handle(request, response),
        () => response.destroy(),
      ),
    ({ code, ...fields }) => anonymousRequests.logRejected(code, fields),
  );
  closers.add(() => {
    giveUp();
    return close(CLOSE_TIMEOUT_MS);
  });
  server.listen(config.port, config.host);
  await once(server, 'listening');
  return { publicUrl: addressAt(config, Number(propertyOf(server.address(), 'port'))), handleRequests };
}

/** Serves the metrics, if a port for them is configured. Returns their URL. @throws Error - the port is in use. */
async function listenForMetrics(
  { metrics: address, ...service }: Config,
  { metrics, database }: Resources,
  closers: Closers,
): Promise<string | undefined> {
  if (!address) return undefined;
  metrics.collectProcess();
  const handle = createMetricsApp({ metrics, database, service, clock: systemClock }).callback();
  const { server, close } = createHttpServer(
    (request, response) => void handle(request, response),
    () => undefined,
  );
  server.listen(address.port, address.host);
  await once(server, 'listening').catch((cause: unknown) => {
    const received = `${address.host}:${address.port}, which failed with ${codeOf(cause)}`;
    throw new Error(`METRICS_PORT: expected a free port, but received ${received}`, { cause });
  });
  closers.add(() => close(CLOSE_TIMEOUT_MS));
  return `http://${address.host}:${String(propertyOf(server.address(), 'port'))}`;
}

type AppParts = Resources &
  Pick<AppDeps, 'widget' | 'stylesheet' | 'script' | 'serviceKey'> & { operator: Operator; publicUrl: string; hasJobs: boolean };

/** Starts the background jobs, and returns the application. */
function startApp(
  config: Config,
  { log, metrics, jobs, hasJobs, anonymousRequests, callbacks, callbackRules, messages, lenderCalls, ...parts }: AppParts,
): RequestListener {
  const { database, clock, cards, lender, operator, serviceKey, publicUrl } = parts;
  const { mode, retention } = config;
  /** Returns a function that logs an error of a part of the service, with the id of the row that the error is about, if any. */
  const faultsOf = (at: string, idName = 'transactionId') => {
    const count = metrics.faultCounter(at);
    return (thrown: unknown, id?: string) => {
      // The database reports that it is unavailable.
      if (isUnavailable(thrown)) return;
      count();
      log.error({ at, ...(id !== undefined && { [idName]: id }), ...errorLogFields(thrown) });
    };
  };
  const failedLogins = new FailedLogins();
  const merchantRequests = new WriteBuffer(saveRequests);
  const messageHandlings = handlingByChannel(messages, mode);
  const mail = {
    publicUrl,
    handling: messageHandlings.email,
    operator,
    textHandling: messageHandlings.text,
    mode,
    documentLinkDays: retention.documentLinkDays,
    noticeKey: noticeKeyOf(serviceKey),
  };
  const transactions = createTransactions({ lifetimes: config, cards, mail });

  const onException = ({ id, applicationId, merchantId, kind, fault }: NewException) =>
    log.warn({ at: 'exception', exceptionId: id, kind, applicationId, merchantId, ...(fault && { fault }) });

  const senders = {
    // Retries follow the system clock, not the sandbox's.
    callback: callbackSender(database, systemClock, callbacks.send),
    ...(messages.email && { email: reportingNotices(messages.email, database, clock) }),
    ...(messages.text && { text: messages.text }),
    ...(cards && { card: recordingCaptures(cardSender(cards), transactions, clock) }),
    lender: servicingSender(
      lender,
      savingSchedules(transactions, clock, async (tx, { applicationId, merchantId, cartId }, fault) => {
        const exception = { id: newId(), kind: 'schedule', fault, now: clock.now() } as const;
        const raised = await raiseException(tx, { id: applicationId, merchantId, cartId }, exception, mail);
        // Before the commit: if it fails, the delivery is repeated and raises it again.
        if (raised) onException(raised);
      }),
      async (id) => (await findNotice(database.query, id))?.html ?? null,
    ),
    webhook: webhookSender(database, systemClock, callbacks.send, (webhook) =>
      log.warn({ at: 'webhooks', disabled: true, ...webhook }),
    ),
  };
  const delivery = hasJobs
    ? startDelivery({
        database,
        clock: systemClock,
        senders: metrics.countingAttempts(senders),
        enqueue: () => enqueueDeliveries(database),
        onFailedAttempt: (attempt) => log.warn({ at: 'delivery', ...attempt }),
        onError: faultsOf('delivery'),
      })
    : undefined;
  const deps = {
    database,
    lender,
    cards,
    approvals: config,
    attemptLimits: { ...config, ...config.limits, identityKey: identityKeyOf(serviceKey) },
    mail,
    codeKey: codeKeyOf(serviceKey),
    onException,
    wakeDelivery: () => delivery?.wake(),
  };
  jobs.push(
    startFailedLoginJob(database, failedLogins, faultsOf('security-events')),
    startAnonymousRequestsJob(anonymousRequests),
    startSaving(database, lenderCalls, faultsOf('lender-calls')),
    startSaving(database, merchantRequests, faultsOf('merchant-requests')),
  );
  if (delivery) {
    jobs.push(
      delivery,
      startExpiryJob({ database, transactions, clock, onError: faultsOf('expiry') }),
      startRetryJob({ deps, clock, onError: faultsOf('lender-retries', 'applicationId') }),
      startCheckoutJob({ deps, clock, retention, onError: faultsOf('checkout', 'applicationId') }),
      startCartExpiryJob({ database, clock, onError: faultsOf('cart-expiry', 'cartId') }),
      startKeyCleanup(database, systemClock, faultsOf('key-cleanup')),
      startCartCleanup({ database, clock, retentionDays: retention.unusedCartDays }, faultsOf('cart-cleanup')),
      startRetentionSweep({ database, realClock: systemClock, retention, onError: faultsOf('retention') }),
      ...(config.settlementRuns === 'daily' ? [startSettlementJob(database, clock, faultsOf('settlements'))] : []),
    );
  }

  const handle = createApp({
    ...parts,
    deps,
    realClock: systemClock,
    log,
    anonymousRequests,
    observeRequest: metrics.observeRequest,
    onFault: metrics.faultCounter('request'),
    merchantRequests,
    transactions,
    limits: rateLimiters(config.limits, () => performance.now()),
    messageLimits: config.messageLimits,
    consoleLimits: config.console,
    failedLogins,
    transport: config,
    callbacks: callbackRules,
    tokenIssuer: config.tokenIssuer,
    mailReports: config.mailReports,
    remoteLender: config.lender && {
      secrets: config.lender.secrets,
      onCall: (call) => {
        lenderCalls.add(newCall('received', call));
        logLenderCall(log, call);
      },
    },
  }).callback();
  return (request, response) => void handle(request, response);
}
