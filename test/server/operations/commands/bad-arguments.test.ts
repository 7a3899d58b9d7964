/** Command lines that are rejected: with 1 and one line that names the argument, or with 2 and the usage of the command. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createMigratedDatabaseUrl } from '../../../support/databases.ts';
import { fairterm } from './fairterm.ts';

/** The named argument, and a command line with placeholders. `''` is an empty argument. */
type Rejected = [named: string, line: string];

const ID = '01990000-0000-7000-8000-00000000000a';
const update = 'merchant update --merchant MERCHANT';
const mint = 'token mint --tenant TENANT';
const addUser = 'user add --email ada@acme.example';
const show = 'program show standard --merchant MERCHANT';

const lists = ['deliveries list', 'lender-events list', 'notice list', 'exception list', 'settlements list', 'security-events'];

/** Rejected with 1. */
const invalid: Rejected[] = [
  ...lists.map((line): Rejected => ['merchant', `${line} --merchant unknown`]),
  ...[...lists, 'lender-calls list'].flatMap((line): Rejected[] => [
    ['--since', `${line} --since yesterday`],
    ['--limit', `${line} --limit 0`],
  ]),
  ['merchant', 'callback-secret list --merchant unknown'],
  ['--state', 'deliveries list --state unknown'],
  ['delivery', 'deliveries show unknown'],
  ['delivery', 'deliveries replay unknown'],
  ['merchant', 'deliveries replay --failed --merchant unknown'],
  ['merchant', 'key rotate --merchant unknown'],
  ['merchant', 'key list --merchant unknown'],
  ['API key', 'key retire --api-key ft_nobody'],
  ['store-url', 'merchant create --name A --store-url shop'],
  ['origin', 'merchant create --name A --store-url https://shop.example --origin https://a:b@shop.example'],
  ['name', `merchant create --name ${'A'.repeat(201)} --store-url https://shop.example`],
  ['tenant', 'merchant create --name A --store-url https://shop.example --tenant unknown'],
  ['merchant', 'merchant show --merchant unknown'],
  ['merchant', 'merchant update --name A --merchant unknown'],
  ['add-callback', `${update} --add-callback /callback`],
  ['add-callback', `${update} --add-callback https://ada:x@shop.example/`],
  ['add-callback', `${update} --add-callback https://shop.example:25/`],
  ['remove-callback', `${update} --remove-callback https://shop.example/`],
  ['name', `${update} --name ''`],
  ['accent', `${update} --accent green`],
  ['nowhere.png', `${update} --logo nowhere.png`],
  ['logo: expected a complete PNG, JPEG or WebP picture', `${update} --logo package.json`],
  ['logo: expected a picture of at most 65536 bytes', `${update} --logo package-lock.json`],
  ['support', `${update} --support Ada`],
  ['support', `${update} --support http://shop.example/help`],
  ['support: expected one contact of each kind', `${update} --support a@shop.example --support b@shop.example`],
  ['--remove', `${update} --remove name`],
  ['store-url', `${update} --store-url shop`],
  ['add-origin', `${update} --add-origin shop`],
  ['remove-origin', `${update} --remove-origin https://other.example`],
  ['remove-origin', `${update} --remove-origin https://shop.example`],
  ['remove-origin', `${update} --add-origin https://www.shop.example --remove-origin https://other.example`],
  ['nowhere.json', 'program import nowhere.json --merchant MERCHANT'],
  ['/tmp', 'program import /tmp --merchant MERCHANT'],
  ['merchant', 'program list --merchant unknown'],
  ['"none"', 'program show none --merchant MERCHANT'],
  ['version 9', `${show} --version 9`],
  ['version one', `${show} --version one`],
  ['1969-12-31', `${show} --on 1969-12-31`],
  ['--kind', 'security-events --kind unknown'],
  ['kid', 'signing-key retire --kid unknown'],
  ['tenant', 'token mint --tenant acme'],
  ['tenant', 'token mint --tenant 00000000-0000-0000-0000-000000000000'],
  ['tenant', `token mint --tenant ${ID}`],
  ['tenant', 'token mint --tenant MERCHANT'],
  ['merchant', `${mint} --merchant OTHER_MERCHANT`],
  ['merchant', `${mint} --merchant ${ID}`],
  ['merchant', `${mint} --merchant ''`],
  ['program', `${mint} --program OTHER_PROGRAM`],
  ['program', `${mint} --merchant MERCHANT --program SIBLING_PROGRAM`],
  ['program', `${mint} --program standard`],
  ['buyer', `${mint} --buyer Jane`],
  ['scope', `${mint} --scope ''`],
  ['--minutes', `${mint} --minutes 0`],
  ['--minutes', `${mint} --minutes 525600`],
  ['--minutes', `${mint} --minutes 0.5`],
  ['--state', 'lender-events list --state recorded'],
  ['event', 'lender-events show unknown'],
  ['event', 'lender-events replay unknown'],
  ['merchant: expected the id of a merchant', `${addUser} --role admin --merchant unknown`],
  ['tenant: expected the id of a tenant with merchants', `${addUser} --role admin --tenant unknown`],
  ['email', 'user add --email ada --role admin --merchant MERCHANT'],
  ['--role', `${addUser} --role owner --merchant MERCHANT`],
  ['--refund-limit', `${addUser} --role support --refund-limit=-1 --merchant MERCHANT`],
];

