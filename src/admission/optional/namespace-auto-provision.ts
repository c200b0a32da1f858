import { StatusError } from '../../meta/index.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { createForbiddenError } from '../forbidden-error.ts';
import type { ObjectSource } from '../object-source.ts';

/** Creates a namespace unless it exists. @throws StatusError */
export type NamespaceCreator = (name: string) => Promise<void>;

/** Creates the missing namespaces of new objects. Cf. upstream plugin/namespace/autoprovision. */
export function namespaceAutoProvision(namespaces: ObjectSource, createNamespace: NamespaceCreator): AdmissionPlugin {
  return {
    name: 'NamespaceAutoProvision',
    handles: ({ operation, group, resource }) => operation === 'CREATE' && !(group === '' && resource === 'namespaces'),
    async mutate(request, object) {
      const { namespace, dryRun } = request;
      if (dryRun || namespace === '' || (await namespaces.find('', namespace))) return object;
      try {
        await createNamespace(namespace);
        return object;
      } catch (error) {
        if (error instanceof StatusError && error.code !== 403) throw createForbiddenError(request, object, error.message);
        throw error;
      }
    },
  };
}
