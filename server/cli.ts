#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { Progress } from './base/progress.js';
import { dispatch } from './operations/commands/dispatch.ts';
import { systemClock } from './base/time.ts';

const progress = new Progress();
const widgetFolder = fileURLToPath(new URL('../widget', import.meta.url));

/** The operator's command line. Results go to standard output, as JSON with `--json`; messages go to standard error. */
process.exitCode = await dispatch(process.argv.slice(2), {
  env: process.env,
  serve: async (config, log, hasJobs) => {
    // Imported here, because other commands do not need the service.
    const { serve } = await import('./main.ts');
    return serve(config, widgetFolder, { log, hasJobs });
  },
  clock: systemClock,
  stdin: () => process.stdin,
  print: (line) => {
    progress.stop();
    console.log(line);
  },
  log: (line) => progress.print(line),
  progress,
});
