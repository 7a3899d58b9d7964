/**
 * `node widget/manifest/build.mjs FOLDER`: writes the custom elements manifest of `<financing-button>`, the data for editors that is
 * generated from it, and the types for frameworks.
 */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateJetBrainsWebTypes } from 'custom-element-jet-brains-integration';
import { generateVsCodeCustomElementData } from 'custom-element-vs-code-integration';
import { readManifest } from './manifest.mjs';

const [folder] = process.argv.slice(2);
const options = { outdir: folder, descriptionSrc: 'description', hideLogs: true };

cpSync(new URL('../frameworks/', import.meta.url), folder, { recursive: true });
const manifest = await readManifest();
writeFileSync(join(folder, 'custom-elements.json'), `${JSON.stringify(manifest, null, 2)}\n`);
generateVsCodeCustomElementData(manifest, options);
generateJetBrainsWebTypes(manifest, { ...options, packageJson: false });
