// Modules that are imported for their types are empty at run time.
export {};
