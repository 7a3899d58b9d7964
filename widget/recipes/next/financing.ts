import { createFinancing } from '../shop/financing.ts';
import { Orders } from '../shop/orders.ts';

/** Reads the server's environment variables. Next.js would expose only names that begin with `NEXT_PUBLIC_` to browsers. */
export function financingEnv() {
  const { FAIRTERM_URL, FAIRTERM_KEY, FAIRTERM_SECRET, FAIRTERM_CALLBACK_SECRETS, SHOP_URL } = process.env;
  return {
    serviceUrl: FAIRTERM_URL!,
    apiKey: FAIRTERM_KEY!,
    secret: FAIRTERM_SECRET!,
    callbackSecrets: FAIRTERM_CALLBACK_SECRETS?.split(',') ?? [],
    shopUrl: SHOP_URL!,
  };
}

// Routes are bundled separately, so without a database they share state in a global variable.
const shared = globalThis as { orders?: Orders };

export const orders = (): Orders => (shared.orders ??= new Orders());

/** A function, because the secrets are available at request time but not at build time. */
export const financing = () => createFinancing({ ...financingEnv(), orders: orders() });
