const version = '0.1.0-6f1d0c2b9a3e';

/** As after a first release. */
export const widgetManifest = {
  current: version,
  versions: {
    [version]: {
      releasedAt: '2026-11-21T09:30:00.000000Z',
      files: {
        'financing-button.js': {
          url: `https://financing.example/widget/${version}/financing-button.js`,
          integrity: 'sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC',
          bytes: 26200,
        },
      },
    },
  },
};
