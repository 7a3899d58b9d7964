import { addressOf, type OwnService, startService } from './own-service.ts';

/** The built service in a process of its own, which can be killed and started again. */
export interface ServiceProcess {
  /** Where the process that runs last can be called. */
  url(): string;
  start(): Promise<void>;
  /** Ends it at once, whatever it is doing. Resolves when nothing of it is left. */
  kill(): Promise<void>;
}

/** Not started yet. Needs `buildService` before. */
export function givenServiceProcess(databaseUrl: string): ServiceProcess {
  let service: OwnService | undefined;
  let url = '';
  return {
    url: () => url,
    start: async () => {
      service = startService(databaseUrl, { PORT: '0' });
      url = await addressOf(service);
    },
    kill: async () => {
      service?.child.kill('SIGKILL');
      await service?.ended;
    },
  };
}
