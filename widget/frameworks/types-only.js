// Imported for its types only, as an ES module or as CommonJS.
