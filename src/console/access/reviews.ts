import { recordAt } from '../../meta/index.ts';
import { createClient } from '../explore/api.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import type { ResourceAttributes, UserInfo } from './rbac.ts';

export interface Decision {
  readonly allowed: boolean;
  readonly denied: boolean;
  readonly reason: string;
}

/** Creates a SubjectAccessReview, or without a user a SelfSubjectAccessReview, which every user may create. @throws StatusError */
export async function reviewAccess(model: ConsoleModel, user: UserInfo | undefined, attributes: ResourceAttributes): Promise<Decision> {
  const group = model.product.rename('authorization.k8s.io');
  const kind = user === undefined ? 'SelfSubjectAccessReview' : 'SubjectAccessReview';
  const body = { apiVersion: `${group}/v1`, kind, spec: { ...user, resourceAttributes: attributes } };
  const path = `/apis/${group}/v1/${kind.toLowerCase()}s`;
  const review = await createClient(model, { screen: 'access' }).read('POST', path, { body });
  const { allowed, denied, reason } = recordAt(review, 'status');
  return { allowed: allowed === true, denied: denied === true, reason: String(reason ?? '') };
}

/** Returns the authenticated user, by a SelfSubjectReview. @throws StatusError with 401 for invalid credentials */
export async function reviewSelf(model: ConsoleModel): Promise<UserInfo> {
  const group = model.product.rename('authentication.k8s.io');
  const body = { apiVersion: `${group}/v1`, kind: 'SelfSubjectReview' };
  const review = await createClient(model).read('POST', `/apis/${group}/v1/selfsubjectreviews`, { body });
  const info = recordAt(recordAt(review, 'status'), 'userInfo');
  return { user: String(info['username'] ?? ''), groups: Array.isArray(info['groups']) ? info['groups'].map(String) : [] };
}
