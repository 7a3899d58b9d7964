/**
 * Vitest reporter that prints every test, hook and file that has been running for a minute, and again every minute, so that a run that
 * does not end shows what it waits for.
 *
 * @type {import('vitest/reporters').Reporter}
 */
export default class RunningTests {
  /** @type {Map<string, number>} */
  #startedAtMs = new Map();
  #timer;

  onTestRunStart() {
    this.#timer = setInterval(() => this.#print(), 60_000);
    this.#timer.unref();
  }
  onTestRunEnd() {
    clearInterval(this.#timer);
  }
  onTestModuleStart(file) {
    this.#startedAtMs.set(file.relativeModuleId, Date.now());
  }
  onTestModuleEnd(file) {
    this.#startedAtMs.delete(file.relativeModuleId);
  }
  onTestCaseReady(test) {
    this.#startedAtMs.set(titleOf(test), Date.now());
  }
  onTestCaseResult(test) {
    this.#startedAtMs.delete(titleOf(test));
  }
  onHookStart({ name, entity }) {
    this.#startedAtMs.set(`${titleOf(entity)}, ${name}`, Date.now());
  }
  onHookEnd({ name, entity }) {
    this.#startedAtMs.delete(`${titleOf(entity)}, ${name}`);
  }

  #print() {
    const now = Date.now();
    for (const [title, startedAtMs] of this.#startedAtMs) {
      const seconds = Math.round((now - startedAtMs) / 1_000);
      if (seconds >= 60) console.log(`Running for ${seconds} s: ${title}`);
    }
  }
}

function titleOf({ module, fullName, relativeModuleId }) {
  return module ? `${module.relativeModuleId} > ${fullName}` : relativeModuleId;
}
