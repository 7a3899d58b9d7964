/** Compares the types of the client with those of the wire format and of the service. Verified by the compiler (`npm run check`). */
import type { Infer } from 'superstruct';
import { describe, expectTypeOf, it } from 'vitest';
import type { OAuthErrorCode, PlatformErrorCode, ErrorCode } from '../../../server/base/errors.ts';
import type * as Client from '../../../shared/client/index.ts';
import type { KnownPlatformReason, KnownErrorCode } from '../../../shared/client/index.ts';
import type * as Application from '../../../shared/wire/application.ts';
import type { ApplicationQuery } from '../../../shared/wire/application.ts';
import type * as AsLowAs from '../../../shared/wire/as-low-as.ts';
import type * as Cart from '../../../shared/wire/cart.ts';
import type * as Sandbox from '../../../shared/wire/sandbox.ts';
import type * as Transaction from '../../../shared/wire/transaction.ts';

type Fairterm = Client.Fairterm;
type Carts = Fairterm['carts'];
type Transactions = Fairterm['transactions'];
type SandboxCalls = Fairterm['sandbox'];
type Action<Name> = Omit<Extract<Transaction.ActionRequest, { type: Name }>, 'type'>;

describe('The type of a request', () => {
  it('has every field of the wire format', () => {
    expectTypeOf<Cart.CreateCartRequest>().toExtend<Parameters<Carts['create']>[0]>();
    expectTypeOf<Cart.EmailCartRequest>().toExtend<Parameters<Carts['email']>[1]>();
    expectTypeOf<Cart.TextCartRequest>().toExtend<Parameters<Carts['text']>[1]>();
    expectTypeOf<AsLowAs.AsLowAsRequest>().toExtend<Parameters<Fairterm['asLowAs']>[0]>();
    expectTypeOf<Omit<Action<'authorize'>, 'amount'>>().toExtend<Client.AuthorizeRequest>();
    expectTypeOf<Transaction.OrderIdRequest>().toExtend<Parameters<Transactions['setOrderId']>[1]>();
    expectTypeOf<Transaction.ShipmentRequest>().toExtend<Parameters<Transactions['ship']>[1]>();
    expectTypeOf<Sandbox.CheckoutRequest>().toExtend<Parameters<SandboxCalls['checkout']>[0]>();
    expectTypeOf<Sandbox.ClockRequest>().toExtend<Parameters<SandboxCalls['clock']>[0]>();
  });

  it('accepts only the fields of the wire format', () => {
    expectTypeOf<keyof Client.CartOptions>().toEqualTypeOf<keyof Cart.CartOptions>();
    expectTypeOf<keyof Client.CreateCartRequest>().toEqualTypeOf<keyof Cart.CreateCartRequest>();
    expectTypeOf<keyof Client.CartItem>().toEqualTypeOf<keyof Cart.CartItem>();
    expectTypeOf<keyof Client.AuthorizeRequest>().toEqualTypeOf<keyof Action<'authorize'>>();
    expectTypeOf<keyof Client.AdjustmentRequest>().toEqualTypeOf<keyof Action<'cancel'>>();
    expectTypeOf<keyof Client.CheckoutRequest>().toEqualTypeOf<keyof Sandbox.CheckoutRequest>();
  });

  it('requires all fields that are not optional', () => {
    expectTypeOf<{ options: { customTotal: number } }>().toExtend<Client.CreateCartRequest>();
    expectTypeOf<object>().not.toExtend<Client.CreateCartRequest>();
    expectTypeOf<{ cartId: string }>().toExtend<Client.CheckoutRequest>();
    expectTypeOf<object>().not.toExtend<Client.CheckoutRequest>();
    expectTypeOf<{ email: string }>().not.toExtend<Client.EmailCartRequest>();
    expectTypeOf<{ sku: string; price: number; quantity: number }>().not.toExtend<Client.CartItem>();
    expectTypeOf<{ cartId: string; outcome: 'maybe' }>().not.toExtend<Client.CheckoutRequest>();
    expectTypeOf<{ customTotal: string }>().not.toExtend<Client.CartOptions>();
  });

  it('allows readonly lists and objects', () => {
    expectTypeOf<{ readonly customTotal: 1; readonly discounts: readonly [] }>().toExtend<Client.CartOptions>();
    expectTypeOf<Readonly<Transaction.LineCount>[]>().toExtend<NonNullable<Client.AdjustmentRequest['lineItems']>>();
  });

  it('rejects an undefined amount', () => {
    expectTypeOf<{ amount: undefined }>().not.toExtend<Client.AdjustmentRequest>();
    expectTypeOf<{ lineItems: undefined }>().not.toExtend<Client.AdjustmentRequest>();
    expectTypeOf<{ amount: number }>().toExtend<Client.AdjustmentRequest>();
    expectTypeOf<{ amount: undefined }>().not.toExtend<Client.AuthorizeRequest>();
    expectTypeOf<{ amount: number }>().toExtend<Client.AuthorizeRequest>();
  });
});

