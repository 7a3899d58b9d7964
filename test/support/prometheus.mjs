import { installSystemPackages, isOnPath } from './system-packages.mjs';

export const hasPromtool = () => isOnPath('promtool');

/** Installs Prometheus's `promtool` if it is missing. Without it, the tests of the alerts are skipped. */
export function ensurePromtool() {
  if (hasPromtool()) return;
  installSystemPackages('promtool, for the tests,', {
    'apt-get': ['prometheus'],
    apk: ['prometheus'],
    dnf: ['golang-github-prometheus'],
    pacman: ['prometheus'],
  });
  if (!hasPromtool()) console.error('promtool is missing (package "prometheus"): the tests of the alerts are skipped.');
}
