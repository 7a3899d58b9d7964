import { type Infer, object, string } from 'superstruct';
import { mapOf, wholeNumber } from './structs.ts';
import { Timestamp, WebUrl } from './fields.ts';

export const WidgetFile = object({ url: WebUrl, integrity: string(), bytes: wholeNumber(1) });

export const WidgetVersion = object({ releasedAt: Timestamp, files: mapOf(WidgetFile) });

/** Response of `GET /widget/manifest.json`. */
export const WidgetManifest = object({ current: string(), versions: mapOf(WidgetVersion) });
export type WidgetManifest = Infer<typeof WidgetManifest>;
