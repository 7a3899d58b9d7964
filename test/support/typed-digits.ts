/**
 * Finds digits that somebody typed, and not the same ones in a time, an id or a hash, where chance puts them sooner or later.
 *
 * @param source how they may be written, as a regular expression
 */
export const typedDigits = (source: string): RegExp => new RegExp(`(?<![\\w.-])(?:${source})(?![\\w-])`);
