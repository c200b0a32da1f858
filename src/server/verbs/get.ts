import type { ObjectRef } from '../../registry/index.ts';
import { reachVersion, statusOfStorage } from '../../registry/index.ts';
import type { Answer, Call } from '../call.ts';
import { readVersion } from '../options.ts';
import { shownObject } from '../respond.ts';

/** Where the object of a request is. */
export function refOf({ resource, info }: Call): ObjectRef {
  return { resource, namespace: resource.namespaced ? info.namespace : '', name: info.name };
}

/** Part 4.4, get: the newest state, or one not older than asked for. */
export async function get(call: Call): Promise<Answer> {
  const version = call.info.query.get('resourceVersion') ?? '';
  const { store, env, watchCache } = call.server;
  try {
    if (version !== '' && version !== '0')
      await reachVersion(store.keySpace, readVersion(version, 'get'), { clock: env.clock, watchCache });
    const stored = await store.get(refOf(call));
    return { form: 'object', status: 200, object: shownObject(call, stored), stored };
  } catch (error) {
    throw statusOfStorage(error);
  }
}
