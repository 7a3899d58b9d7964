import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../server/http/openapi/document.ts';

describe.each(['sandbox', 'live'] as const)('The OpenAPI document of a %s service', (mode) => {
  const source = JSON.stringify(openApiDocument({ mode, publicUrl: 'https://fairterm.test', version: '1.2.3' }));

  it('has no errors or warnings of Redocly with the rules `recommended`', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      // The interface defines both /transactions/actions/:tx-id and /transactions/:tx-id/shipment.
      rules: { 'no-ambiguous-paths': 'off' },
    });
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)).toEqual([]);
  });

  it('has no errors or warnings of Spectral with the rules `spectral:oas`', async () => {
    const spectral = new spectralCore.Spectral();
    spectral.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'recommended']] });
    const problems = await spectral.run(source);
    expect(problems.map(({ code, message, path }) => `${code} at ${path.join('/')}: ${message}`)).toEqual([]);
  });
});
