import { financing } from '../../../financing.ts';

/** The `cart-url` of the button: creates a cart and redirects to its checkout. */
export const GET = (request: Request): Promise<Response> => financing().startCheckout(request);
