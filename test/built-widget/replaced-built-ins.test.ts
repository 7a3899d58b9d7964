/** Pages whose scripts have replaced built-in functions. */
import { it } from 'vitest';
import { replaceBuiltIns } from './replace-built-ins.ts';
import { useWidgetWith } from './use-widget.ts';
import { startWidgetShop } from './shop.ts';

const shop = await startWidgetShop();

it('A button works on a page that has replaced built-in functions', () => useWidgetWith(shop, `(${String(replaceBuiltIns)})()`));
