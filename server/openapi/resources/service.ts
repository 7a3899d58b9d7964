import { object, string } from 'superstruct';
import { type NamedSchema, objectSchema, type Operation, type Resource } from '../operation.ts';
import { ErrorBody } from '../../../shared/wire/errors.ts';

/** Response of `GET /healthz` and `GET /readyz`. */
const Health = object({ status: string() });

const schemas: readonly NamedSchema[] = [
  objectSchema(ErrorBody, 'ErrorBody', 'Error response of the merchant API.', {
    description: 'For an engineer: the path, what was expected, what was received.',
    error: 'Always true. No other response has this field.',
    type: 'Always the same.',
    code: 'Error code; its meaning never changes. Absent if a transaction id is invalid.',
  }),
  objectSchema(Health, 'Health', 'Health of the service.', { status: 'Status in a few words.' }),
];

const openApi = {
  type: 'object',
  required: ['openapi', 'info', 'paths'],
  properties: { openapi: { const: '3.1.0' }, info: { type: 'object' }, paths: { type: 'object' } },
};

const operations: readonly Operation[] = [
  {
    id: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    tag: 'Service',
    summary: 'OpenAPI document',
    description: 'The same as a page is at `/docs`.',
    caller: 'anyone',
    standsAlone: true,
    parameters: ['ifNoneMatch'],
    answers: {
      200: {
        description: 'OpenAPI 3.1.',
        body: { schema: openApi },
        headers: ['etag', 'cache-control'],
      },
      304: { description: 'Not modified.', headers: ['etag', 'cache-control'] },
    },
    refusals: [],
  },
  {
    id: 'isAlive',
    method: 'get',
    path: '/healthz',
    tag: 'Service',
    summary: 'Liveness check',
    caller: 'anyone',
    standsAlone: true,
    answers: { 200: { description: 'The process is running.', body: Health, example: { status: 'alive' } } },
    refusals: [],
  },
  {
    id: 'isReady',
    method: 'get',
    path: '/readyz',
    tag: 'Service',
    summary: 'Readiness check',
    caller: 'anyone',
    standsAlone: true,
    answers: {
      200: { description: 'The database is reachable and migrated.', body: Health, example: { status: 'ready' } },
      503: {
        description: 'The database is unreachable or not migrated.',
        body: Health,
        example: { status: 'the database is out of reach or not migrated' },
      },
    },
    refusals: [],
  },
];

export const service: Resource = { operations, schemas };
