import { describe, expect, it } from 'vitest';
import { fairterm } from './fairterm.ts';

const HASH = '8e23f15cd3d869f42f93c6053d338ebf8d8a8464fd4f29b428e0f2f52bc81ce1';
const addressOptions = ['--address1', '1 Main St', '--locality', 'Austin', '--region', 'TX', '--postal-code', '78701'];

describe('fairterm address-hash', () => {
  it.each([
    ['in the United States by default', addressOptions],
    ['with a country', [...addressOptions, '--country', 'us']],
    ['with another case and spaces', addressOptions.map((value) => (value === 'Austin' ? ' AUSTIN ' : value))],
  ])('prints the hash of an address %s, without a database', async (_title, options) => {
    expect(await fairterm(['address-hash', ...options])).toEqual({ code: 0, stdout: [HASH], stderr: [] });
  });

  it('prints the hash and the normalized address as JSON', async () => {
    const { code, stdout } = await fairterm(['address-hash', ...addressOptions, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout.join('\n'))).toEqual({
      normalizedAddress: '1 MAIN ST|AUSTIN|TX|78701|US',
      normalizedAddressHash: HASH,
    });
  });

  it.each(['--address1', '--locality', '--region', '--postal-code'])('requires %s', async (option) => {
    const at = addressOptions.indexOf(option);
    const { code, stdout, stderr } = await fairterm(['address-hash', ...addressOptions.toSpliced(at, 2)]);
    expect([code, stdout]).toEqual([2, []]);
    expect(stderr.join('\n')).toContain(`expected ${option}`);
  });

  it.each(['--address1', '--locality', '--region', '--postal-code', '--country'])('rejects a blank %s', async (option) => {
    const options = [...addressOptions, '--country', 'US'];
    const blank = options.with(options.indexOf(option) + 1, ' \t');
    expect(await fairterm(['address-hash', ...blank])).toEqual({
      code: 1,
      stdout: [],
      stderr: [expect.stringContaining(`${option}: expected a part of an address, but received " \\t"`)],
    });
  });

  it('rejects unknown options', async () => {
    expect(await fairterm(['address-hash', ...addressOptions, '--zip', '78701'])).toMatchObject({ code: 2, stdout: [] });
  });
});
