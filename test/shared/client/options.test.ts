import { describe, expect, it } from 'vitest';
import { baseUrlOf, basicAuthorization } from '../../../shared/client/options.ts';
import { Fairterm } from '../../../shared/client/index.ts';
import { apiKey, secret } from './stand-in.ts';

describe('The service URL', () => {
  it.each([
    ['https://financing.example', 'https://financing.example'],
    ['https://financing.example/', 'https://financing.example'],
    ['https://Financing.Example:8443/pay//', 'https://financing.example:8443/pay'],
    ['http://localhost:4000', 'http://localhost:4000'],
    ['http://shop.localhost:4000', 'http://shop.localhost:4000'],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['http://127.8.9.1', 'http://127.8.9.1'],
    // The decimal notation of 127.0.0.1.
    ['http://2130706433/', 'http://127.0.0.1'],
    ['http://[::1]:4000/', 'http://[::1]:4000'],
  ])('%s is accepted as %s', (serviceUrl, baseUrl) => {
    expect(baseUrlOf(serviceUrl)).toBe(baseUrl);
  });

  it.each([
    ['http://financing.example', 'must not be sent unencrypted'],
    ['http://localhost.example', 'must not be sent unencrypted'],
    ['http://127.0.0.1.example', 'must not be sent unencrypted'],
    ['http://notlocalhost', 'must not be sent unencrypted'],
    ['http://10.0.0.7:4000', 'must not be sent unencrypted'],
    ['http://0.0.0.0:4000', 'must not be sent unencrypted'],
    ['http://[::ffff:10.0.0.7]', 'must not be sent unencrypted'],
    ['ftp://financing.example', 'expected https'],
    ['file:///etc/passwd', 'expected https'],
    ['https://ada:hunter2@financing.example', 'without a user name and password'],
    ['https://financing.example/?key=hunter2', 'without a query'],
    ['https://financing.example/#hunter2', 'without a query'],
    ['financing.example', 'expected a URL such as'],
    ['', 'expected a URL such as'],
    ['hunter2 at nowhere', 'expected a URL such as'],
  ])('%s is rejected with an error that contains no password', (serviceUrl, reason) => {
    const create = () => new Fairterm({ serviceUrl, apiKey, secret });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(reason);
    expect(create).not.toThrow('hunter2');
  });
});

describe('A key pair', () => {
  it('is sent as HTTP Basic authentication', () => {
    expect(basicAuthorization({ apiKey: 'user', secret: 'pass:word' })).toBe('Basic dXNlcjpwYXNzOndvcmQ=');
  });

  it.each([
    ['that is swapped', secret, apiKey, 'swapped'],
    ['with the secret as key', secret, secret, 'swapped'],
    ['with the key as secret', apiKey, apiKey, 'swapped'],
    ['with a callback secret', apiKey, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'received a callback secret'],
    ['without a key', '', secret, 'apiKey'],
    ['without a secret', apiKey, '', 'secret'],
    ['whose key has a colon', 'a:b', secret, 'colon'],
    ['with a space', apiKey, 'two words', 'secret'],
    ['with a line break', apiKey, `${secret}\n`, 'secret'],
    ['with non-ASCII letters', apiKey, 'gehéim', 'secret'],
    ['with an undefined secret', apiKey, undefined as unknown as string, 'secret'],
  ])('%s is rejected with an error that does not contain it', (_case, invalidKey, invalidSecret, reason) => {
    const create = () => new Fairterm({ serviceUrl: 'https://financing.example', apiKey: invalidKey, secret: invalidSecret });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(reason);
    expect(create).not.toThrow('dEf456');
    expect(create).not.toThrow('MfKQ9r8');
  });
});

describe('The limit', () => {
  it.each([
    ['attempts', 0],
    ['attempts', 1.5],
    ['attemptTimeoutMs', 0],
    ['totalTimeoutMs', Number.POSITIVE_INFINITY],
    ['totalTimeoutMs', Number.NaN],
  ])('%s of %s is rejected', (name, value) => {
    const options = { serviceUrl: 'https://financing.example', apiKey, secret, [name]: value };
    expect(() => new Fairterm(options)).toThrow(`${name}: expected an integer from 1`);
  });
});
