import { resourceAttributes } from '../../authz/index.ts';
import { forbidden, internalError, invalid, invalidObject, type Status } from '../../meta/index.ts';
import { CorruptObjectError, type DeleteOptions, type ObjectRef, staleWrite, subjectOf } from '../../registry/index.ts';
import type { RequestContext } from '../request-context.ts';

export const unsafeOption = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const unsafeVerb = 'unsafe-delete-ignore-read-errors';

/** Whether a deletion ignores decoding errors of the object (part 3.1, force delete). */
export function isUnsafe(options: DeleteOptions): boolean {
  return options[unsafeOption] === true;
}

/**
 * Deletes an unreadable object, without admission, preconditions and finalizers, as its content is unknown. Cf. upstream
 * handlers.DeleteResource and registry.corruptObjectDeleter. @throws StatusError 403 without the verb for it, 422 when the object is
 * readable or missing
 */
export async function deleteUnreadable(context: RequestContext, ref: ObjectRef): Promise<Status> {
  const { server, resource } = context;
  context.audit.annotate({ [server.product.rename('apiserver.k8s.io/unsafe-delete-ignore-read-error')]: '' });
  if (resource.group === '' && resource.name === 'namespaces')
    throw internalError(`no unsafe deleter provided, can not honor ${unsafeOption}`);
  await authorizeUnsafe(context, ref);
  const { store } = server;
  const found = await store.find(ref);
  if (!found || isReadable(() => found.object)) {
    const why = 'is exclusively used to delete corrupt object(s), try again by removing this option';
    throw invalidObject(subjectOf(resource), ref.name, [invalid(unsafeOption, true, why)]);
  }
  if (!(await store.remove(ref, found, undefined))) throw staleWrite(ref);
  const details = { name: ref.name, kind: resource.kind };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details, code: 200 };
}

async function authorizeUnsafe({ server, info, user, resource }: RequestContext, { name, namespace }: ObjectRef): Promise<void> {
  const { group, version } = info;
  const attributes = resourceAttributes(user, { verb: unsafeVerb, group, version, resource: info.resource, namespace, name });
  const { verdict, reason, error } = await server.authorization.authorize(attributes);
  if (verdict === 'allow') return;
  const why = error === undefined ? `not permitted to do "${unsafeVerb}", reason: ${reason}` : failed(error);
  throw forbidden(subjectOf(resource), name, why);
}

const failed = (error: string): string => `error while checking permission for "${unsafeVerb}", ${error}`;

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof CorruptObjectError) return false;
    throw error;
  }
}
