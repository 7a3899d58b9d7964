import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** @returns {string} an empty folder, which is removed after the test */
export function createFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