/** Rejected with 2. */
const unusable: Rejected[] = [
  ['--jsno', 'audit --jsno'],
  ['everything', 'audit everything'],
  ['--merchant', 'callback-secret rotate'],
  ['ID', 'deliveries show'],
  ['both', 'deliveries replay one --failed'],
  ['ID', 'lender-events replay'],
  ['both', 'lender-events replay one --failed'],
  ['expected --merchant or --tenant', `${addUser} --role admin`],
  ['expected --merchant or --tenant', `${addUser} --role admin --merchant M --tenant T`],
  ['--failed', 'deliveries replay one --merchant unknown'],
  ['--merchant', 'key rotate'],
  ['--nmae', 'merchant create --nmae Acme'],
  ['--name', update],
  ['Expected one of', 'nonsense'],
  ['Expected one of', 'program'],
  ['FILE', 'program import a.json b.json --merchant m'],
  ['CODE', 'program show one other --merchant m'],
  ['both', `${show} --version 1 --on 2026-11-21`],
  ['signing-key list', 'signing-key'],
  ['--kid', 'signing-key rotate --kid x'],
];

describe('A command line', () => {
  let databaseUrl: string;
  const ids: Record<string, string> = {};
  let before: unknown;
  const run = (line: string) => {
    const args = line.split(' ').map((arg) => (arg === "''" ? '' : (ids[arg] ?? arg)));
    return fairterm(args, { databaseUrl, env: { PUBLIC_URL: 'https://pay.example' } });
  };
  const json = async (line: string) => JSON.parse((await run(`${line} --json`)).stdout[0]!);
  const state = async () => [
    await json('merchant list'),
    await json('program list'),
    await json('merchant show --merchant MERCHANT'),
  ];
  beforeAll(async () => {
    databaseUrl = await createMigratedDatabaseUrl();
    const create = 'merchant create --store-url https://shop.example --name';
    const { merchantId, tenantId } = await json(`${create} Acme`);
    const sibling = (await json(`${create} Sibling --tenant ${tenantId}`)).merchantId;
    const other = (await json(`${create} Other`)).merchantId;
    const programOf = async (merchant: string) => (await json(`program list --merchant ${merchant}`))[0].programId;
    Object.assign(ids, { TENANT: tenantId, MERCHANT: merchantId, OTHER_MERCHANT: other });
    Object.assign(ids, { SIBLING_PROGRAM: await programOf(sibling), OTHER_PROGRAM: await programOf(other) });
    before = await state();
  });

  it.each(invalid)('is rejected with an error about %s: %s', async (named, line) => {
    const { code, stdout, stderr } = await run(line);
    expect([code, stdout]).toEqual([1, []]);
    expect(stderr.join('\n')).toContain(named);
    expect(stderr.join('\n')).not.toMatch(/^\s+at /m);
  });

  it.each(unusable)('is rejected with the usage and an error about %s: %s', async (named, line) => {
    const { code, stdout, stderr } = await run(line);
    expect([code, stdout]).toEqual([2, []]);
    expect(stderr.join('\n')).toContain(named);
    expect(stderr.join('\n')).toMatch(/\n  fairterm \w+/);
  });

  it('that is rejected changes nothing', async () => {
    expect(await state()).toEqual(before);
  });
});
