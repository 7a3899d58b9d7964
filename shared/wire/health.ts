import { type Infer, object, string } from 'superstruct';

/** Response of `GET /healthz` and `GET /readyz`. */
export const Health = object({ status: string() });
export type Health = Infer<typeof Health>;
