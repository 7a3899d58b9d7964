import { parseArgs } from 'node:util';
import { normalizedAddress, normalizedAddressHash } from '../../shared/normalized-address.ts';
import { type Command, required, type Surroundings } from './command.ts';

/** `fairterm address-hash`: what the platform API finds the applications of an address by. */
export const addressHashCommands: Record<string, Command> = {
  'address-hash': {
    usage: 'address-hash --address1 ADDRESS --locality CITY --region STATE --postal-code ZIP [--country US] [--json]',
    run: hashAddress,
  },
};

async function hashAddress(args: string[], { answer }: Surroundings): Promise<void> {
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
    address1: said('--address1', values.address1),
    locality: said('--locality', values.locality),
    region: said('--region', values.region),
    postalCode: said('--postal-code', values['postal-code']),
    country: said('--country', values.country),
  };
  const hash = await normalizedAddressHash(address);
  answer(values.json ? JSON.stringify({ normalizedAddress: normalizedAddress(address), normalizedAddressHash: hash }) : hash);
}

/** @throws UsageError - it is missing. Error - there is nothing in it but white space: no application has such an address. */
function said(option: string, value: string | undefined): string {
  const text = required(option, value);
  if (/\P{White_Space}/u.test(text)) return text;
  throw new Error(`${option}: expected a part of an address, but received ${JSON.stringify(text)}`);
}
