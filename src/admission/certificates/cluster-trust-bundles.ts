import { withMetadata } from '../../meta/index.ts';
import type { certificatesv1beta1 } from '../../schema/api/index.ts';
import { type Decoded, isSemanticallyEqual } from '../../schema/index.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isCreateOrUpdate } from '../forbidden-error.ts';
import { specOf } from '../object-accessors.ts';
import { requireSignerAuthorization, type SignerAuthorizer } from './signer-authorization.ts';

/** Publishing a bundle for a signer requires the right to attest for that signer. Cf. upstream plugin/certificates/ctbattest. */
export function clusterTrustBundleAttest(rights: SignerAuthorizer): AdmissionPlugin {
  return {
    name: 'ClusterTrustBundleAttest',
    handles: (write) => isCreateOrUpdate(write) && write.resource === 'clustertrustbundles' && write.group.startsWith('certificates.'),
    async validate(request, object, old) {
      const { signerName = '' }: Decoded<certificatesv1beta1.ClusterTrustBundleSpec> = specOf(object);
      if (signerName === '') return;
      // Changes that only the garbage collector makes need no right beyond the write itself.
      const collected = { ownerReferences: undefined, finalizers: undefined, managedFields: undefined, resourceVersion: undefined };
      if (old && isSemanticallyEqual(withMetadata(object, collected), withMetadata(old, collected))) return;
      await requireSignerAuthorization(request, object, rights, { verb: 'attest', signerName, what: 'attest for' });
    },
  };
}
