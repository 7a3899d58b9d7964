/** Where this script came from. A classic script has no `import.meta`, a module has no `currentScript`. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an SVG script cannot be where this runs from
export const script = (globalThis.document?.currentScript as HTMLScriptElement | null)?.src || import.meta.url;
