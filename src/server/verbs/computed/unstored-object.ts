import { type ApiObject, stringifyJson } from '../../../meta/index.ts';
import type { StoredObject } from '../../../registry/index.ts';
import type { RequestContext } from '../../request-context.ts';

/** An object that is computed on every read, as an item of a list. */
export function unstoredObject({ server }: RequestContext, object: ApiObject): StoredObject {
  return server.store.storedObjectOf({ key: '', value: stringifyJson(object), createRevision: 0, revision: 0 });
}
