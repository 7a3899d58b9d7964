import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../server/openapi/document.ts';

describe.each(['sandbox', 'live'] as const)('The document of a %s service', (mode) => {
  it('is what Redocly calls a good OpenAPI document, in its strictest set of rules', async () => {
    const document = openApiDocument({ mode, publicUrl: 'https://fairterm.test', version: '1.2.3' });
    const config = await createConfig({
      extends: ['recommended-strict'],
      // The interface has them: /transactions/actions/:tx-id beside /transactions/:tx-id/shipment.
      rules: { 'no-ambiguous-paths': 'off' },
    });
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)).toEqual([]);
  });
});
