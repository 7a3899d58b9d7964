/** Validates every request and response of the tests against the OpenAPI document. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import formats from 'ajv-formats';
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Mode } from '../../server/base/mode.ts';
import { openApiDocument } from '../../server/http/openapi/document.ts';

interface CheckedResponse {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

/** Services whose responses are checked, by port, because a service has more than one host name. */
const services = new Map<string, Mode>();
const documents = new Map<Mode, Json>();
const ajvs = new Map<string, Ajv2020>();
const validators = new Map<string, ValidateFunction>();
const patterns = new Map<string, RegExp>();
const exercised = new Set<string>();

/** Paths that are served to browsers and are not part of the API. */
export const PAGES = /^\/$|^\/(a|brand|c|checkout|console|docs|n|u|widget(?!\/manifest))(\/|$)/;

/** Requires the responses that `fetchResponse` receives from the service at `baseUrl` to match its OpenAPI document. */
export function enableConformanceChecks(baseUrl: string, mode: Mode): void {
  services.set(new URL(baseUrl).port, mode);
}

/**
 * Validates a response, and records it for the check of `npm test` that every documented response occurs.
 *
 * @throws Error if the response, or an accepted request, does not match the document. The message contains the location.
 */
export function expectMatchesOpenApi(url: string, init: RequestInit, response: CheckedResponse): void {
  const { port, pathname, searchParams } = new URL(url);
  const mode = services.get(port);
  if (mode !== undefined) expectPrivate(pathname, response);
  const method = (init.method ?? 'GET').toUpperCase();
  if (mode === undefined || PAGES.test(pathname) || method === 'HEAD' || method === 'OPTIONS') return;
  const found = findOperation(documentOf(mode), method, pathname);
  const mismatches = found
    ? [
        ...queryMismatches(mode, found, searchParams, response),
        ...requestMismatches(mode, found, init, response),
        ...responseMismatches(mode, found, response),
      ]
    : unknownOperationMismatches(mode, pathname, response);
  if (mismatches.length > 0) {
    const [first] = mismatches;
    throw new Error(`${method} ${pathname} responded with ${response.status}, but ${first}\n${response.text.slice(0, 500)}`);
  }
  if (found) record(mode, found.operation.operationId, response.status);
}

/** Paths of files and documents without personal data. */
const CACHEABLE =
  /^\/($|brand\/|checkout\/|docs|openapi\.json$|program\.schema\.json$|storefront\/programs$|widget\/|\.well-known\/)/;

/** Requires that no cache stores a response with personal data, regardless of its status. */
function expectPrivate(pathname: string, { status, headers }: CheckedResponse): void {
  const cacheControl = headers.get('cache-control');
  if (cacheControl === 'no-store' || CACHEABLE.test(pathname)) return;
  throw new Error(`${pathname} responded with ${status} and the cache-control ${cacheControl}, but expected no-store`);
}

interface Found {
  operation: Json;
  /** Its location in the document. */
  at: string;
}

function findOperation(document: Json, method: string, pathname: string): Found | undefined {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname;
  const candidates = Object.entries<Json>(document.paths).filter(([template]) => patternOf(template).test(path));
  const match = candidates.find(([, item]) => item[method.toLowerCase()]);
  return match && { operation: match[1][method.toLowerCase()], at: `${match[0]} ${method}` };
}

function patternOf(template: string): RegExp {
  const cached = patterns.get(template);
  if (cached) return cached;
  const pattern = new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
  patterns.set(template, pattern);
  return pattern;
}

/** Validates accepted requests only, because a request can be rejected for reasons that a schema cannot express. */
function requestMismatches(mode: Mode, { operation, at }: Found, init: RequestInit, response: CheckedResponse): string[] {
  const [[type, content] = []] = Object.entries<Json>(operation.requestBody?.content ?? {});
  const text = init.body instanceof URLSearchParams ? init.body.toString() : init.body;
  if (!content || response.status >= 300 || typeof text !== 'string') return [];
  const body = type === 'application/json' ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
  return schemaMismatches(mode, `${at} request`, content.schema, body, 'according to the document the accepted body');
}

