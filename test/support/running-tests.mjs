/**
 * Vitest reporter that prints every test, hook and file that has been running for a minute, and again every minute, so that a run that
 * does not end shows what it waits for. Whether something has ended is its state when it is printed: vitest processes several batches of
 * events at the same time, so the end of a test can be reported before its start. The state is found by the id, as the object of a queued
 * file is replaced once its tests are known.
 *
 * @type {import('vitest/reporters').Reporter}
 */
export default class RunningTests {
  /** @type {import('vitest/node').Vitest} */
  #vitest;
  /** @type {Map<string, { startedAtMs: number, id: string }>} */
  #running = new Map();
  #timer;

  onInit(vitest) {
    this.#vitest = vitest;
  }
  onTestRunStart() {
    this.#timer = setInterval(() => this.#print(), 60_000);
    this.#timer.unref();
  }
  onTestRunEnd() {
    clearInterval(this.#timer);
  }
  // A file is queued before its imports and what it starts at the top level.
  onTestModuleQueued(file) {
    this.#start(titleOf(file), file);
  }
  onTestCaseReady(test) {
    this.#start(titleOf(test), test);
  }
  onHookStart({ name, entity }) {
    this.#start(`${titleOf(entity)}, ${name}`, entity.module ?? entity);
  }
  onHookEnd({ name, entity }) {
    this.#running.delete(`${titleOf(entity)}, ${name}`);
  }

  #start(title, { id }) {
    this.#running.set(title, { startedAtMs: Date.now(), id });
  }

  #print() {
    for (const [title, { startedAtMs, id }] of this.#running) {
      const seconds = Math.round((Date.now() - startedAtMs) / 1_000);
      if (hasEnded(this.#vitest.state.getReportedEntityById(id))) this.#running.delete(title);
      else if (seconds >= 60) console.log(`Running for ${seconds} s: ${title}`);
    }
  }
}

function hasEnded(entity) {
  const state = entity.type === 'test' ? entity.result().state : entity.state();
  return !['queued', 'pending'].includes(state);
}

function titleOf({ module, fullName, relativeModuleId }) {
  return module ? `${module.relativeModuleId} > ${fullName}` : relativeModuleId;
}
