/**
 * Returns the URL of a Git remote for the field `repository` of a package, without credentials: `git+https://code.example/shop/fairterm.git`;
 * undefined for a folder. npm accepts a statement of provenance only for a package that names the repository of the CI job.
 */
export function repositoryUrl(remote) {
  const [, host, path] = /^(?:https:\/\/|ssh:\/\/|(?=[^/]*:))(?:[^@/]*@)?([^:/]+)(?::\d+)?[:/]+([^:/].*)$/.exec(remote) ?? [];
  return host && `git+https://${host}/${path}`;
}
