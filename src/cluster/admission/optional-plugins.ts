import {
  type AccessCheck,
  type AdmissionPlugin,
  type NamespaceCreator,
  type OptionalPluginSettings,
  optionalPlugins,
} from '../../admission/index.ts';
import { type Authorizer, resourceAttributes } from '../../authz/index.ts';
import { ApiError } from '../../client/index.ts';
import { StatusError, type StatusReason } from '../../meta/index.ts';
import { corev1Namespaces } from '../../schema/api/index.ts';
import type { OptionalPluginContext } from './admission-plugins.ts';

/** The plugins that are off by default, for hosts with flags. */
export function createOptionalPlugins(context: OptionalPluginContext, settings?: OptionalPluginSettings): readonly AdmissionPlugin[] {
  const access = { authorize: createAccessCheck(context.authorization), createNamespace: createNamespaceCreator(context) };
  return optionalPlugins({ ...context, ...access }, settings);
}

function createAccessCheck(authorization: Authorizer): AccessCheck {
  return async (user, action) => {
    const { verdict, reason, error } = await authorization.authorize(resourceAttributes(user, action));
    return { allowed: verdict === 'allow', reason, ...(error === undefined ? {} : { error }) };
  };
}

/** Creates namespaces through the API, with the identity of the server. */
function createNamespaceCreator({ client, product }: OptionalPluginContext): NamespaceCreator {
  return async (name) => {
    try {
      await client()
        .resource(corev1Namespaces)
        .create({ metadata: { name } }, { fieldManager: product.rename('kube-apiserver') });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason !== 'AlreadyExists')
        throw new StatusError(error.status, error.reason as StatusReason, error.message, undefined, error);
    }
  };
}
