import { formatHumanDuration } from '../../meta/index.ts';
import { age, type CellOf, type Column, field, name, text, wide } from './column.ts';
import { isSet, listAt, textAt, valueAt } from './read.ts';

const bindingColumns = [
  name,
  text('Role', (binding) => `${textAt(binding, 'roleRef.kind')}/${textAt(binding, 'roleRef.name')}`),
  age,
  wide(text('Users', subjects('User'))),
  wide(text('Groups', subjects('Group'))),
  wide(text('ServiceAccounts', subjects('ServiceAccount'))),
];
/** Columns of rbac and certificates. */
export const accessColumns: Readonly<Record<string, readonly Column[]>> = {
  CertificateSigningRequest: [
    name,
    age,
    text('SignerName', field('spec.signerName', '<none>')),
    text('Requestor', field('spec.username')),
    text('RequestedDuration', (request) => {
      const seconds = valueAt(request, 'spec.expirationSeconds');
      return isSet(seconds) ? formatHumanDuration(Number(seconds) * 1000) : '<none>';
    }),
    text('Condition', requestCondition),
  ],
  ClusterRoleBinding: bindingColumns,
  ClusterTrustBundle: [name, text('SignerName', field('spec.signerName', '<none>'))],
  PodCertificateRequest: [
    name,
    text('PodName', field('spec.podName')),
    text('ServiceAccountName', field('spec.serviceAccountName')),
    text('NodeName', field('spec.nodeName')),
    text('SignerName', field('spec.signerName')),
    text('State', (request) => {
      const types = listAt(request, 'status.conditions').map((condition) => textAt(condition, 'type'));
      return types.findLast((type) => type === 'Issued' || type === 'Denied' || type === 'Failed') ?? 'Pending';
    }),
  ],
  RoleBinding: bindingColumns,
};

function subjects(kind: string): CellOf {
  return (binding) =>
    listAt(binding, 'subjects')
      .filter((subject) => textAt(subject, 'kind') === kind)
      .map((subject) => (kind === 'ServiceAccount' ? `${textAt(subject, 'namespace')}/` : '') + textAt(subject, 'name'))
      .join(', ');
}

function requestCondition(request: unknown): string {
  const types = new Set(listAt(request, 'status.conditions').map((condition) => textAt(condition, 'type')));
  const decided = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  return `${decided}${types.has('Failed') ? ',Failed' : ''}${textAt(request, 'status.certificate') === '' ? '' : ',Issued'}`;
}
