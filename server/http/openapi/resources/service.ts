import { ErrorBody } from '../../../../shared/wire/errors.ts';
import { object, string } from 'superstruct';
import { cacheable, createResource, describing } from '../operation.ts';

/** Response of `GET /healthz` and `GET /readyz`. */
const Health = object({ status: string() });

const describe = describing({ ErrorBody, Health });

const schemas = [
  describe('ErrorBody', 'Error response of the merchant API.', {
    description: 'Message for developers: the path, the expected and the received value.',
    error: 'Always true. Only error responses have this field.',
    type: 'Always `INTERNAL_ERROR`.',
    code: 'Error code. Its meaning never changes. Absent if a transaction id is invalid.',
  }),
  describe('Health', 'Health of the service.', { status: 'Status of the service.' }),
];

const openApi = {
  type: 'object',
  required: ['openapi', 'info', 'paths'],
  properties: { openapi: { type: 'string', enum: ['3.1.0'] }, info: { type: 'object' }, paths: { type: 'object' } },
};

const programSchema = {
  type: 'object',
  required: ['$schema', 'properties'],
  properties: { $schema: { type: 'string' }, properties: { type: 'object' } },
};

/** Health and descriptions of the service in the OpenAPI document. They need no credentials. */
export const service = createResource('Service', 'none', schemas, {
  getOpenApi: {
    call: 'GET /openapi.json',
    summary: 'Retrieve the OpenAPI document',
    description: 'This document. `/docs` shows it as a page.',
    hasNoInternalError: true,
    parameters: ['ifNoneMatch'],
    responses: cacheable({ description: 'The OpenAPI 3.1 document.', body: { schema: openApi } }),
  },
  getProgramSchema: {
    call: 'GET /program.schema.json',
    summary: 'Retrieve the JSON Schema of programs',
    description: 'For editors and generators of financing programs.',
    hasNoInternalError: true,
    parameters: ['ifNoneMatch'],
    responses: cacheable({ description: 'The JSON Schema (2020-12).', body: { schema: programSchema } }),
  },
  isAlive: {
    call: 'GET /healthz',
    summary: 'Check liveness',
    description: 'Returns 200 while the process is running.',
    hasNoInternalError: true,
    returns: { description: 'The process is running.', body: Health, example: { status: 'alive' } },
  },
  isReady: {
    call: 'GET /readyz',
    summary: 'Check readiness',
    description: 'Returns 200 while the service can handle requests. For load balancers.',
    hasNoInternalError: true,
    returns: { description: 'The database is reachable and migrated.', body: Health, example: { status: 'ready' } },
    responses: {
      503: {
        description: 'The database is unreachable or not migrated, or writes fail.',
        body: Health,
        example: { status: 'the database cannot be reached or written, or is not migrated' },
      },
    },
  },
});
