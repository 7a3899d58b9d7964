import { financing } from '../../../financing.ts';

/** The `callbackUrl` of carts: confirms the order of a purchase. */
export const POST = (request: Request): Promise<Response> => financing().handleCallback(request);
