import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onCleanup } from '../../support/cleanup.ts';
import { startPhpFpm } from '../php-fpm.ts';

export interface StoredOrder {
  status: string;
  transactionId: string;
  notes: string[];
}

export interface WordPress {
  serve(request: Request): Promise<Response>;
  stored(): { orders: Record<string, StoredOrder>; logged: string[] };
}

/** Starts a shop with the plugin under nginx and PHP-FPM. */
export async function startWordPress(url: string, constants: Record<string, unknown>): Promise<WordPress> {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-wordpress-'));
  onCleanup(() => rmSync(folder, { recursive: true }));
  cpSync('test/nightly/woocommerce', folder, { recursive: true });
  cpSync('widget/recipes/woocommerce', join(folder, 'plugins/fairterm'), { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ url, constants }));
  const phpUrl = await startPhpFpm(join(folder, 'wordpress.php'));

  const serve = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = method === 'POST' ? await request.arrayBuffer() : null;
    return fetch(phpUrl + pathname + search, { method, headers, body, redirect: 'manual' });
  };
  return {
    serve,
    stored: () => JSON.parse(readFileSync(join(folder, 'stored.json'), 'utf8')) as ReturnType<WordPress['stored']>,
  };
}
