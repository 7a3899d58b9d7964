/**
 * Returns a software bill of materials in the format CycloneDX 1.5: the packages of a production installation with their hashes. The
 * same lock file always results in the same document.
 *
 * `npm sbom --omit dev` also omits production packages on which development packages depend, such as `pg`.
 *
 * @param {{ name: string, version: string, packages: Record<string, LockEntry> }} lock package-lock.json
 */
export function sbomOf({ name, version, packages }) {
  const components = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, entry]) => componentOf(entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 13), entry));
  const unique = new Map(components.map((component) => [component['bom-ref'], component]));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': `${name}@${version}`, name, version } },
    components: [...unique.values()],
  };
}

/**
 * @typedef {{ name?: string, version: string, dev?: boolean, optional?: boolean, integrity: string, license?: string }} LockEntry
 * @param {string} name
 * @param {LockEntry} entry
 */
function componentOf(name, { version, optional, integrity, license }) {
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    scope: optional ? 'optional' : 'required',
    // The @ of a scope is encoded in package URLs.
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    ...(license !== undefined && { licenses: [{ expression: license }] }),
  };
}
