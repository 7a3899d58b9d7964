import type { Finding } from '../../../shared/programs/check.ts';
import type { Program } from '../../../shared/programs/program.ts';
import type { Query, Readable } from '../../db/database.ts';
import { type Connection, connectionOf } from '../../db/engine.ts';
import { findLiveProblems, type LiveService } from './live.ts';

/** The live services of open databases, and the problems of their programs, which are checked once. */
const services = new WeakMap<Connection, { service: LiveService; checked: WeakMap<Program, readonly Finding[]> }>();

/** From now on, only programs that meet the requirements of a live service are sold. */
export function requireLivePrograms({ query }: Readable, service: LiveService): void {
  services.set(connectionOf(query), { service, checked: new WeakMap() });
}

/** Returns why a program is not sold. Empty in the sandbox, which sells every valid program. */
export function saleProblems(query: Query, program: Program): readonly Finding[] {
  const live = services.get(connectionOf(query));
  if (!live) return [];
  let problems = live.checked.get(program);
  if (!problems) live.checked.set(program, (problems = findLiveProblems(program, live.service)));
  return problems;
}
