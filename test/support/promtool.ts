/** Prometheus's `promtool`, which evaluates the alerts of `server/docs/monitoring/alerts.yml`. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onCleanup } from './cleanup.ts';

export const monitoringFolder = fileURLToPath(new URL('../../server/docs/monitoring', import.meta.url));

/** Runs `promtool`, which `npm test` installs. @throws Error - it fails; the message has its output. */
export async function promtool(...args: string[]): Promise<void> {
  await promisify(execFile)('promtool', args).catch((failed: { stdout: string; stderr: string }) => {
    throw new Error(`promtool ${args.join(' ')}: ${failed.stdout}${failed.stderr}`);
  });
}

/** The samples of a text of metrics by their series: `up{job="fairterm"}`. */
export type Samples = ReadonlyMap<string, number>;

/** Returns the samples of a text in the format of Prometheus. */
export function samplesIn(text: string): Samples {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

export function nameOf(series: string): string {
  return series.split('{')[0]!;
}

/** Minutes for which samples have their first value, and then their second one. */
const BEFORE_MINUTES = 5;
const AFTER_MINUTES = 100;

/**
 * Asserts that an alert fires at some time after the samples of a service have changed, and that it does not if they stay as they were. Samples
 * that are missing afterwards end.
 */
export async function expectAlert(alert: string, before: Samples, after: Samples): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-alerts-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const names = [...before.keys(), ...after.keys()].filter(
    (series) => series.startsWith('fairterm_') && !/_bucket\{/.test(series),
  );
  const testOf = (later: Samples, isFiring: boolean) => ({
    interval: '1m',
    input_series: [...new Set(names)].map((series) => {
      const part = (value: number | undefined, count: number) => (value === undefined ? `_x${count}` : `${value}+0x${count}`);
      return { series, values: `${part(before.get(series), BEFORE_MINUTES)} ${part(later.get(series), AFTER_MINUTES)}` };
    }),
    promql_expr_test: [
      {
        expr: `count(count_over_time(ALERTS{alertname="${alert}", alertstate="firing"}[${AFTER_MINUTES}m]) > 0) > bool 0`,
        eval_time: `${AFTER_MINUTES}m`,
        exp_samples: isFiring ? [{ labels: '{}', value: 1 }] : [],
      },
    ],
  });
  const file = join(folder, 'test.json');
  const content = { rule_files: [join(monitoringFolder, 'alerts.yml')], tests: [testOf(after, true), testOf(before, false)] };
  writeFileSync(file, JSON.stringify(content));
  await promtool('test', 'rules', file);
}
