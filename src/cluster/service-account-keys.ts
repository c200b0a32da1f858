import { importKeys, type KeySource } from '../authn/index.ts';
import { type KeySpace, KeySpaceError } from '../storage/index.ts';

/** Storage key outside of the API objects: no request can read it. */
const storedUnder = '/tabplane/service-account-key';

/** Configured keys; undefined: the cluster's own. */
export interface GivenKeys {
  readonly signing: JsonWebKey | undefined;
  readonly verifying: readonly JsonWebKey[] | undefined;
}

/** The configured keys, or the cluster's own, which are generated on first use and stored with the cluster. */
export function serviceAccountKeys(given: GivenKeys, storage: KeySpace, create: () => Promise<JsonWebKey>): KeySource {
  let keys: ReturnType<KeySource> | undefined;
  return () => {
    keys ??= read().catch((error: unknown) => {
      keys = undefined;
      throw error;
    });
    return keys;
  };

  async function read(): ReturnType<KeySource> {
    const signing = given.signing ?? (await stored()) ?? (await made());
    return importKeys({ signing, verifying: given.verifying ?? [signing] });
  }

  async function stored(): Promise<JsonWebKey | undefined> {
    const entry = await storage.get(storedUnder);
    return entry && (JSON.parse(entry.value) as JsonWebKey);
  }

  async function made(): Promise<JsonWebKey> {
    const key = await create();
    try {
      await storage.commit({ key: storedUnder, expected: 'absent', value: JSON.stringify(key) });
      return key;
    } catch (error) {
      // Another server on the same store has created a key.
      const other = error instanceof KeySpaceError && error.code === 'revision-changed' ? await stored() : undefined;
      if (!other) throw error;
      return other;
    }
  }
}
