import type { Commit, KeySpace } from '../../src/storage/index.ts';

/** Shorthands for the writes and reads of the contract cases. */
export function create(space: KeySpace, key: string, value = 'v', requestId?: string): Promise<Commit> {
  return space.commit({ key, expected: 'absent', value, ...(requestId === undefined ? {} : { requestId }) });
}

export async function update(space: KeySpace, key: string, value: string): Promise<Commit> {
  return space.commit({ key, expected: await revisionOf(space, key), value });
}

export async function remove(space: KeySpace, key: string): Promise<Commit> {
  return space.commit({ key, expected: await revisionOf(space, key), value: undefined });
}

export async function keysOf(space: KeySpace, prefix: string, at?: number): Promise<readonly string[]> {
  const { entries } = await space.range({ prefix, ...(at === undefined ? {} : { at }) });
  return entries.map((entry) => entry.key);
}

async function revisionOf(space: KeySpace, key: string): Promise<number> {
  const entry = await space.get(key);
  if (!entry) throw new Error(`${key} is not there`);
  return entry.revision;
}
