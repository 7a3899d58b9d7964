import { createFinancing } from '../shop/financing.ts';
import { Orders } from '../shop/orders.ts';

/** What the server is told by its environment. Nothing of it begins with `NEXT_PUBLIC_`: Next keeps it on the server. */
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

// Routes are bundled apart: what they share while there is no database hangs here.
const shared = globalThis as { orders?: Orders };

export const orders = (): Orders => (shared.orders ??= new Orders());

/** Made when a request comes, not when the pages are built: a build knows no secret. */
export const financing = () => createFinancing({ ...financingEnv(), orders: orders() });
