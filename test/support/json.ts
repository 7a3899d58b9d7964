/** Parsed JSON whose shape a test knows. */
export type Json = any;