describe('The filters of the platform client', () => {
  type Filters = Client.ApplicationFilters;

  it('are exactly those of the wire format', () => {
    type PageParameter = 'sort' | 'limit' | 'offset' | 'lastTimestamp.eq' | 'lastID.eq';
    expectTypeOf<keyof Filters>().toEqualTypeOf<Exclude<keyof ApplicationQuery, PageParameter>>();
    expectTypeOf<Client.ApplicationSort>().toEqualTypeOf<ApplicationQuery['sort']>();
    expectTypeOf<keyof Client.Keyset | 'lastTimestamp' | 'lastID'>().toEqualTypeOf<keyof Client.Keyset>();
  });

  it('have the types of the parsed values', () => {
    expectTypeOf<Filters['showExpired.eq']>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<Filters['statusCode.ne']>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<Filters['status.eq']>().toEqualTypeOf<Application.ApplicationStatus | undefined>();
    expectTypeOf<{ 'status.eq': 'PAID' }>().not.toExtend<Filters>();
    expectTypeOf<{ 'showExpired.eq': 'true' }>().not.toExtend<Filters>();
  });

  it('must be absent rather than undefined', () => {
    expectTypeOf<{ 'merchantID.eq': undefined }>().not.toExtend<Filters>();
    expectTypeOf<{ 'merchantID.eq': string }>().toExtend<Filters>();
  });

  it('are listed completely only in sort orders that skip no application changed in the meantime', () => {
    expectTypeOf<'updatedAt.asc'>().toExtend<Client.AllOptions['sort']>();
    expectTypeOf<'updatedAt.desc'>().not.toExtend<Client.AllOptions['sort']>();
    expectTypeOf<'updatedAt.desc'>().toExtend<Client.ListOptions['sort']>();
  });

  it('are sent by a client that requires a token or a key pair', () => {
    const service = { serviceUrl: 'https://financing.example' };
    expectTypeOf({ ...service, token: 't' }).toExtend<Client.FairtermPlatformOptions>();
    expectTypeOf({ ...service, token: () => Promise.resolve('t') }).toExtend<Client.FairtermPlatformOptions>();
    expectTypeOf({ ...service, apiKey: 'k', secret: 's' }).toExtend<Client.FairtermPlatformOptions>();
    expectTypeOf({ ...service, token: 't', apiKey: 'k', secret: 's' }).not.toExtend<Client.FairtermPlatformOptions>();
    expectTypeOf({ ...service, apiKey: 'k' }).not.toExtend<Client.FairtermPlatformOptions>();
    expectTypeOf(service).not.toExtend<Client.FairtermPlatformOptions>();
  });
});

