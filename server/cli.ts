#!/usr/bin/env node
import { dispatch } from './commands/dispatch.ts';
import { readConfig } from './config/config.ts';
import { systemClock } from './time.ts';

/** The operator's command line. Answers go to standard output, as JSON when `--json` is given; words about them to standard error. */
process.exitCode = await dispatch(process.argv.slice(2), {
  config: () => readConfig(process.env),
  clock: systemClock,
  input: () => process.stdin,
  answer: (line) => console.log(line),
  remark: (line) => console.error(line),
});