/** Validates the accepted query of operations that reject unknown parameters. */
function queryMismatches(mode: Mode, { operation, at }: Found, query: URLSearchParams, response: CheckedResponse): string[] {
  const described: Json[] = (operation.parameters ?? []).filter((parameter: Json) => parameter.in === 'query');
  if (described.length === 0 || response.status >= 300) return [];
  return [...new Set(query.keys())].flatMap((name) => {
    const parameter = described.find((candidate) => candidate.name === name);
    if (!parameter) return [`the document has no parameter ${name}`];
    const { type } = parameter.schema;
    const values = query.getAll(name).map((value) => (type === 'integer' || type === 'boolean' ? JSON.parse(value) : value));
    const value = type === 'array' ? values : values[0];
    const subject = `according to the document the accepted parameter ${name}`;
    return schemaMismatches(mode, `${at} ${name} request`, parameter.schema, value, subject);
  });
}

function responseMismatches(mode: Mode, { operation, at }: Found, received: CheckedResponse): string[] {
  const response = operation.responses[received.status];
  if (!response) return [`the document has only the statuses ${Object.keys(operation.responses).join(', ')}`];
  const isHtml = response.content?.['text/html'] !== undefined;
  if (isHtml)
    return [
      ...headerMismatches(mode, response, received.headers),
      ...contentTypeMismatches(received, 'text/html; charset=utf-8'),
    ];
  if (response.content?.['text/csv'] && received.headers.get('content-type')?.startsWith('text/csv')) {
    return headerMismatches(mode, response, received.headers);
  }
  const content = response.content?.['application/json'];
  return [
    ...headerMismatches(mode, response, received.headers),
    ...(content ? contentTypeMismatches(received) : received.text === '' ? [] : ['according to the document it has no body']),
    ...(content
      ? schemaMismatches(mode, `${at} ${received.status}`, content.schema, received.body, 'according to the document its body')
      : []),
  ];
}

/** Schema of error responses by the first segment of the path. */
const errorBodies = new Map([
  ['api', 'PlatformError'],
  ['oauth', 'OAuthError'],
]);

/** Requires an undocumented path or method to return an error. */
function unknownOperationMismatches(mode: Mode, pathname: string, response: CheckedResponse): string[] {
  const [, segment = ''] = pathname.split('/');
  const name = errorBodies.get(segment) ?? 'ErrorBody';
  const schema = { $ref: `#/components/schemas/${name}` };
  return [
    ...(response.status >= 400 ? [] : ['the document has no such operation']),
    ...(response.status !== 405 || response.headers.get('allow') ? [] : ['it has no Allow header']),
    ...contentTypeMismatches(response),
    ...schemaMismatches(mode, name, schema, response.body, 'according to the document the body of an error'),
  ];
}

function headerMismatches(mode: Mode, response: Json, headers: Headers): string[] {
  return Object.entries<Json>(response.headers ?? {}).flatMap(([name, { $ref }]) => {
    const header = documentOf(mode).components.headers[$ref.split('/').at(-1)];
    const value = headers.get(name);
    if (value === null) return header.required ? [`the header ${name} is missing`] : [];
    return schemaMismatches(mode, $ref, header.schema, value, `according to the document the header ${name}`);
  });
}

function contentTypeMismatches({ headers }: CheckedResponse, expected = 'application/json; charset=utf-8'): string[] {
  const type = headers.get('content-type');
  return type === expected ? [] : [`its content type is ${type}, not ${expected}`];
}

function schemaMismatches(mode: Mode, key: string, schema: Json, value: unknown, subject: string): string[] {
  const validate = validatorOf(mode, key, schema);
  if (validate(value)) return [];
  const { instancePath, message, params } = validate.errors![0]!;
  return [`${subject}${instancePath && ` at ${instancePath}`} ${message} ${JSON.stringify(params)}`];
}

function validatorOf(mode: Mode, key: string, schema: Json): ValidateFunction {
  const name = `${mode} ${key}`;
  const cached = validators.get(name);
  if (cached) return cached;
  const validate = ajvOf(mode, key.endsWith(' request') ? 'request' : 'response').compile(schema);
  validators.set(name, validate);
  return validate;
}

