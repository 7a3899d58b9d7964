import type { Finding } from './finding.ts';

/** What the element needs of a Content-Security-Policy. */
export interface Needs {
  /** Origin of the service, which is asked for programs and carts. */
  service: string;
  /** Origin of the script, which its parts and languages come from. */
  script: string;
  /** Origin of the page itself, which `'self'` means. */
  page: string;
  /** Whether the checkout is shown in a frame. */
  isFramed: boolean;
}

/**
 * What a policy keeps from the element. What it has no directive for falls back to `default-src`, as browsers do.
 *
 * @param policy - One policy, as the header or the meta tag says it.
 */
export function policyFindings(policy: string, needs: Needs): Finding[] {
  const directives = new Map(
    policy
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name.toLowerCase(), sources]),
  );
  const wanted: [directive: string, origin: string, why: string][] = [
    ['connect-src', needs.service, 'the financing programs cannot be fetched'],
    ['connect-src', needs.script, 'other languages cannot be fetched'],
    ['script-src', needs.script, 'what stands beside the script cannot be loaded'],
    ['frame-src', needs.isFramed ? needs.service : '', 'the checkout cannot be shown on the page'],
  ];
  const isFirst = ([directive, origin]: string[], at: number): boolean =>
    origin !== '' && wanted.findIndex(([other, from]) => other === directive && from === origin) === at;
  const findings = wanted.filter(isFirst).flatMap(([directive, origin, why]): Finding[] => {
    const fallback = directive === 'frame-src' ? directives.get('child-src') : undefined;
    const sources = directives.get(directive) ?? fallback ?? directives.get('default-src');
    return !sources || allows(sources, origin, needs.page)
      ? []
      : [{ code: 'policy', says: `Add ${origin} to ${directive} of the Content-Security-Policy: without it, ${why}.` }];
  });

  const names = directives.get('trusted-types');
  if (names && !names.includes('lit-html') && !names.includes('*')) {
    findings.push({
      code: 'policy',
      says: 'Add lit-html to trusted-types of the Content-Security-Policy: without it, nothing is drawn.',
    });
  }
  return findings;
}

function allows(sources: readonly string[], origin: string, page: string): boolean {
  const { protocol, host, hostname } = new URL(origin);
  return sources.some((source) => {
    if (source === '*' || source === protocol || source === "'strict-dynamic'") return true;
    if (source === "'self'") return origin === page;
    const [, scheme = protocol, rest = ''] = /^([a-z][a-z\d+.-]*:)?(?:\/\/)?([^/]*)/i.exec(source) ?? [];
    const isScheme = scheme.toLowerCase() === protocol || (scheme === 'http:' && protocol === 'https:');
    const named = rest.toLowerCase().replace(/:\*$/, '');
    const isHost = named.startsWith('*.')
      ? hostname.endsWith(named.slice(1))
      : named === host || (rest.endsWith(':*') && named === hostname);
    return isScheme && isHost;
  });
}
