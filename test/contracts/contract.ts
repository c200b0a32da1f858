import type { KeySpace } from '../../src/storage/index.ts';

/** A storage engine under test, with storage of its own. */
export interface TestEngine {
  /** Opens an empty key space. */
  open(): Promise<KeySpace>;
  /** Closes `space` and opens its data again; absent for engines without persistence. */
  readonly reopen?: (space: KeySpace) => Promise<KeySpace>;
  /** Removes the storage after every key space on it is closed; absent when there is nothing to remove. */
  readonly close?: () => Promise<void>;
}

/** One case of a contract; `run` throws when it fails. Independent of the test runner, so that a page can run it too. */
export interface ContractCase {
  readonly name: string;
  /** Whether the case is about persistence. */
  readonly needsReopen?: boolean;
  run(engine: TestEngine): Promise<void>;
}

/** Throws unless both are the same data (undefined fields count as absent). */
export function assertEqual(actual: unknown, expected: unknown, message: string): void {
  const [left, right] = [toCanonicalJson(actual), toCanonicalJson(expected)];
  if (left !== right) throw new Error(`${message}: expected ${right}, got ${left}`);
}

export function assertTrue(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** The `code` of the error that `promise` rejects with, and the error. */
export async function getRejection(promise: Promise<unknown>): Promise<{ readonly code: unknown; readonly error: unknown }> {
  try {
    await promise;
  } catch (error) {
    return { code: error instanceof Error && 'code' in error ? error.code : undefined, error };
  }
  return { code: 'resolved', error: undefined };
}

function toCanonicalJson(value: unknown): string {
  const sorted = (_: string, part: unknown): unknown =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  return JSON.stringify(value, sorted) ?? 'undefined';
}
