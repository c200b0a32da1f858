import type { Product } from '../../meta/index.ts';
import type { certificatesv1 } from '../../schema/api/index.ts';
import { type Decoded, isSemanticallyEqual, readRequestedOrganizations } from '../../schema/index.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { createForbiddenError } from '../forbidden-error.ts';
import { requireSignerAuthorization, type SignerAuthorizer } from './signer-authorization.ts';

type SigningRequest = Decoded<certificatesv1.CertificateSigningRequest>;

/** Approval requires the right to approve for the signer of the stored request. Cf. upstream plugin/certificates/approval. */
export function certificateApproval(rights: SignerAuthorizer): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    handles: (write) => write.operation === 'UPDATE' && isSigningRequestWrite(write, 'approval'),
    async validate(request, object, old = object) {
      const signerName = requestSpecOf(old).signerName ?? '';
      await requireSignerAuthorization(request, object, rights, { verb: 'approve', signerName, what: 'approve requests with' });
    },
  };
}

/** Writing the certificate or its conditions requires the right to sign for the signer. Cf. upstream plugin/certificates/signing. */
export function certificateSigning(rights: SignerAuthorizer): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    handles: (write) => write.operation === 'UPDATE' && isSigningRequestWrite(write, 'status'),
    async validate(request, object, old = object) {
      const { status: now }: SigningRequest = object;
      const { status: before }: SigningRequest = old;
      if (isSemanticallyEqual(now?.certificate, before?.certificate) && isSemanticallyEqual(now?.conditions, before?.conditions)) return;
      const signerName = requestSpecOf(old).signerName ?? '';
      await requireSignerAuthorization(request, object, rights, { verb: 'sign', signerName, what: 'sign requests with' });
    },
  };
}

/** Rejects client certificates of the group system:masters. Cf. upstream plugin/certificates/subjectrestriction. */
export function certificateSubjectRestriction(product: Product): AdmissionPlugin {
  const client = product.rename('kubernetes.io/kube-apiserver-client');
  return {
    name: 'CertificateSubjectRestriction',
    handles: (write) => write.operation === 'CREATE' && isSigningRequestWrite(write, ''),
    async validate(request, object) {
      const { signerName, request: encoded } = requestSpecOf(object);
      if (signerName !== client) return;
      if (!readRequestedOrganizations(encoded ?? '').includes('system:masters')) return;
      throw createForbiddenError(request, object, `use of ${client} signer with system:masters group is not allowed`);
    },
  };
}

function requestSpecOf({ spec }: Decoded<certificatesv1.CertificateSigningRequest>): Decoded<certificatesv1.CertificateSigningRequestSpec> {
  return spec ?? {};
}

function isSigningRequestWrite({ group, resource, subresource }: AdmissionAttributes, expectedSubresource: string): boolean {
  return resource === 'certificatesigningrequests' && subresource === expectedSubresource && group.startsWith('certificates.');
}
