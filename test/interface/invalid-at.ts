import { expect } from 'vitest';

/** The response to a request with an invalid field. errors.test.ts pins the texts. */
export const invalidAt = (path: string) => ({
  status: 400,
  body: { code: 'invalid-request', description: expect.stringContaining(`At path: ${path} -- `) },
});
