import type { Html } from '../../http/html.ts';
import { tabs } from '../web/list.ts';
import type { ConsoleRequest } from '../web/screen.ts';

/** The pages of the settings. */
export function settingsTabs({ t, to }: ConsoleRequest, current: 'team' | 'passkeys'): Html {
  const { settings } = t.console;
  return tabs(settings.name, [
    { label: settings.team.title, address: to('settings/team'), isCurrent: current === 'team' },
    { label: settings.passkeys.title, address: to('settings/passkeys'), isCurrent: current === 'passkeys' },
  ]);
}