describe('The type of a response', () => {
  it('is that of the wire format', () => {
    expectTypeOf<ReturnType<Carts['create']>>().toEqualTypeOf<Promise<Cart.Cart>>();
    expectTypeOf<ReturnType<Carts['retrieve']>>().toEqualTypeOf<Promise<Cart.Cart>>();
    expectTypeOf<ReturnType<Carts['expire']>>().toEqualTypeOf<Promise<void>>();
    expectTypeOf<ReturnType<Carts['email']>>().toEqualTypeOf<Promise<Cart.SharedCart>>();
    expectTypeOf<ReturnType<Carts['text']>>().toEqualTypeOf<Promise<Cart.SharedCart>>();
    expectTypeOf<ReturnType<Transactions[Exclude<keyof Transactions, 'list' | 'adjustments'>]>>().toEqualTypeOf<
      Promise<Transaction.Transaction>
    >();
    expectTypeOf<ReturnType<Transactions['list']>>().toExtend<AsyncIterable<Transaction.Transaction>>();
    expectTypeOf<ReturnType<Transactions['adjustments']>>().toEqualTypeOf<Promise<Transaction.Adjustment[]>>();
    expectTypeOf<ReturnType<Carts['list']>>().toExtend<AsyncIterable<Cart.Cart>>();
    expectTypeOf<ReturnType<Fairterm['asLowAs']>>().toEqualTypeOf<Promise<AsLowAs.AsLowAsResponse>>();
    expectTypeOf<ReturnType<SandboxCalls['checkout']>>().toEqualTypeOf<Promise<Sandbox.CheckoutResponse>>();
    expectTypeOf<ReturnType<SandboxCalls['clock']>>().toEqualTypeOf<Promise<Sandbox.ClockResponse>>();
    expectTypeOf<ReturnType<SandboxCalls['messages']>>().toEqualTypeOf<Promise<Sandbox.MessagesResponse>>();
    expectTypeOf<Infer<typeof Transaction.Transaction>>().not.toBeAny();
  });

  it('is that of the wire format for applications', () => {
    type Applications = Client.FairtermPlatform['applications'];
    expectTypeOf<Awaited<ReturnType<Applications['list']>>['applications']>().toEqualTypeOf<Application.Application[]>();
    expectTypeOf<ReturnType<Applications['all']>>().toExtend<AsyncIterable<Application.Application>>();
    expectTypeOf<Infer<typeof Application.Application>>().not.toBeAny();
  });

  it('has every reason of the platform API, and accepts future ones', () => {
    type UpperSnakeCase<Code extends string> = Code extends `${infer Head}-${infer Rest}`
      ? `${Uppercase<Head>}_${UpperSnakeCase<Rest>}`
      : Uppercase<Code>;
    type HttpCode = 'https-required' | 'unknown-path' | 'method-not-allowed';
    type BodyCode = 'invalid-request' | 'body-too-large' | 'unsupported-encoding';
    type ServiceCode = 'unauthenticated' | 'database-unavailable' | 'fault';
    type Documented = UpperSnakeCase<PlatformErrorCode | HttpCode | BodyCode | ServiceCode>;
    expectTypeOf<Documented>().toEqualTypeOf<KnownPlatformReason>();
    expectTypeOf<'FUTURE_REASON'>().toExtend<Client.PlatformReason>();
  });

  it('has every error code of the merchant API, and accepts future ones', () => {
    // The merchant API does not return these.
    type OtherCode = 'origin-not-registered' | 'rate-limited' | 'lender-unavailable' | PlatformErrorCode | OAuthErrorCode;
    type Returned = Exclude<ErrorCode, OtherCode>;
    // Internal errors have the code `fault`, which is not an ErrorCode.
    expectTypeOf<Returned | 'fault'>().toEqualTypeOf<KnownErrorCode>();
    expectTypeOf<'future-code'>().toExtend<Client.ErrorCode>();
    expectTypeOf<'future-code'>().not.toExtend<KnownErrorCode>();
  });
});
