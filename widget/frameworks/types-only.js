// The module of `@fairterm/button/jsx/*`, `/svelte` and `/vue`, which are imported for their types only. Valid as an ES module and as CommonJS.
