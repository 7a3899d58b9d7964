/** The "as low as" calculation. */
export const asLowAs = {
  section: 'Endpoints: as low as',
  rules: {
    'ALA-1': 'customTotal: whole cents, required.',
    'ALA-2': 'financingProgramId: text, may be left out or empty; then the default program.',
    'ALA-3': 'The answer has an asLowAs object.',
    'ALA-4': 'The answer names the program that was used.',
  },
};
