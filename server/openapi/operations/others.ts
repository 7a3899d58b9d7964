import { AsLowAsRequest, AsLowAsResponse } from '../../../shared/wire/as-low-as.ts';
import { Health } from '../../../shared/wire/health.ts';
import { ProgramDocument } from '../../../shared/wire/program-document.ts';
import {
  CheckoutRequest,
  CheckoutResponse,
  ClockRequest,
  ClockResponse,
  MessagesResponse,
} from '../../../shared/wire/sandbox.ts';
import { WidgetManifest } from '../../../shared/wire/widget-manifest.ts';
import { asLowAsAnswer } from '../examples/as-low-as.ts';
import { exampleIds } from '../examples/carts.ts';
import { widgetManifest } from '../examples/widget-manifest.ts';
import type { Operation } from './operation.ts';

const openApi = {
  type: 'object',
  required: ['openapi', 'info', 'paths'],
  properties: { openapi: { const: '3.1.0' }, info: { type: 'object' }, paths: { type: 'object' } },
};

export const asLowAsOperations: readonly Operation[] = [
  {
    id: 'asLowAs',
    method: 'post',
    path: '/aslowas',
    tag: 'As low as',
    summary: 'Work out the lowest monthly price',
    description: 'Outside every offer `monthly` is 0, and `asLowAsText` says from and to what amount financing is offered.',
    caller: 'merchant',
    parameters: ['acceptLanguage'],
    request: { body: AsLowAsRequest, examples: { sofa: { summary: '$740.00', value: { customTotal: 74_000 } } } },
    answers: { 200: { description: 'The price.', body: AsLowAsResponse, headers: ['content-language'], example: asLowAsAnswer } },
    refusals: ['program-not-found'],
  },
];

export const sandboxOperations: readonly Operation[] = [
  {
    id: 'runCheckout',
    method: 'post',
    path: '/sandbox/checkouts',
    tag: 'Sandbox',
    summary: 'Let a test buyer check out',
    description:
      'The same checkout a buyer goes through, with a test buyer. A checkout that is complete answers with its transaction.',
    caller: 'merchant',
    sandboxOnly: true,
    request: {
      body: CheckoutRequest,
      examples: { approved: { summary: 'An approved buyer', value: { cartId: exampleIds.cart } } },
    },
    answers: {
      200: { description: 'The purchase.', body: CheckoutResponse, example: { transactionId: exampleIds.transaction } },
    },
    refusals: ['cart-not-found', 'cart-closed', 'not-approved', 'changed-meanwhile'],
  },
  {
    id: 'moveClock',
    method: 'post',
    path: '/sandbox/clock',
    tag: 'Sandbox',
    summary: 'Move the clock',
    description: "Moves the clock of the whole sandbox, so that expiry can be tested. It is everybody's clock.",
    caller: 'merchant',
    sandboxOnly: true,
    request: { body: ClockRequest, examples: { later: { summary: 'Years from here', value: { now: '2030-01-01T00:00:00Z' } } } },
    answers: { 200: { description: 'The moment it is.', body: ClockResponse } },
    refusals: [],
  },
  {
    id: 'listMessages',
    method: 'get',
    path: '/sandbox/messages',
    tag: 'Sandbox',
    summary: 'List what was not sent',
    description: 'The e-mails and texts of your carts, which the sandbox keeps instead of sending them.',
    caller: 'merchant',
    sandboxOnly: true,
    answers: { 200: { description: 'The messages.', body: MessagesResponse } },
    refusals: [],
  },
];

export const serviceOperations: readonly Operation[] = [
  {
    id: 'getPrograms',
    method: 'get',
    path: '/storefront/programs',
    tag: 'Service',
    summary: 'Financing programs, for pages',
    description: 'What `<financing-button>` asks for once, to quote every amount of a page by itself.',
    caller: 'anyone',
    parameters: ['key', 'ifNoneMatch'],
    answers: {
      200: {
        description: 'The programs that are sold today.',
        body: ProgramDocument,
        headers: ['etag', 'cache-control', 'access-control-allow-origin'],
      },
      304: { description: 'What you have is current.', headers: ['etag', 'cache-control', 'access-control-allow-origin'] },
    },
    refusals: ['unauthenticated', 'origin-not-registered', 'rate-limited'],
  },
  {
    id: 'getWidgetManifest',
    method: 'get',
    path: '/widget/manifest.json',
    tag: 'Service',
    summary: 'Releases of the widget',
    description:
      'Where each file of each release is, for good, and the hash that a page names in `integrity`. `/widget/v1/` has the files of `current`.',
    caller: 'anyone',
    parameters: ['ifNoneMatch'],
    answers: {
      200: {
        description: 'The latest release first.',
        body: WidgetManifest,
        headers: ['etag', 'cache-control'],
        example: widgetManifest,
      },
      304: { description: 'What you have is current.', headers: ['etag', 'cache-control'] },
    },
    refusals: [],
  },
  {
    id: 'getFragment',
    method: 'get',
    path: '/widget/v1/fragment',
    tag: 'Service',
    summary: 'A button with its estimate',
    description:
      'The markup of a `<financing-button>` that is readable before its script runs, and without one. Your server writes it into a page.',
    caller: 'anyone',
    parameters: ['key', 'amount', 'program', 'cartUrl', 'lang', 'show', 'mode', 'theme', 'label', 'ifNoneMatch'],
    answers: {
      200: {
        description: 'The element, with a declarative shadow root.',
        type: 'text/html',
        body: { schema: { type: 'string' } },
        headers: ['etag', 'cache-control', 'access-control-allow-origin'],
      },
      304: { description: 'What you have is current.', headers: ['etag', 'cache-control', 'access-control-allow-origin'] },
    },
    refusals: ['invalid-request', 'unauthenticated', 'origin-not-registered', 'program-not-found', 'rate-limited'],
  },
  {
    id: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    tag: 'Service',
    summary: 'This document',
    description: 'For people, the same is at `/docs`.',
    caller: 'anyone',
    standsAlone: true,
    parameters: ['ifNoneMatch'],
    answers: {
      200: {
        description: 'OpenAPI 3.1.',
        body: { schema: openApi },
        headers: ['etag', 'cache-control'],
      },
      304: { description: 'What you have is current.', headers: ['etag', 'cache-control'] },
    },
    refusals: [],
  },
  {
    id: 'isAlive',
    method: 'get',
    path: '/healthz',
    tag: 'Service',
    summary: 'Whether it lives',
    caller: 'anyone',
    standsAlone: true,
    answers: { 200: { description: 'It lives.', body: Health, example: { status: 'alive' } } },
    refusals: [],
  },
  {
    id: 'isReady',
    method: 'get',
    path: '/readyz',
    tag: 'Service',
    summary: 'Whether it can do its work',
    caller: 'anyone',
    standsAlone: true,
    answers: {
      200: { description: 'Its database is there and migrated.', body: Health, example: { status: 'ready' } },
      503: { description: 'It is not.', body: Health, example: { status: 'the database is out of reach or not migrated' } },
    },
    refusals: [],
  },
];
