import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { databaseName } from '../db/database.ts';
import { serve } from '../main.ts';
import type { Command } from './command.ts';

const widgetFolder = fileURLToPath(new URL('../../widget', import.meta.url));

export const serveCommands: Record<string, Command> = {
  serve: {
    usage: 'serve',
    run: async (args, { config: readConfig, remark }) => {
      parseArgs({ args });
      const config = readConfig();
      if (config.mode === 'live' && !config.lender) {
        remark('warning: no lender is configured; buyers who apply are redirected to errorUrl');
      }
      const service = await serve(config, widgetFolder);
      const stop = () => void service.close().then(() => process.exit(0));
      process.once('SIGINT', stop);
      process.once('SIGTERM', stop);
      // Printed after the signal handlers are installed, so that a reader of this line may stop the service immediately.
      remark(`Fairterm (${config.mode}) serves ${service.publicUrl} from ${databaseName(config.databaseUrl)}`);
    },
  },
};
