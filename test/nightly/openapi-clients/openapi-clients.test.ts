/** Clients that popular generators create from the OpenAPI document. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { describe, expect, it } from 'vitest';
import { operationsIn } from '../../../server/http/openapi/document.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { startService } from '../../support/service.ts';

const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const service = await startService();
const merchant = await service.createMerchant();
const folder = await generateClients(`${service.publicUrl}/openapi.json`);

/** Generates both clients into a temporary project with the programs that use them. Returns its path. */
async function generateClients(documentUrl: string): Promise<string> {
  const project = mkdtempSync(join(tmpdir(), 'fairterm-openapi-'));
  onCleanup(() => rmSync(project, { recursive: true, force: true }));
  symlinkSync(resolvePath('../node_modules'), join(project, 'node_modules'));
  for (const program of ['openapi-fetch.ts', 'hey-api.ts']) cpSync(resolvePath(program), join(project, program));
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));

  writeFileSync(join(project, 'schema.ts'), astToString(await openapiTS(new URL(documentUrl))));
  await createClient({
    input: documentUrl,
    output: { path: join(project, 'sdk'), tsConfigPath: join(project, 'tsconfig.json') },
    plugins: ['@hey-api/client-fetch', '@hey-api/sdk', 'zod'],
    logs: { level: 'silent' },
  });
  return project;
}

/** Imports a generated module, or a program that uses one. */
const load = (path: string) => import(/* @vite-ignore */ join(folder, path));

it('Generated clients, and programs that use them, compile in strict TypeScript', async () => {
  const compiler = resolvePath('../../../node_modules/typescript/bin/tsc');
  const compilation = promisify(execFile)(process.execPath, [compiler, '-p', folder]);
  const { stdout } = await compilation.catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});

describe('A client of openapi-typescript and openapi-fetch', () => {
  const authorization = () => `Basic ${btoa(`${merchant.apiKey}:${merchant.secret}`)}`;

  it('makes a purchase and refunds a part of it', async () => {
    const { purchase } = await load('openapi-fetch.ts');
    const transaction = await purchase(service.publicUrl, authorization());
    expect(transaction).toMatchObject({ status: 'SETTLED', adjustedTotal: 127_400, merchantOrderId: 'ORDER-1' });
  });

  it('returns the error code of a rejected request', async () => {
    const { rejectedCode } = await load('openapi-fetch.ts');
    expect(await rejectedCode(service.publicUrl, authorization())).toBe('invalid-request');
  });
});

describe('A client of @hey-api/openapi-ts', () => {
  it('makes a purchase, requests a token and lists the application', async () => {
    const { purchase } = await load('hey-api.ts');
    const owner = await service.createMerchant();
    const { applications } = await purchase(service.publicUrl, owner);
    expect(applications).toMatchObject([{ merchantID: owner.merchantId, order: { totalPrice: { value: 129_900 } } }]);
  });
});

describe('The zod schemas of @hey-api/openapi-ts', () => {
  const pascal = (name: string) => name[0]!.toUpperCase() + name.slice(1);
  const operations = operationsIn('sandbox');

  it.each(operations.filter(({ request }) => request))('accept the request examples of $id', async ({ id, request }) => {
    const schema = (await load('sdk/zod.gen.ts'))[`z${pascal(id)}Data`].shape.body;
    for (const { value } of Object.values(request!.examples)) expect(schema.parse(value)).toMatchObject(value as object);
  });

  const withExample = operations.filter(({ responses }) => responses[200]?.example !== undefined);
  it.each(withExample)('accept the response example of $id', async ({ id, responses }) => {
    const schema = (await load('sdk/zod.gen.ts'))[`z${pascal(id)}Response`];
    const { example } = responses[200]!;
    expect(schema.parse(example)).toEqual(example);
  });

  it('accept the example query of listApplications', async () => {
    const { query } = operations.find(({ id }) => id === 'listApplications')!;
    const { zListApplicationsData } = await load('sdk/zod.gen.ts');
    expect(zListApplicationsData.parse({ query: query!.example }).query).toMatchObject(query!.example);
  });

  it('reject a string as an amount', async () => {
    const { zCreateCartRequest } = await load('sdk/zod.gen.ts');
    expect(zCreateCartRequest.safeParse({ options: { customTotal: '1299.00' } }).success).toBe(false);
  });
});
