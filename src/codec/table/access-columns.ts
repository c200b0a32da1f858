import { formatHumanDuration } from '../../meta/index.ts';
import type { certificatesv1, rbacv1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { age, type Column, type KindColumns, name, text, wide } from './column.ts';

type Binding = Decoded<rbacv1.ClusterRoleBinding>;

const bindingColumns: readonly Column<Binding>[] = [
  name,
  text('Role', ({ roleRef }) => `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`),
  age,
  wide(text('Users', (binding) => subjectsText(binding, 'User'))),
  wide(text('Groups', (binding) => subjectsText(binding, 'Group'))),
  wide(text('ServiceAccounts', (binding) => subjectsText(binding, 'ServiceAccount'))),
];

interface SignedSpec {
  readonly spec?: { readonly signerName?: string };
}

interface PodCertificateRequest {
  readonly spec?: {
    readonly podName?: string;
    readonly serviceAccountName?: string;
    readonly nodeName?: string;
    readonly signerName?: string;
  };
  readonly status?: { readonly conditions?: readonly { readonly type?: string }[] };
}

/** Columns of rbac and certificates. */
export const accessColumns: KindColumns = {
  CertificateSigningRequest: [
    name,
    age,
    text('SignerName', ({ spec }) => spec?.signerName || '<none>'),
    text('Requestor', ({ spec }) => spec?.username),
    text('RequestedDuration', ({ spec }) => {
      const seconds = spec?.expirationSeconds;
      return seconds === undefined ? '<none>' : formatHumanDuration(seconds * 1000);
    }),
    text('Condition', requestCondition),
  ],
  ClusterRoleBinding: bindingColumns,
  ClusterTrustBundle: [name, text('SignerName', ({ spec }: SignedSpec) => spec?.signerName || '<none>')],
  PodCertificateRequest: [
    name,
    text('PodName', ({ spec }: PodCertificateRequest) => spec?.podName),
    text('ServiceAccountName', ({ spec }: PodCertificateRequest) => spec?.serviceAccountName),
    text('NodeName', ({ spec }: PodCertificateRequest) => spec?.nodeName),
    text('SignerName', ({ spec }: PodCertificateRequest) => spec?.signerName),
    text('State', ({ status }: PodCertificateRequest) => {
      const types = (status?.conditions ?? []).map(({ type }) => type);
      return types.findLast((type) => type === 'Issued' || type === 'Denied' || type === 'Failed') ?? 'Pending';
    }),
  ],
  RoleBinding: bindingColumns,
};

function subjectsText({ subjects = [] }: Binding, kind: string): string {
  return subjects
    .filter((subject) => subject.kind === kind)
    .map(({ namespace = '', name = '' }) => (kind === 'ServiceAccount' ? `${namespace}/${name}` : name))
    .join(', ');
}

function requestCondition({ status }: Decoded<certificatesv1.CertificateSigningRequest>): string {
  const types = new Set((status?.conditions ?? []).map(({ type }) => type));
  const decided = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  return `${decided}${types.has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`;
}
