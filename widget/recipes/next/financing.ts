import { createFinancing } from './shop/financing.ts';
import { Orders } from './shop/orders.ts';

/**
 * Returns a variable of the server's environment. Next.js would expose only names that begin with `NEXT_PUBLIC_` to browsers.
 *
 * @throws Error if it is not set, which fails the build of a page that needs it.
 */
function environmentVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Expected the environment variable ${name}`);
  return value;
}

/** Attributes of the button, also at build time. */
export const buttonOptions = () => ({
  serviceUrl: environmentVariable('FAIRTERM_URL'),
  apiKey: environmentVariable('FAIRTERM_KEY'),
});

// Routes are bundled separately, so without a database they share state in a global variable.
const shared = globalThis as { orders?: Orders };

export const orders = (): Orders => (shared.orders ??= new Orders());

/** A function, because the secrets are available at request time but not at build time. */
export const financing = () =>
  createFinancing({
    ...buttonOptions(),
    secret: environmentVariable('FAIRTERM_SECRET'),
    callbackSecrets: environmentVariable('FAIRTERM_CALLBACK_SECRETS').split(','),
    shopUrl: environmentVariable('SHOP_URL'),
    orders: orders(),
  });
