/** Origins that a Content-Security-Policy must allow. */
export interface Requirements {
  /** Origin of the service, for requests of programs and carts. */
  service: string;
  /** Origin of the script, its lazy modules and its languages. */
  script: string;
  /** Origin of the page, to resolve `'self'`. */
  page: string;
  /** True if the checkout is shown in a frame. */
  isFramed: boolean;
}

/**
 * Returns instructions to change a policy that blocks the element. Missing directives fall back to `default-src`, as in browsers.
 *
 * @param policy - One policy, as in the header or the meta tag.
 */
export function policyProblems(policy: string, needs: Requirements): string[] {
  const directives = new Map(
    policy
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name.toLowerCase(), sources]),
  );
  const required: [directive: string, origin: string, consequence: string][] = [
    ['connect-src', needs.service, 'the financing programs cannot be fetched'],
    ['script-src', needs.script, 'lazy modules and other languages cannot be loaded'],
    ['frame-src', needs.isFramed ? needs.service : '', 'the checkout cannot be shown on the page'],
  ];
  const problems = required.flatMap(([directive, origin, consequence]) => {
    const fallback = directive === 'frame-src' ? directives.get('child-src') : undefined;
    const sources = directives.get(directive) ?? fallback ?? directives.get('default-src');
    return !origin || !sources || allows(sources, origin, needs.page)
      ? []
      : [`Add ${origin} to ${directive} of the Content-Security-Policy: without it, ${consequence}.`];
  });

  const names = directives.get('trusted-types');
  if (names && !names.includes('lit-html') && !names.includes('*')) {
    problems.push('Add lit-html to trusted-types of the Content-Security-Policy: without it, nothing is rendered.');
  }
  return problems;
}

function allows(sources: readonly string[], origin: string, page: string): boolean {
  const { protocol, host, hostname } = new URL(origin);
  return sources.some((source) => {
    if (source === '*' || source === protocol || source === "'strict-dynamic'") return true;
    if (source === "'self'") return origin === page;
    const [, scheme = protocol, rest = ''] = /^([a-z][a-z\d+.-]*:)?(?:\/\/)?([^/]*)/i.exec(source) ?? [];
    const isScheme = scheme.toLowerCase() === protocol || (scheme === 'http:' && protocol === 'https:');
    const allowedHost = rest.toLowerCase().replace(/:\*$/, '');
    const isHost = allowedHost.startsWith('*.')
      ? hostname.endsWith(allowedHost.slice(1))
      : allowedHost === host || (rest.endsWith(':*') && allowedHost === hostname);
    return isScheme && isHost;
  });
}
