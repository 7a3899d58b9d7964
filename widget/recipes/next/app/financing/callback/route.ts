import { financing } from '../../../financing.ts';

/** Where the service reports a purchase. */
export const POST = (request: Request): Promise<Response> => financing().takeCallback(request);
