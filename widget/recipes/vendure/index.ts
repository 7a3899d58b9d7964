import { PluginCommonModule, type Type, VendurePlugin } from '@vendure/core';
import { raw } from 'express';
import { parse } from 'graphql';
import { CALLBACK_ROUTE, Checkout } from './checkout.ts';
import { cancelingOrderProcess, configure, fairtermHandler, type PluginOptions } from './handler.ts';

export type { PluginOptions } from './handler.ts';

/** Financing at checkout. */
@VendurePlugin({
  compatibility: '^3.7.0',
  imports: [PluginCommonModule],
  controllers: [Checkout],
  shopApiExtensions: {
    resolvers: [Checkout],
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