/** Returns a validator that resolves references to the document's components and compiles each of them once. */
function ajvOf(mode: Mode, kind: 'request' | 'response'): Ajv2020 {
  const name = `${mode} ${kind}`;
  const cached = ajvs.get(name);
  if (cached) return cached;
  const { schemas } = documentOf(mode).components;
  const ajv = newAjv();
  for (const [component, schema] of Object.entries<Json>(kind === 'response' ? closed(schemas) : schemas))
    ajv.addSchema(schema, `#/components/schemas/${component}`);
  ajvs.set(name, ajv);
  return ajv;
}

/** Returns an Ajv instance configured for OpenAPI 3.1. */
export function newAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ allowUnionTypes: true, strictRequired: false, strictTypes: false, ...options });
  formats.default(ajv);
  for (const keyword of ['components', 'discriminator']) ajv.addKeyword(keyword);
  return ajv;
}

/** Closes the response schemas to reject undocumented fields. The document leaves objects open for future fields. */
function closed(schemas: Record<string, Json>): Record<string, Json> {
  const close = ([name, schema]: [string, Json]): [string, Json] => [
    name,
    schema.type === 'object' && schema.properties ? { ...schema, additionalProperties: false } : schema,
  ];
  return Object.fromEntries(Object.entries(schemas).map(close));
}

function documentOf(mode: Mode): Json {
  const document = documents.get(mode) ?? openApiDocument({ mode, publicUrl: 'http://localhost', version: '0' });
  documents.set(mode, document);
  return document;
}

/** Records a response for `npm test`, which checks at the end that every documented response occurred. */
function record(mode: Mode, operationId: string, status: number): void {
  const folder = process.env['OPENAPI_RESPONSES'];
  const response = `${operationId} ${status}`;
  if (!folder || exercised.has(response)) return;
  exercised.add(response);
  appendFileSync(join(folder, `${process.pid}.txt`), `${mode} ${response}\n`);
}

/** Converts input that the service also accepts to the form that the document describes (server/decisions/0016-openapi.md). */
export function normalizeInput(sent: unknown, field = ''): unknown {
  if (CONTACTS.has(field) && isBlankContact(sent)) return null;
  if (AMOUNTS.has(field) && typeof sent === 'number') return wholeCents(sent);
  if ((field === 'trackingNumber' || field === 'carrierName') && Number.isSafeInteger(sent) && (sent as number) > 0)
    return String(sent);
  if (Array.isArray(sent)) return sent.map((entry) => normalizeInput(field === 'lineItems' ? withSku(entry) : entry));
  if (typeof sent !== 'object' || sent === null) return sent;
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, normalizeInput(value, name)]));
}

const CONTACTS = new Set(['shippingContact', 'billingContact']);
const AMOUNTS = new Set(['amount', 'cost', 'customTotal', 'price', 'tax']);

/** Returns true for `false`, or for a contact without a name, an address and a city. */
function isBlankContact(sent: unknown): boolean {
  if (sent === false) return true;
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return false;
  const { fullName, firstName, lastName, address, city } = sent as Record<string, unknown>;
  const isBlank = (value: unknown) => value === undefined || value === null || (typeof value === 'string' && /^\s*$/.test(value));
  return [fullName, firstName, lastName, address, city].every(isBlank);
}

function wholeCents(amount: number): number {
  const nearest = Math.round(amount);
  return nearest !== 0 && Math.abs(amount - nearest) < 0.0001 ? nearest : amount;
}

/** Returns a line item as parsed, with the sku of its product. */
function withSku(entry: unknown): unknown {
  const { sku, product } = (entry ?? {}) as { sku?: unknown; product?: { sku?: unknown } | null };
  const isMissing = sku === undefined || sku === null;
  return isMissing && typeof product?.sku === 'string' ? { ...(entry as object), sku: product.sku } : entry;
}

/** Parsed JSON without a declared type. */
export type Json = any;
