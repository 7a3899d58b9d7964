/** The "as low as" calculation. */
export const asLowAs = {
  section: 'Endpoints: as low as',
  rules: {
    'ALA-1': 'customTotal: integer cents, required.',
    'ALA-2': 'financingProgramId: an optional string; when empty or absent, the default program is used.',
    'ALA-3': 'The response has an asLowAs object.',
    'ALA-4': 'The response has the program that was used.',
  },
};
