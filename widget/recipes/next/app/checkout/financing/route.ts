import { financing } from '../../../financing.ts';

/** URL of the button. */
export const GET = (request: Request): Promise<Response> => financing().startCheckout(request);
