import { expect, it } from 'vitest';
import { fromCart, toTransactionContact } from '../../../server/applications/contact.ts';

const home = { address: '1 Main', city: 'Boise', state: 'ID' };

it.each([
  [{ fullName: 'Grace Brewster Hopper' }, 'Grace Brewster', 'Hopper'],
  [{ fullName: 'Plato' }, 'Plato', ''],
  [{ firstName: 'Ada', lastName: 'Lovelace' }, 'Ada', 'Lovelace'],
  [{ fullName: 'A. King', firstName: 'Ada', lastName: 'Lovelace' }, 'Ada', 'Lovelace'],
  [{ fullName: '  Ada   Lovelace ' }, 'Ada', 'Lovelace'],
])('%j is known as %s, %s', (names, firstName, lastName) => {
  expect(fromCart({ ...home, ...names })).toMatchObject({ firstName, lastName, city: 'Boise', zip: '', phone: '' });
});

it('is put together again for the merchant, every field there', () => {
  const contact = fromCart({ ...home, fullName: 'Plato' });
  expect(toTransactionContact(contact)).toEqual({
    fullName: 'Plato',
    ...home,
    address2: '',
    zip: '',
    email: '',
    phone: '',
  });
});
