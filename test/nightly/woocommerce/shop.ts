import { createHmac } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onCleanup } from '../../support/cleanup.ts';
import { startPhpFpm } from '../php-fpm.ts';

export interface StoredOrder {
  status: string;
  payment_method: string;
  transaction_id: string;
  date_paid: number | null;
  notes: string[];
  meta: Record<string, unknown>;
  refunds: Record<string, string>;
}

export interface ScheduledAction {
  at: number;
  args: [orderId: number, action: string, attempt: number];
  status: string;
}

export interface WordPressOptions {
  locale?: string;
  /** The storage of orders in WooCommerce. */
  storage?: 'tables' | 'posts';
  /** Whether the shop has WooCommerce Subscriptions. */
  subscriptions?: boolean;
  /** PHP of `wp-config.php`, after the constants, and of the theme. */
  wpConfig?: string;
  theme?: string;
}

export interface WordPress {
  serve(request: Request): Promise<Response>;
  /** Runs an action of the shop's administrator or of its cron; see `pages.php`. Rejects if PHP reports an error. */
  admin<T = unknown>(name: string, input?: Record<string, unknown>): Promise<T>;
  order(id: number): StoredOrder;
  /** Sends the callback of a purchase, signed as by the service. Returns the status of the response. */
  callback(transactionId: string, orderRef: string | number, headers?: Record<string, string>): Promise<number>;
  /** Runs the actions that are scheduled now; those that they schedule are returned. */
  runScheduled(): Promise<ScheduledAction[]>;
  pending(): ScheduledAction[];
  /** True once a request has waited for a lock. */
  hasWaited(): boolean;
  logged(): string[];
  /** English texts of the plugin that were used. */
  texts(): string[];
}

/** Starts a shop with the plugin under nginx and PHP-FPM. `constants` are those of its `wp-config.php`. */
export async function startWordPress(
  url: string,
  constants: Record<string, unknown>,
  options: WordPressOptions & { callbackSecret?: string } = {},
): Promise<WordPress> {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-wordpress-'));
  onCleanup(() => rmSync(folder, { recursive: true }));
  cpSync('test/nightly/woocommerce', folder, { recursive: true });
  cpSync('widget/recipes/woocommerce', join(folder, 'plugins/fairterm'), { recursive: true });
  mkdirSync(join(folder, 'state'));
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ url, constants, ...options }));
  const phpUrl = await startPhpFpm(join(folder, 'wordpress.php'));
  const secret = options.callbackSecret ?? (constants['FAIRTERM_CALLBACK_SECRETS'] as string[] | undefined)?.[0] ?? '';

  const stored = <T>(name: string, absent: T): T => {
    const file = join(folder, 'state', `${name}.json`);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : absent;
  };
  const serve = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = method === 'POST' ? await request.arrayBuffer() : null;
    return fetch(phpUrl + pathname + search, { method, headers, body, redirect: 'manual' });
  };
  const pending = () => stored<ScheduledAction[]>('actions', []).filter(({ status }) => status === 'pending');
  const admin = async <T>(name: string, input: Record<string, unknown> = {}): Promise<T> => {
    const response = await fetch(`${phpUrl}/admin/${name}`, { method: 'POST', body: JSON.stringify(input) });
    if (response.status !== 200) throw new Error(`${name}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    serve,
    admin,
    pending,
    order: (id) => stored<StoredOrder>(`order-${id}`, undefined as never),
    async callback(transactionId, orderRef, headers) {
      const body = JSON.stringify({ transactionId, orderRef: String(orderRef) });
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      const signature = createHmac('sha256', key).update(`m.${timestamp}.${body}`).digest('base64');
      const signed = { 'webhook-id': 'm', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
      const response = await fetch(`${phpUrl}/wc-api/fairterm/`, { method: 'POST', body, headers: headers ?? signed });
      return response.status;
    },
    async runScheduled() {
      await admin('scheduler');
      return pending();
    },
    hasWaited: () => stored('waiting', false),
    logged: () => stored('logged', []),
    texts: () => stored('texts', []),
  };
}
