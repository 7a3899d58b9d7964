import { financing } from '../../../financing.ts';

/** Receives callbacks. */
export const POST = (request: Request): Promise<Response> => financing().handleCallback(request);
