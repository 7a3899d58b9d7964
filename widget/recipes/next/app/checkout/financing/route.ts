import { financing } from '../../../financing.ts';

/** The `cart-url` of the button. */
export const GET = (request: Request): Promise<Response> => financing().startCheckout(request);
