import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readConfig } from './config.ts';
import { openDatabase } from './db/database.ts';
import { serve } from './main.ts';
import { createMerchant } from './merchants/merchants.ts';
import { findMerchantByKey } from './merchants/store.ts';
import { systemClock } from './time.ts';

type Command = { usage: string; run(args: string[]): Promise<void> };

/** The operator's commands. Answers go to standard output, as JSON when `--json` is given; words about them to standard error. */
const commands: Record<string, Command> = {
  serve: {
    usage: 'serve',
    run: async () => {
      const config = readConfig(process.env);
      const service = await serve(config, fileURLToPath(new URL('../widget', import.meta.url)));
      console.error(`Fairterm (${config.mode}) serves ${service.publicUrl}`);
      const stop = () => void service.close().then(() => process.exit(0));
      process.once('SIGINT', stop);
      process.once('SIGTERM', stop);
    },
  },

  migrate: {
    usage: 'migrate',
    run: async () => {
      const database = openDatabase(readConfig(process.env).databaseUrl);
      await database.migrate();
      await database.close();
      console.error('The database is up to date.');
    },
  },

  'merchant create': {
    usage: 'merchant create --name N --store-url U [--origin O ...] [--tenant T] [--json]',
    run: async (args) => {
      const { values } = parseArgs({
        args,
        options: {
          name: { type: 'string' },
          'store-url': { type: 'string' },
          origin: { type: 'string', multiple: true, default: [] },
          tenant: { type: 'string' },
          json: { type: 'boolean', default: false },
        },
      });
      const [name, storeUrl] = [required('--name', values.name), required('--store-url', values['store-url'])];
      const config = readConfig(process.env);
      const database = openDatabase(config.databaseUrl);
      try {
        await database.migrate();
        const merchant = { name, storeUrl, origins: values.origin, tenantId: values.tenant };
        const created = await createMerchant(database, config.mode, merchant, systemClock.now());
        if (values.json) console.log(JSON.stringify(created));
        else for (const [key, value] of Object.entries(created)) console.log(`${key.padEnd(11)} ${value}`);
        console.error('Keep the secret: it is stored as a hash only and cannot be shown again.');
      } finally {
        await database.close();
      }
    },
  },

  'merchant check': {
    usage: 'merchant check --api-key K [--json]',
    run: async (args) => {
      const { values } = parseArgs({ args, options: { 'api-key': { type: 'string' }, json: { type: 'boolean' } } });
      const apiKey = required('--api-key', values['api-key']);
      const database = openDatabase(readConfig(process.env).databaseUrl);
      try {
        await database.migrate();
        const found = await findMerchantByKey(database.query, apiKey);
        console.log(values.json ? JSON.stringify({ known: found !== undefined }) : found ? 'known' : 'unknown');
        if (!found) process.exitCode = 1;
      } finally {
        await database.close();
      }
    },
  },
};

const args = process.argv.slice(2);
const name = Object.keys(commands).find((words) => `${args.join(' ')} `.startsWith(`${words} `));
if (name === undefined) {
  console.error(
    `Expected one of:\n${Object.values(commands)
      .map(({ usage }) => `  fairterm ${usage}`)
      .join('\n')}`,
  );
  process.exitCode = args.length === 0 || args[0] === 'help' ? 0 : 2;
} else {
  await commands[name]!.run(args.slice(name.split(' ').length)).catch((thrown: Error) => {
    console.error(`fairterm ${name}: ${thrown.message}`);
    process.exitCode = 1;
  });
}

function required(option: string, value: string | undefined): string {
  if (!value) throw new Error(`expected ${option}`);
  return value;
}
