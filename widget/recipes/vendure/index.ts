import { CallbackError, verifyCallback } from '@fairterm/client';
import { BadRequestException, Body, Controller, Headers, HttpCode, NotFoundException, Post } from '@nestjs/common';
import { Mutation, Resolver } from '@nestjs/graphql';
import { Allow, Ctx, Permission, PluginCommonModule, RequestContext, type Type, VendurePlugin } from '@vendure/core';
import { raw } from 'express';
import { parse } from 'graphql';
import { Checkout } from './checkout.ts';
import { cancelingOrderProcess, fairtermHandler } from './handler.ts';
import { CALLBACK_ROUTE, configure, options, type PluginOptions } from './service.ts';

export type { PluginOptions } from './service.ts';

@Resolver()
class CheckoutResolver {
  constructor(private readonly checkout: Checkout) {}

  @Mutation()
  @Allow(Permission.Owner)
  startFairtermCheckout(@Ctx() ctx: RequestContext): Promise<string> {
    return this.checkout.start(ctx);
  }
}

/** Receives callbacks. The service repeats a callback for three days until the response is 2xx. */
@Controller(CALLBACK_ROUTE)
class CallbackController {
  constructor(private readonly checkout: Checkout) {}

  @Post()
  @HttpCode(204)
  async confirmOrder(@Ctx() ctx: RequestContext, @Body() body: Uint8Array, @Headers() headers: Record<string, string>) {
    const { orderRef } = await verifyCallback({ body, headers, secrets: options.callbackSecrets }).catch((error: unknown) => {
      throw error instanceof CallbackError ? new BadRequestException(error.message) : error;
    });
    if (!(await this.checkout.confirm(ctx, orderRef))) throw new NotFoundException('Order not found');
  }
}

/** Financing at checkout. */
@VendurePlugin({
  compatibility: '^3.7.0',
  imports: [PluginCommonModule],
  controllers: [CallbackController],
  providers: [Checkout],
  shopApiExtensions: {
    resolvers: [CheckoutResolver],
    schema: parse('extend type Mutation { startFairtermCheckout: String! }'),
  },
  configuration: (config) => {
    config.paymentOptions.paymentMethodHandlers.push(fairtermHandler);
    config.orderOptions.process.push(cancelingOrderProcess);
    // The signature of a callback is that of the bytes. Vendure's own parsers would consume them.
    config.apiOptions.middleware.push({ route: `/${CALLBACK_ROUTE}`, handler: raw({ type: () => true }), beforeListen: true });
    return config;
  },
})
// oxlint-disable-next-line typescript/no-extraneous-class -- a plug-in of Vendure is a class
export class FairtermPlugin {
  /** @throws TypeError | RangeError if an option is missing or invalid. */
  static init(given: PluginOptions): Type<FairtermPlugin> {
    configure(given);
    return FairtermPlugin;
  }
}
