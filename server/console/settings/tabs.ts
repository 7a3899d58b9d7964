import type { Html } from '../../http/html.ts';
import { tabs } from '../web/list.ts';
import type { ConsoleRequest } from '../web/screen.ts';

/** The pages of the settings. */
export function settingsTabs({ t, to, can }: ConsoleRequest, current: 'store' | 'team' | 'passkeys' | 'security'): Html {
  const { settings } = t.console;
  return tabs(settings.name, [
    { label: settings.store.title, address: to('settings'), isCurrent: current === 'store' },
    { label: settings.team.title, address: to('settings/team'), isCurrent: current === 'team' },
    { label: settings.passkeys.title, address: to('settings/passkeys'), isCurrent: current === 'passkeys' },
    ...(can('administer')
      ? [{ label: settings.security.title, address: to('settings/security'), isCurrent: current === 'security' }]
      : []),
  ]);
}
