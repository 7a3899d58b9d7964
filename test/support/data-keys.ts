import { type Config, readConfig } from '../../server/base/config/config.ts';
import { type KeyRing, parseKeyRing } from '../../server/base/key-ring.ts';

/** `DATA_KEYS` of all test databases. Their templates are migrated once, with these keys. */
export const TEST_DATA_KEYS = 'test:dGVzdC1kYXRhLWtleS1vZi10aGUtdGVzdC1zdWl0ZSE=';

const ring = parseKeyRing(TEST_DATA_KEYS, 'TEST_DATA_KEYS');

export const testKeys = (): KeyRing => ring;

/** The default configuration, with the keys of the test databases. */
export const testConfig: Config = readConfig({ DATA_KEYS: TEST_DATA_KEYS });
