import { notFound } from '../../meta/index.ts';
import type { AdmissionPlugin } from '../admission.ts';
import type { ObjectSource } from '../object-source.ts';

/** Rejects writes in namespaces that do not exist. Cf. upstream plugin/namespace/exists. */
export function namespaceExists(namespaces: ObjectSource): AdmissionPlugin {
  return {
    name: 'NamespaceExists',
    handles: ({ operation, group, resource }) => operation !== 'CONNECT' && !(group === '' && resource === 'namespaces'),
    async validate({ namespace }) {
      if (namespace === '' || (await namespaces.find('', namespace))) return;
      throw notFound({ group: '', name: 'namespaces' }, namespace);
    },
  };
}
