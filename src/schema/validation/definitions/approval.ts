import { invalid, required } from '../../../meta/index.ts';
import type { apiextensionsv1 } from '../../api/index.ts';
import { type Errors, none } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import type { ValidationContext } from '../kind-validator.ts';

/** API approval state of a definition in a protected group. */
export interface Approval {
  readonly state: 'missing' | 'bypassed' | 'approved' | 'invalid';
  /** The reason in errors and conditions. */
  readonly reason: string;
}

const approvalDocs = 'https://github.com/kubernetes/enhancements/pull/1111';

/** Undefined for groups that are not protected. Cf. upstream apihelpers.GetAPIApprovalState. */
export function getApprovalState(
  definition: Decoded<apiextensionsv1.CustomResourceDefinition>,
  { rename }: Pick<ValidationContext, 'rename'>,
): Approval | undefined {
  const group = definition.spec?.group ?? '';
  const isProtected = ['x.k8s.io', 'x.kubernetes.io'].some((own) => {
    const domain = rename(own).slice('x.'.length);
    return group === domain || group.endsWith(`.${domain}`);
  });
  if (!isProtected) return undefined;
  const annotation = approvalAnnotation(rename);
  const value = definition.metadata?.annotations?.[annotation] ?? '';
  const needed = `protected groups must have approval annotation ${JSON.stringify(annotation)}`;
  if (value === '') return { state: 'missing', reason: `${needed}, see ${approvalDocs}` };
  if (value.startsWith('unapproved')) return { state: 'bypassed', reason: `not approved: ${JSON.stringify(value)}` };
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/]+/i.test(value)) return { state: 'approved', reason: `approved in ${value}` };
  return { state: 'invalid', reason: `${needed} with either a URL or a reason starting with "unapproved", see ${approvalDocs}` };
}

function approvalAnnotation(rename: ValidationContext['rename']): string {
  return rename('api-approved.kubernetes.io');
}

/** An unchanged approval state is not validated again. */
export function validateApproval(
  next: Decoded<apiextensionsv1.CustomResourceDefinition>,
  old: Decoded<apiextensionsv1.CustomResourceDefinition> | undefined,
  context: ValidationContext,
): Errors {
  const approval = getApprovalState(next, context);
  if (!approval || (old && getApprovalState(old, context)?.state === approval.state)) return none;
  const annotation = approvalAnnotation(context.rename);
  const path = `metadata.annotations[${annotation}]`;
  if (approval.state === 'missing') return [required(path, approval.reason)];
  return approval.state === 'invalid' ? [invalid(path, next.metadata?.annotations?.[annotation], approval.reason)] : none;
}
