import { type Infer, object, string } from 'superstruct';
import { CartOptions } from './cart.ts';
import { CalendarDate, line, Uuid, Timestamp, WebUrl } from './fields.ts';
import { mapOf, boundedInteger } from './structs.ts';

/**
 * Request body of `POST /storefront/carts`, which creates a cart from a page with the public half of a key pair.
 *
 * `options` are those of `POST /carts` without `createdBy` and `cartName`, which a page cannot set (decisions/0025).
 * `idempotencyKey` is random and new for each cart: repeating a request with the same key and body returns the same cart.
 */
export const OpenCartRequest = object({ key: line(80, 1), idempotencyKey: Uuid, options: CartOptions });

/** Response of `POST /storefront/carts`. `expiration` is the last day on which the link works. */
export const OpenedCart = object({ id: string(), url: string(), expiration: CalendarDate });
export type OpenedCart = Infer<typeof OpenedCart>;

/** A file of the widget. `integrity` is the value of that attribute of a `<script>`: a hash by which browsers verify the file. */
export const WidgetFile = object({ url: WebUrl, integrity: string(), bytes: boundedInteger(1) });

/** A release of the widget with its files by name. */
export const WidgetVersion = object({ releasedAt: Timestamp, files: mapOf(WidgetFile) });

/** Response of `GET /widget/manifest.json`. */
export const WidgetManifest = object({ current: string(), versions: mapOf(WidgetVersion) });
export type WidgetManifest = Infer<typeof WidgetManifest>;
