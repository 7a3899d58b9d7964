#!/usr/bin/env node
import { dispatch } from './commands/dispatch.ts';
import { readCommandConfig, readConfig } from './config/config.ts';
import { keyPairIn } from './config/env.ts';
import { requireLender, requireLenderAt } from './config/lender.ts';
import { systemClock } from './time.ts';

/** The operator's command line. Results go to standard output, as JSON with `--json`; messages go to standard error. */
process.exitCode = await dispatch(process.argv.slice(2), {
  config: () => readCommandConfig(process.env),
  serviceConfig: () => readConfig(process.env),
  lenderAt: (url) => requireLenderAt(url, process.env),
  keyPair: () => keyPairIn(process.env),
  lender: () => requireLender(process.env),
  clock: systemClock,
  stdin: () => process.stdin,
  print: (line) => console.log(line),
  log: (line) => console.error(line),
});
