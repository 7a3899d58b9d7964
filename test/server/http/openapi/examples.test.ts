import { queryOf } from './query-of.ts';
import { beforeAll, expect, test } from 'vitest';
import type { Operation } from '../../../../server/http/openapi/operation.ts';
import { parameters } from '../../../../server/http/openapi/parameters.ts';
import { operationsIn } from '../../../../server/http/openapi/document.ts';
import {
  type ApiResponse,
  fetchResponse,
  listApplications,
  startService,
  type TestMerchant,
  type TestService,
} from '../../../support/service.ts';

const operations = operationsIn('sandbox');

let service: TestService;
let merchant: TestMerchant;
const ids: Record<string, string> = {};

beforeAll(async () => {
  service = await startService();
  merchant = await service.createMerchant();
});

/** All request examples. Each one depends only on earlier ones. */
const steps: [operation: string, example?: string][] = [
  ['asLowAs', 'sofa'],
  ['createCart', 'customTotal'],
  ['createCart', 'items'],
  ['getCart'],
  ['emailCart', 'buyer'],
  ['textCart', 'buyer'],
  ['listMessages'],
  ['runCheckout', 'approved'],
  ['listCarts'],
  ['getTransaction'],
  ['setOrderId', 'order'],
  ['actOnTransaction', 'authorize'],
  ['actOnTransaction', 'cancelLines'],
  ['listAdjustments'],
  ['listTransactions'],
  ['actOnTransaction', 'settle'],
  ['setShipment', 'carrier'],
  ['listEvents'],
  ['getEvent'],
  ['createWebhook', 'refunds'],
  ['listWebhooks'],
  ['getWebhook'],
  ['testWebhook'],
  ['replayEvent', 'event'],
  ['listDeliveries'],
  ['rotateWebhookSecret'],
  ['enableWebhook'],
  ['deleteWebhook'],
  ['authorizeService', 'pair'],
  ['getToken', 'pair'],
  ['getAuthorizationServer'],
  ['getSigningKeys'],
  ['listApplications'],
  ['getApplication'],
  ['settle'],
  ['listSettlements'],
  ['getSettlement'],
  ['actOnTransaction', 'refundAmount'],
  ['actOnTransaction', 'refundAll'],
  ['expireCart'],
  ['openCart', 'chair'],
  ['getPrograms'],
  ['getWidgetManifest'],
  ['getOpenApi'],
  ['getProgramSchema'],
  ['isAlive'],
  ['isReady'],
  ['moveClock', 'later'],
];
const availableSteps = steps.filter(([id]) => operations.some((operation) => operation.id === id));

/** Requests whose response is an example in the document. */
const withResponse = new Set([
  'createCart items',
  'getCart',
  'openCart chair',
  'actOnTransaction authorize',
  'asLowAs sofa',
  'isAlive',
  'isReady',
  'runCheckout approved',
  'listApplications',
]);

test.each(availableSteps)('The example %s %s works as documented', async (id, example) => {
  const operation = operations.find((candidate) => candidate.id === id)!;
  const response = await send(operation, example);
  expect(response).toSatisfy(({ status }: ApiResponse) => status < 300);
  if (id === 'createCart') ids['cartId'] = response.body.id;
  if (id === 'listEvents') ids['eventId'] = response.body.events[0].id;
  if (id === 'createWebhook') ids['webhookId'] = response.body.id;
  if (id === 'authorizeService') ids['token'] = response.body.token;
  if (id === 'settle') ids['settlementId'] = response.body.settlements[0].id;
  if (id === 'listApplications') ids['applicationId'] = response.body.applications[0].id;
  if (id === 'runCheckout') ids['transactionId'] = response.body.transactionId;
  if (withResponse.has([id, example].filter(Boolean).join(' ')))
    expect(maskVariableValues(response.body)).toEqual(maskVariableValues(operation.responses[200]!.example));
});

test('Every request example is tested', () => {
  const named = operations.flatMap(({ id, request }) =>
    request ? Object.keys(request.examples).map((name) => `${id} ${name}`) : [id],
  );
  expect(availableSteps.map((step) => step.join(' ')).sort()).toEqual(named.sort());
});

function send(operation: Operation, example: string | undefined): Promise<ApiResponse> {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
  const query = queryOf(operation, merchant.apiKey);
  const body = example && {
    ...(operation.request!.examples[example]!.value as object),
    ...(operation.id === 'runCheckout' && { cartId: ids['cartId'] }),
    ...(operation.id === 'replayEvent' && { eventId: ids['eventId'] }),
    ...(operation.id === 'openCart' && { key: merchant.apiKey }),
    ...(operation.id === 'authorizeService' && { apiKey: merchant.apiKey, secret: merchant.secret }),
    ...(operation.id === 'getToken' && { client_id: merchant.apiKey, client_secret: merchant.secret }),
  };
  if (operation.auth === 'bearer-token') return listApplications(service.publicUrl, ids['token']!, query.slice(1));
  const method = operation.method.toUpperCase();
  const isForm = operation.request?.contentType === 'application/x-www-form-urlencoded';
  const headers = operation.parameters?.includes('origin') ? { origin: parameters.origin.example } : {};
  const init: RequestInit = body ? { body: isForm ? new URLSearchParams(body) : JSON.stringify(body), headers } : {};
  // The body contains the key pair.
  if (operation.auth === 'token-client') return fetchResponse(service.publicUrl + path, { method, ...init });
  return merchant.call(method, path + query, init);
}

/** Replaces ids, hashes, links, timestamps and dates, which differ in each run. */
function maskVariableValues(body: unknown): unknown {
  const text = JSON.stringify(body)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'an id')
    .replaceAll(/"[0-9a-f]{64}"/g, '"a hash"')
    .replaceAll(/http:[^"]+\/c\/[\w-]+/g, 'a link')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'a timestamp')
    .replaceAll(/"\d{4}-\d{2}-\d{2}"/g, '"a date"');
  return JSON.parse(text);
}
