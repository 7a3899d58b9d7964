import { describe, expect, it } from 'vitest';
import { operatorIn, operatorLicenses, requireOperator } from '../../../../server/base/config/operator.ts';

const complete = {
  OPERATOR_NAME: 'Example Pay',
  OPERATOR_ADDRESS: '2 Example Plaza, Wilmington, DE 19801',
  OPERATOR_PHONE: '1-800-446-0103',
  OPERATOR_EMAIL: 'help@operator-pay.com',
};

describe('The operator', () => {
  it('is read from the environment in both modes', () => {
    const operator = {
      name: 'Example Pay',
      address: '2 Example Plaza, Wilmington, DE 19801',
      phone: '1-800-446-0103',
      email: 'help@operator-pay.com',
    };
    expect([operatorIn(complete, 'live'), operatorIn(complete, 'sandbox')]).toEqual([operator, operator]);
  });

  it('may have a post office box', () => {
    const address = 'P.O. Box 9, Dover, DE 19901';
    expect(operatorIn({ ...complete, OPERATOR_ADDRESS: address }, 'live')).toMatchObject({ address });
  });

  it('is an example in the sandbox', () => {
    expect(operatorIn({}, 'sandbox')).toMatchObject({ name: 'Fairterm Pay', email: 'help@fairterm.example' });
  });

  it('has licenses of all states or of one', () => {
    const operator = operatorIn({ ...complete, OPERATOR_LICENSES: 'NMLS 7; CA: Broker license 60DBO; NY: Other: 5;' }, 'live')!;
    expect(operator.licenses).toEqual([
      { state: null, text: 'NMLS 7' },
      { state: 'CA', text: 'Broker license 60DBO' },
      { state: 'NY', text: 'Other: 5' },
    ]);
    expect([operatorLicenses(operator), operatorLicenses(operator, 'CA')]).toEqual([
      ['NMLS 7'],
      ['NMLS 7', 'Broker license 60DBO'],
    ]);
    for (const value of ['ZZ: License', 'CA:']) {
      expect(() => operatorIn({ ...complete, OPERATOR_LICENSES: value }, 'live')).toThrow('OPERATOR_LICENSES: expected licenses');
    }
  });

  it('may have an address for warnings, which must exist in live mode', () => {
    const named = (address: string) => operatorIn({ ...complete, OPERATOR_ALERTS_EMAIL: address }, 'live');
    expect(named('alerts@operator-pay.com')).toMatchObject({ alertsEmail: 'alerts@operator-pay.com' });
    expect(named('')).not.toHaveProperty('alertsEmail');
    expect(() => named('alerts')).toThrow('OPERATOR_ALERTS_EMAIL: expected an e-mail address');
    expect(() => named('alerts@example.com')).toThrow('OPERATOR_ALERTS_EMAIL: expected an e-mail address that exists');
  });

  it('is required to run a live service', () => {
    expect(() => requireOperator({ operator: operatorIn({}, 'live') })).toThrow(
      'OPERATOR_NAME: expected the name of the operator for a live service, but received no value',
    );
    expect(requireOperator({ operator: operatorIn(complete, 'live') }).name).toBe('Example Pay');
  });

  it.each([
    ['OPERATOR_NAME', '', 'OPERATOR_NAME: expected a name, because OPERATOR_ADDRESS is set'],
    ['OPERATOR_ADDRESS', 'a\nb', 'OPERATOR_ADDRESS: expected a postal address on one line, but received'],
    ['OPERATOR_PHONE', 'call us', 'OPERATOR_PHONE: expected a phone number, but received "call us"'],
    ['OPERATOR_EMAIL', 'pay.example', 'OPERATOR_EMAIL: expected an e-mail address, but received "pay.example"'],
  ])('is rejected with %s=%j', (name, value, message) => {
    expect(() => operatorIn({ ...complete, [name]: value }, 'live')).toThrow(message);
  });

  it.each([
    ['OPERATOR_EMAIL', 'help@pay.example', 'received "pay.example"'],
    ['OPERATOR_EMAIL', 'help@example.com', 'received "example.com"'],
    ['OPERATOR_PHONE', '1-800-555-0103', 'received "1-800-555-0103"'],
    ['OPERATOR_ADDRESS', '2 Plaza, call (302) 555-0199', 'received "(302) 555-0199"'],
  ])('is rejected in live mode with %s=%j, which is reserved for examples', (name, value, message) => {
    expect(() => operatorIn({ ...complete, [name]: value }, 'live')).toThrow(message);
    expect(operatorIn({ ...complete, [name]: value }, 'sandbox')).toBeDefined();
  });
});
