import type { CertificateRequest } from '../controller.ts';

/** Why a signer does not sign a request; undefined when it does. */
type SignerRule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** The signers of the controller manager, with the names of Kubernetes. Cf. pkg/controller/certificates/signer. */
const rules: ReadonlyMap<string, SignerRule> = new Map([
  ['kubernetes.io/kube-apiserver-client', (_, usages) => checkClientUsages(usages)],
  ['kubernetes.io/kube-apiserver-client-kubelet', checkKubeletClient],
  ['kubernetes.io/kubelet-serving', checkKubeletServing],
  ['kubernetes.io/legacy-unknown', () => undefined],
]);

export const signerNames: readonly string[] = [...rules.keys()];

/** Why a signer does not sign a request; undefined when it does. */
export function signerProblem(signer: string, request: CertificateRequest, usages: readonly string[]): string | undefined {
  return rules.get(signer)?.(request, usages);
}

function checkClientUsages(usages: readonly string[]): string | undefined {
  const allowed = ['digital signature', 'key encipherment', 'client auth'];
  const invalid = usages.find((usage) => !allowed.includes(usage));
  if (invalid !== undefined) return `invalid usage for client certificate: ${invalid}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

/** Cf. pkg/apis/certificates ValidateKubeletClientCSR. */
export function checkKubeletClient(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes(request)) return 'subject organization is not system:nodes';
  if (request.dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (request.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (request.ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
  return nameProblem(request) ?? checkUsages(usages, 'client auth');
}

/** Cf. ValidateKubeletServingCSR. */
function checkKubeletServing(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes(request)) return 'subject organization is not system:nodes';
  if (request.dnsNames.length === 0 && request.ipAddresses.length === 0) return 'DNS or IP subjectAltName is required';
  if (request.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
  return checkUsages(usages, 'server auth') ?? nameProblem(request);
}

function isOfNodes({ organizations }: CertificateRequest): boolean {
  return organizations.length === 1 && organizations[0] === 'system:nodes';
}

function nameProblem({ commonName }: CertificateRequest): string | undefined {
  return commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';
}

/** Keys other than RSA need no key encipherment. */
function checkUsages(usages: readonly string[], purpose: string): string | undefined {
  const given = [...new Set(usages)].sort();
  const required = [purpose, 'digital signature', 'key encipherment'].sort();
  const isRequired = [required, required.filter((usage) => usage !== 'key encipherment')].some((set) => set.join() === given.join());
  return isRequired ? undefined : `usages did not match [${required.join(' ')}]`;
}
