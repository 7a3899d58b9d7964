/**
 * `node widget/manifest/build.mjs FOLDER`: writes the custom elements manifest of `<financing-button>`, and the data for editors that is
 * generated from it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateVsCodeCustomElementData } from 'custom-element-vs-code-integration';
import { readManifest } from './manifest.mjs';

const folder = resolve(process.argv[2]);
const options = { outdir: folder, descriptionSrc: 'description', hideLogs: true };

const manifest = await readManifest();
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'custom-elements.json'), `${JSON.stringify(manifest, null, 2)}\n`);
generateVsCodeCustomElementData(manifest, options);

// The module reads the name and the version of the package in the current folder when it is imported.
process.chdir(fileURLToPath(new URL('../', import.meta.url)));
const { generateJetBrainsWebTypes } = await import('custom-element-jet-brains-integration');
generateJetBrainsWebTypes(manifest, { ...options, packageJson: false });
