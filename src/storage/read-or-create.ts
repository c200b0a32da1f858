import { type KeySpace, KeySpaceError } from './key-space.ts';

/** Reads the value of a key; one that is absent is created. Of several servers that create it at the same time, all return that of the first. */
export async function readOrCreate(storage: KeySpace, key: string, create: () => Promise<string>): Promise<string> {
  const stored = await storage.get(key);
  if (stored) return stored.value;
  const value = await create();
  try {
    await storage.commit({ key, expected: 'absent', value });
    return value;
  } catch (error) {
    const other = error instanceof KeySpaceError && error.code === 'revision-changed' ? await storage.get(key) : undefined;
    if (!other) throw error;
    return other.value;
  }
}
