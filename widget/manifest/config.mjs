/** Configuration of the analyzer of custom elements manifests. */
export default {
  globs: ['widget/financing-button.ts', 'widget/define.ts'],
  litelement: true,
  packagejson: false,
  quiet: true,
};
