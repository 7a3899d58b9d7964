import { Cart, CreateCartRequest } from '../../../shared/wire/cart.ts';
import { EmailCartRequest, SharedCart, TextCartRequest } from '../../../shared/wire/sharing.ts';
import { cartAnswer, cartOfChairs, cartOfOnePrice } from '../examples/carts.ts';
import type { Operation } from './operation.ts';

const tag = 'Carts';
const caller = 'merchant';

export const cartOperations: readonly Operation[] = [
  {
    id: 'createCart',
    method: 'post',
    path: '/carts',
    tag,
    summary: 'Create a cart',
    description: 'Send the buyer to the `url` of the answer.',
    caller,
    request: {
      body: CreateCartRequest,
      examples: {
        items: { summary: 'Priced by its articles', value: cartOfChairs },
        customTotal: { summary: 'Priced as a whole', value: cartOfOnePrice },
      },
    },
    answers: { 200: { description: 'The cart.', body: Cart, example: cartAnswer } },
    refusals: ['program-not-found', 'changed-meanwhile'],
  },
  {
    id: 'getCart',
    method: 'get',
    path: '/carts/{cartId}',
    tag,
    summary: 'Retrieve a cart',
    caller,
    parameters: ['cartId'],
    answers: { 200: { description: 'The cart.', body: Cart, example: cartAnswer } },
    refusals: ['cart-not-found'],
  },
  {
    id: 'expireCart',
    method: 'post',
    path: '/carts/{cartId}/expire',
    tag,
    summary: 'Expire a cart',
    description:
      'Its link shows a message from then on. A cart that has expired, or whose checkout is complete, stays as it is. A body is not read.',
    caller,
    ignoresBody: true,
    parameters: ['cartId'],
    answers: { 204: { description: 'It has expired.' } },
    refusals: ['cart-not-found', 'changed-meanwhile'],
  },
  {
    id: 'emailCart',
    method: 'post',
    path: '/carts/{cartId}/email',
    tag,
    summary: "E-mail a cart's link",
    description: 'The letter leaves after the answer. The sandbox keeps it instead: read it with `listMessages`.',
    caller,
    parameters: ['cartId'],
    request: {
      body: EmailCartRequest,
      examples: { buyer: { summary: 'To a buyer', value: { email: 'ada@example.com', name: 'Ada Lovelace' } } },
    },
    answers: { 200: { description: 'It was taken.', body: SharedCart } },
    refusals: ['cart-not-found', 'cart-closed', 'not-configured', 'changed-meanwhile'],
  },
  {
    id: 'textCart',
    method: 'post',
    path: '/carts/{cartId}/text',
    tag,
    summary: "Text a cart's link",
    description: 'The text leaves after the answer. The sandbox keeps it instead: read it with `listMessages`.',
    caller,
    parameters: ['cartId'],
    request: { body: TextCartRequest, examples: { buyer: { summary: 'To a buyer', value: { phone: '555-010-0100' } } } },
    answers: { 200: { description: 'It was taken.', body: SharedCart } },
    refusals: ['cart-not-found', 'cart-closed', 'not-configured', 'changed-meanwhile'],
  },
];
