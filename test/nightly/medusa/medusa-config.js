import { defineConfig } from '@medusajs/framework/utils';
// Written by `shop.ts`.
import payment from './node_modules/@fairterm/readme-module.js';

const { DATABASE_URL } = process.env;

export default defineConfig({
  projectConfig: {
    databaseUrl: DATABASE_URL,
    http: { storeCors: '*', adminCors: '*', authCors: '*', jwtSecret: 'jwt', cookieSecret: 'cookie' },
  },
  admin: { disable: true },
  // Medusa waits for five seconds before it processes a callback.
  modules: [{ ...payment, options: { ...payment.options, webhook_delay: 1 } }],
});
