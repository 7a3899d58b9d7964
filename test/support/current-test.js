/** Sends the title of each component test to `web-test-runner.config.mjs` when it starts. Imported by every test file. */
import { executeServerCommand } from '@web/test-runner-commands';

beforeEach(function () {
  executeServerCommand('test-started', this.currentTest.fullTitle()).catch(() => undefined);
});
