/** The required fields of a contact. */
export const contact = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  address: '12 Analytical Way',
  city: 'Springfield',
  state: 'IL',
};
