import { programImport } from './program-import.ts';
import { programList } from './program-list.ts';
import { programShow } from './program-show.ts';
import type { Command } from './command.ts';

export const programCommands: Record<string, Command> = {
  'program import': programImport,
  'program list': programList,
  'program show': programShow,
};
