import { parseArgs } from 'node:util';
import { normalizedAddress, normalizedAddressHash } from '../../shared/normalized-address.ts';
import { type Command, printResult, requireValue } from './command.ts';

/** Computes the address hash for the filters of the platform API. */
export const addressHashCommands: Record<string, Command> = {
  'address-hash': {
    usage: 'address-hash --address1 ADDRESS --locality CITY --region STATE --postal-code ZIP [--country US] [--json]',
    run: async (args, context) => {
      const { values } = parseArgs({
        args,
        options: {
          address1: { type: 'string' },
          locality: { type: 'string' },
          region: { type: 'string' },
          'postal-code': { type: 'string' },
          country: { type: 'string', default: 'US' },
          json: { type: 'boolean' },
        },
      });
      const address = {
        address1: requiredPart('--address1', values.address1),
        locality: requiredPart('--locality', values.locality),
        region: requiredPart('--region', values.region),
        postalCode: requiredPart('--postal-code', values['postal-code']),
        country: requiredPart('--country', values.country),
      };
      const hash = await normalizedAddressHash(address);
      printResult(context, values.json, { normalizedAddress: normalizedAddress(address), normalizedAddressHash: hash }, [hash]);
    },
  },
};

/** @throws UsageError - the option is missing. @throws Error - it is blank. */
function requiredPart(option: string, value: string | undefined): string {
  const text = requireValue(option, value);
  if (/\P{White_Space}/u.test(text)) return text;
  throw new Error(`${option}: expected a part of an address, but received ${JSON.stringify(text)}`);
}
