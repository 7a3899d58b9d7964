import { standardProgram } from '../../../../server/lending/programs/standard-program.ts';
import Router from '@koa/router';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { statusCodes } from '../../../../shared/wire/status-codes.ts';
import { namedStructs, openApiDocument, operationsIn } from '../../../../server/http/openapi/document.ts';
import { programSchema } from '../../../../server/http/openapi/program-schema.ts';
import { type Json, PAGES } from '../../../support/conformance.ts';
import { fetchResponse, startService, type TestService } from '../../../support/service.ts';

const document: Json = openApiDocument({ mode: 'sandbox', publicUrl: 'https://fairterm.test', version: '1.2.3' });
const schemas = Object.entries<Json>(document.components.schemas);

describe('The OpenAPI document', () => {
  it.each(schemas)('describes %s and each of its fields', (_name, { description, properties = {} }) => {
    const all = [description, ...Object.values<Json>(properties).map((property) => property.description)];
    for (const text of all) expect(text).toMatch(/^[A-Z$`].*[.:]?$/s);
  });

  it('describes how to request the token that operations of the platform API require', () => {
    const operations = Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item));
    const { oauth2 } = document.components.securitySchemes;
    const { tokenUrl, scopes } = oauth2.flows.clientCredentials;
    const withToken = operations.filter(({ security }) => security.some((scheme: Json) => scheme.bearerAuthApplication));
    expect(withToken.length).toBeGreaterThan(1);
    for (const { security } of withToken) {
      expect(security).toEqual([{ bearerAuthApplication: [] }, { oauth2: Object.keys(scopes) }]);
    }
    expect(document.paths[tokenUrl.replace('https://fairterm.test', '')].post.operationId).toBe('getToken');
  });

  it('contains the default of a request field in its description, because the keyword `default` makes it required in generated types', () => {
    const { CheckoutRequest, CartOptions } = document.components.schemas;
    expect(CheckoutRequest.properties.outcome.description).toMatch(/ Default: `approved`\.$/);
    expect(CartOptions.properties.disableEditShipping.description).toMatch(/ Default: `false`\.$/);
    const fields = schemas.flatMap(([, { properties = {} }]) => Object.values<Json>(properties));
    expect(fields.filter((field) => 'default' in field)).toEqual([]);
  });

  it('has no keyword and no escape that client generators reject', () => {
    const rejected: string[] = [];
    const walk = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, child] of Object.entries(value)) {
        // openapi-zod-client and generators for Ruby.
        const isRejected = name === 'const' || (name === 'pattern' && String(child).includes('\\/'));
        if (isRejected) rejected.push(`${path}/${name}`);
        walk(child, `${path}/${name}`);
      }
    };
    walk(document, '#');
    walk(programSchema(standardProgram), 'program');
    expect(rejected).toEqual([]);
  });

  it('contains every named schema', () => {
    const named = new Set([...namedStructs.values()].flatMap(({ name }) => [name.request, name.response]));
    expect([...named].filter((name) => !document.components.schemas[name])).toEqual([]);
  });

  it('describes exactly the fields of the structs', () => {
    const fields = schemas.map(([name, { properties = {} }]) => [name, Object.keys(properties).sort()]);
    const documented = [...namedStructs.values()].flatMap(({ name, fields: structFields }) =>
      [...new Set([name.request, name.response])].map((schemaName) => [schemaName, Object.keys(structFields).sort()]),
    );
    expect(new Map(documented as [string, string[]][])).toEqual(new Map(fields as [string, string[]][]));
  });
});

describe('The status codes of applications', () => {
  const { description } = document.components.schemas.StatusCode;
  const { parameters } = document.paths['/api/application'].get;
  const codesByStatus = Object.entries(statusCodes).map(([status, codes]) => [status, Object.values<string>(codes)] as const);

  it.each(codesByStatus)('are described for %s', (status, codes) => {
    const [paragraph, ...others] = description.split('\n\n').filter((text: string) => text.startsWith(`\`${status}\``));
    expect(others).toEqual([]);
    for (const code of codes) expect(paragraph).toMatch(new RegExp(`\`${code}\` [a-z][a-z ,']{9,}`));
  });

  it('start with two digits that identify the status', () => {
    expect(description).toContain('The first two digits identify the status');
    const prefixes = codesByStatus.map(([, codes]) => [...new Set(codes.map((code) => code.slice(0, 2)))]);
    for (const prefixesOfStatus of prefixes) expect(prefixesOfStatus).toHaveLength(1);
    expect(new Set(prefixes.flat()).size).toBe(codesByStatus.length);
  });

  it('are referenced by the response and the query parameters', () => {
    const $ref = '#/components/schemas/StatusCode';
    expect(document.components.schemas.Application.properties.statusCode.$ref).toBe($ref);
    for (const name of ['statusCode.eq', 'statusCode.ne']) {
      const { schema } = parameters.find((parameter: Json) => parameter.name === name);
      expect(schema.items).toEqual({ $ref });
    }
  });
});

describe('The operations of the document', () => {
  let service: TestService;
  const registered: { path: string; methods: string[] }[] = [];

  beforeAll(async () => {
    const register = vi.spyOn(Router.prototype, 'register');
    service = await startService();
    for (const { value } of register.mock.results) registered.push(value as (typeof registered)[number]);
    register.mockRestore();
  });

  it('are exactly the routes of the service', () => {
    const routes = registered
      .filter(({ path }) => !PAGES.test(path))
      .flatMap(({ path, methods }) =>
        methods
          // Clients do not call these directly.
          .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
          .map((method) => `${method} ${path.replace(/:\w+/g, '{}').replace(/(?<=.)\/$/, '')}`),
      );
    const documented = operationsIn('sandbox').map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`,
    );
    expect(documented.sort()).toEqual(routes.sort());
  });

  it('are served at /openapi.json', async () => {
    const { body, headers } = await fetchResponse(`${service.publicUrl}/openapi.json`);
    expect(body).toEqual(openApiDocument({ mode: 'sandbox', publicUrl: service.publicUrl, version: '0.1.0' }));
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('are accompanied by the JSON Schema of programs at /program.schema.json', async () => {
    const { body, headers } = await fetchResponse(`${service.publicUrl}/program.schema.json`);
    expect(body).toEqual(JSON.parse(JSON.stringify(programSchema(standardProgram))));
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  afterAll(() => vi.restoreAllMocks());
});

test('The OpenAPI document of a live service has no sandbox operations', () => {
  const live = openApiDocument({ mode: 'live', publicUrl: 'https://fairterm.test', version: '1.2.3' });
  const sandboxOnly = Object.keys(document.paths).filter((path) => !live.paths[path]);
  expect(sandboxOnly.sort()).toEqual(['/sandbox/checkouts', '/sandbox/clock', '/sandbox/messages', '/sandbox/settlements']);
  expect(live.tags.map(({ name }: { name: string }) => name)).not.toContain('Sandbox');
  expect(JSON.stringify(live.components)).not.toContain('Sandbox');
});
