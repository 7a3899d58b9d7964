/** Starts Vendure on `DATABASE_URL` and `PORT`, with a product of $1,299.00 in a new database. `PRECISION` is the number of decimals of its prices. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import vendure from '@vendure/core';
import { populate } from '@vendure/core/cli/index.js';
// Written by `shop.ts`.
import plugin from './node_modules/@fairterm/readme-plugin.mjs';

const { DATABASE_URL = '', PORT, PRECISION = 2 } = process.env;
const database = DATABASE_URL.startsWith('sqlite:')
  ? { type: 'better-sqlite3', database: DATABASE_URL.slice('sqlite:'.length) }
  : { type: 'postgres', url: DATABASE_URL };

const config = {
  apiOptions: { hostname: '127.0.0.1', port: Number(PORT), adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: { tokenMethod: 'bearer', superadminCredentials: { identifier: 'superadmin', password: 'superadmin' } },
  dbConnectionOptions: { ...database, synchronize: true },
  entityOptions: { moneyStrategy: Object.assign(new vendure.DefaultMoneyStrategy(), { precision: Number(PRECISION) }) },
  paymentOptions: { paymentMethodHandlers: [vendure.dummyPaymentHandler] },
  plugins: [plugin],
};

const initialData = {
  defaultLanguage: 'en',
  defaultZone: 'Americas',
  countries: [{ name: 'United States', code: 'US', zone: 'Americas' }],
  taxRates: [{ name: 'Standard tax', percentage: 0 }],
  shippingMethods: [{ name: 'Standard', price: 0 }],
  paymentMethods: [
    { name: 'financing', handler: { code: 'fairterm', arguments: [] } },
    { name: 'card', handler: { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'false' }] } },
  ],
  collections: [],
};

const products = `name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets
Chair,chair,,,,,,CHAIR,1299.00,standard,1000,false,,
`;

const folder = mkdtempSync(join(tmpdir(), 'fairterm-vendure-'));
const path = join(folder, 'products.csv');
writeFileSync(path, products);
await populate(() => vendure.bootstrap(config), initialData, path);
rmSync(folder, { recursive: true });
console.log('The shop is ready');
