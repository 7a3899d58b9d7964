import { existsSync, readFileSync } from 'node:fs';
import { it } from 'vitest';
import { useWidgetWith } from '../built-widget/use-widget.ts';
import { startWidgetShop } from '../built-widget/shop.ts';
import { installSystemPackages } from '../support/system-packages.mjs';

/** Prototype.js 1.7.3 of Debian. The npm package `prototype` is another program. */
const SCRIPT = '/usr/share/javascript/prototype/prototype.js';

if (!existsSync(SCRIPT)) installSystemPackages('Prototype.js', { 'apt-get': ['libjs-prototype'] });
const shop = await startWidgetShop();

it('A button works on a page with Prototype.js', () => useWidgetWith(shop, readFileSync(SCRIPT, 'utf8')));
