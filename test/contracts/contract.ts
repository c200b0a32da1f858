import type { KeySpace } from '../../src/storage/index.ts';

/** Where a contract is tried: one engine on a place of its own. */
export interface Lab {
  /** A key space with nothing in it. */
  open(): Promise<KeySpace>;
  /** Closes `space` and opens what it left; absent when nothing outlives it. */
  readonly reopen?: (space: KeySpace) => Promise<KeySpace>;
  /** Removes the place, when every key space on it is closed; absent when nothing is left of it. */
  readonly close?: () => Promise<void>;
}

/** One sentence of a contract; `run` throws when it does not hold. Needs no test runner, so that a page can run it too. */
export interface ContractCase {
  readonly name: string;
  /** Whether the sentence is about what outlives the key space. */
  readonly needsReopen?: boolean;
  run(lab: Lab): Promise<void>;
}

/** Throws unless both are the same data (undefined fields count as absent). */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [left, right] = [canonical(actual), canonical(expected)];
  if (left !== right) throw new Error(`${what}: expected ${right}, got ${left}`);
}

export function holds(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

/** The `code` of the error that `promise` rejects with, and the error. */
export async function rejection(promise: Promise<unknown>): Promise<{ readonly code: unknown; readonly error: unknown }> {
  try {
    await promise;
  } catch (error) {
    return { code: error instanceof Error && 'code' in error ? error.code : undefined, error };
  }
  return { code: 'resolved', error: undefined };
}

function canonical(value: unknown): string {
  const sorted = (_: string, part: unknown): unknown =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  return JSON.stringify(value, sorted) ?? 'undefined';
}
