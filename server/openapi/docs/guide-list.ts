import type { Mode } from '../../mode.ts';

/** A guide of the documentation. */
export interface GuideEntry {
  /** The group of readers, such as `Merchants`. */
  reader: string;
  /** Path of its page. */
  href: string;
  /** Path in the repository. */
  file: string;
  /** One sentence in the list of guides. */
  description: string;
}

/** The guides by reader, in the order of the list. */
const guides: readonly (GuideEntry & { isSandboxOnly?: true })[] = [
  {
    reader: 'Merchants',
    href: '/docs/first-hour',
    file: 'server/docs/first-hour.md',
    description: 'A shop with the button, from the first page to a refund, and what to check before you go live.',
    isSandboxOnly: true,
  },
  {
    reader: 'Merchants',
    href: '/docs/merchant-api',
    file: 'server/docs/merchant-api.md',
    description: 'Quotes, carts, the checkout, and how to authorize, settle, cancel and refund.',
  },
  {
    reader: 'Merchants',
    href: '/docs/code-samples',
    file: 'server/docs/code-samples.md',
    description: 'The calls of a purchase in curl, TypeScript, Python and PHP.',
  },
  {
    reader: 'Merchants',
    href: '/docs/sandbox',
    file: 'server/docs/sandbox.md',
    description: 'Test buyers, test cards, a movable clock, and checkouts from automated tests.',
    isSandboxOnly: true,
  },
  {
    reader: 'Merchants',
    href: '/docs/webhooks',
    file: 'server/docs/webhooks.md',
    description: 'The signed callback after a checkout: how to verify it, and when it is retried.',
  },
  {
    reader: 'Merchants',
    href: '/docs/client',
    file: 'shared/client/README.md',
    description: 'A typed client for JavaScript with safe retries and webhook verification.',
  },
  {
    reader: 'Shop pages',
    href: '/docs/button',
    file: 'widget/README.md',
    description: 'The element that shows a monthly price and opens the checkout: attributes, events, styling.',
  },
  {
    reader: 'Shop pages',
    href: '/docs/recipes',
    file: 'widget/recipes/README.md',
    description: 'Complete integrations to copy: HTML, React, Next.js, Vue, Svelte, Shopify, WooCommerce.',
  },
  {
    reader: 'Platforms',
    href: '/docs/platform-api',
    file: 'server/docs/platform-api.md',
    description: 'List the applications of all merchants of a platform, and follow their changes.',
  },
  {
    reader: 'Lenders',
    href: '/docs/programs',
    file: 'server/docs/programs.md',
    description: 'Rates, terms, fees, limits and agreement texts of a financing program.',
  },
  {
    reader: 'Lenders',
    href: '/docs/lenders',
    file: 'server/docs/lenders.md',
    description: 'The endpoint of a lender that decides on applications and receives signed agreements.',
  },
  {
    reader: 'Lenders',
    href: '/docs/compliance',
    file: 'server/docs/compliance.md',
    description: 'Each requirement of consumer-credit law, with its citation and the test that covers it.',
  },
  {
    reader: 'Operators',
    href: '/docs/operations',
    file: 'server/docs/operations.md',
    description: 'Installation and operation of the service, its commands and its environment variables.',
    isSandboxOnly: true,
  },
  {
    reader: 'Operators',
    href: '/docs/security',
    file: 'server/docs/security.md',
    description: 'Authentication, limits, encryption, stored data, and the threat model.',
    isSandboxOnly: true,
  },
  {
    reader: 'Operators',
    href: '/docs/asvs',
    file: 'server/docs/asvs.md',
    description: 'The requirements of the OWASP Application Security Verification Standard, and how the service meets them.',
    isSandboxOnly: true,
  },
  {
    reader: 'Contributors',
    href: '/docs/architecture',
    file: 'server/docs/architecture.md',
    description: 'The folders of the code, one purchase through them, and where to change what.',
    isSandboxOnly: true,
  },
];

/** Returns the guides of a mode. A live service has none about the sandbox and about running a service. */
export function guidesIn(mode: Mode): GuideEntry[] {
  return guides.flatMap(({ isSandboxOnly = false, ...guide }) => (mode === 'live' && isSandboxOnly ? [] : [guide]));
}
