import { afterAll, beforeAll, it } from 'vitest';
import { ensureCommand, expectSamplesToWork } from '../support/docs.ts';
import { npmStart, type StartedSandbox } from '../support/process.ts';

let sandbox: StartedSandbox;
beforeAll(async () => {
  ensureCommand('php');
  sandbox = await npmStart();
});
afterAll(() => sandbox.stop());

it('The PHP sample of code-samples.md completes a purchase', () => expectSamplesToWork('php', sandbox));
