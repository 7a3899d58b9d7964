import { readdirSync, readFileSync } from 'node:fs';
import { getPHPLoaderModule } from '@php-wasm/node-8-3';
import { loadPHPRuntime, PHP } from '@php-wasm/universal';
import { onCleanup } from '../../support/cleanup.ts';

export interface StoredOrder {
  status: string;
  transaction_id: string;
  notes: string[];
}

export interface WordPress {
  serve(request: Request): Promise<Response>;
  stored(): { orders: Record<string, StoredOrder>; logged: string[] };
}

/** Starts a shop with the plugin in PHP. Its HTTP requests are sent over the network. */
export async function startWordPress(url: string, constants: Record<string, unknown>): Promise<WordPress> {
  const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule()));
  onCleanup(() => php.exit());
  const copy = (from: string, to: string) => {
    php.mkdir(to);
    for (const name of readdirSync(from).filter((file) => file.endsWith('.php'))) {
      php.writeFile(`${to}/${name}`, readFileSync(`${from}/${name}`));
    }
  };
  copy('test/nightly/woocommerce', '/shop');
  copy('widget/recipes/woocommerce', '/shop/plugins/fairterm');
  php.writeFile('/shop/config.json', JSON.stringify({ url, constants }));
  php.onMessage((message) => sendRequest(JSON.parse(message) as HttpRequest));

  const serve = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const response = await php.run({
      scriptPath: '/shop/wordpress.php',
      relativeUri: pathname + search,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body: new Uint8Array(await request.arrayBuffer()),
      $_SERVER: { REQUEST_URI: pathname + search },
    });
    if (response.errors) throw new Error(response.errors);
    const headers = Object.entries(response.headers).map(([name, values]): [string, string] => [name, values.join(', ')]);
    const hasBody = ![204, 304].includes(response.httpStatusCode);
    return new Response(hasBody ? response.bytes : null, { status: response.httpStatusCode, headers });
  };
  return { serve, stored: () => JSON.parse(php.readFileAsText('/shop/stored.json')) as ReturnType<WordPress['stored']> };
}

interface HttpRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | null;
}

async function sendRequest({ url, ...init }: HttpRequest): Promise<string> {
  try {
    const response = await fetch(url, init);
    return JSON.stringify({ status: response.status, body: await response.text() });
  } catch (error) {
    return JSON.stringify({ error: String(error) });
  }
}
