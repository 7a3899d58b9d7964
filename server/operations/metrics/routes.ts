import { fileURLToPath } from 'node:url';
import { html } from '@lit-labs/ssr';
import Router from '@koa/router';
import { nothing } from 'lit';
import type { Mode } from '../../base/mode.ts';
import { type Clock, epochMs } from '../../base/time.ts';
import type { Database } from '../../db/database.ts';
import type { State } from '../../http/context.ts';
import { labeledValue } from '../../http/pages/elements.ts';
import { renderFrame } from '../../http/pages/frame.ts';
import { deniedFeatures, type Html, renderHtml } from '../../http/pages/html.ts';
import { createStylesheet, FOREVER_SECONDS } from '../../http/static-files.ts';
import type { Metrics } from './metrics.ts';
import { readStatus, type Status, statusRows, time } from './status.ts';
import { readBacklog } from './store.ts';

export interface MetricsDeps {
  metrics: Metrics;
  database: Database;
  service: { mode: Mode; databaseUrl: string };
  clock: Clock;
  /** Time for which a request waits for the database. */
  timeoutMs?: number;
}

/** Time between two reads of the database, whatever the number of requests. */
const INTERVAL_MS = 15_000;

const TIMEOUT_MS = 3_000;

/** Time after which a browser loads the page again, in seconds. */
const REFRESH_SECONDS = '30';

const HEADERS: Record<string, string> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': deniedFeatures(),
};

/** Routes of the port for operators: `GET /metrics` for Prometheus, and `GET /` for people. They have no sign-in. */
export function metricsRoutes({ metrics, database, service, clock, timeoutMs = TIMEOUT_MS }: MetricsDeps): Router<State> {
  const stylesheet = createStylesheet([fileURLToPath(new URL('./status.css', import.meta.url))], '/status.css');
  const backlog = sharedRead(clock, timeoutMs, () => readBacklog(database.query, clock.now()));
  const status = sharedRead(clock, timeoutMs, () => readStatus(database, service, clock.now()));
  const router = new Router<State>();
  router.use((ctx, next) => {
    ctx.set(HEADERS);
    return next();
  });

  router.get('/metrics', async (ctx) => {
    ctx.type = metrics.contentType;
    ctx.body = await metrics.text(database.usage(), await backlog(), clock.now());
  });

  router.get('/', async (ctx) => {
    const read = await status();
    ctx.status = read ? 200 : 503;
    ctx.set('refresh', REFRESH_SECONDS);
    ctx.type = 'html';
    ctx.body = renderHtml(statusPage(read, stylesheet.url));
  });

  router.get(stylesheet.path, (ctx) => stylesheet.send(ctx, FOREVER_SECONDS));
  return router;
}

/**
 * Returns a function that reads at most every `INTERVAL_MS`, and never twice at once. It returns undefined if the read failed, or takes
 * longer than `timeoutMs`: the database may be away for long.
 */
function sharedRead<T>(clock: Clock, timeoutMs: number, read: () => Promise<T>): () => Promise<T | undefined> {
  let result: Promise<T | undefined> | undefined;
  let nextAtMs = 0;
  return async () => {
    const nowMs = epochMs(clock.now());
    if (nowMs >= nextAtMs) {
      nextAtMs = Infinity;
      result = read()
        .catch(() => undefined)
        .finally(() => (nextAtMs = nowMs + INTERVAL_MS));
    }
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, undefined);
    });
    return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
  };
}

/** @param status - Undefined if the database does not respond. */
function statusPage(status: Status | undefined, stylesheet: string): Html {
  const attention = status ? status.attention : ['The database does not respond'];
  const title = attention.length === 0 ? 'All is well' : 'Something needs attention';
  return renderFrame({
    language: 'en',
    title: `${title}: Fairterm`,
    stylesheets: [stylesheet],
    layout: attention.length === 0 ? 'good' : 'bad',
    header: html`<header><p>Fairterm</p></header>`,
    main: html`<h1>${title}</h1>
      ${attention.length > 0 ? html`<ul>${attention.map((text) => html`<li>${text}.</li>`)}</ul>` : nothing}
      ${status ? html`<dl>${statusRows(status).map(([label, value]) => labeledValue(label, value))}</dl>` : nothing}
      <p>${status ? `Read at ${time(status.readAt)}. ` : ''}The page is loaded again every ${REFRESH_SECONDS} seconds.</p>`,
  });
}
