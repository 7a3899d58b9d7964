import { type Infer, object, string } from 'superstruct';
import { mapOf, whole } from './bricks.ts';
import { Timestamp, WebUrl } from './fields.ts';

export const WidgetFile = object({ url: WebUrl, integrity: string(), bytes: whole(1) });

export const WidgetVersion = object({ releasedAt: Timestamp, files: mapOf(WidgetFile) });

/** Answer of `GET /widget/manifest.json`. */
export const WidgetManifest = object({ current: string(), versions: mapOf(WidgetVersion) });
export type WidgetManifest = Infer<typeof WidgetManifest>;
