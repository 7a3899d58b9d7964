import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { FairtermPaymentProvider } from './provider.ts';

/** The `resolve` of a provider of Medusa's payment module. */
export default ModuleProvider(Modules.PAYMENT, { services: [FairtermPaymentProvider] });
