import { financing } from '../../../financing.ts';

/** Where the button leads. */
export const GET = (request: Request): Promise<Response> => financing().startCheckout(request);
