import { type ApiObject, badRequest, type JsonObject, withMetadata } from '../../../meta/index.ts';
import type { authenticationv1 } from '../../../schema/api/index.ts';
import { type Decoded, formatGroupVersion, type Resource } from '../../../schema/index.ts';
import { type Answer, nowOf, type RequestContext } from '../../request-context.ts';
import { admitOperation, readOperation } from '../operation.ts';
import { localSubjectAccessReview, selfSubjectAccessReview, selfSubjectRulesReview, subjectAccessReview } from './access-review.ts';

const reviews: Readonly<Record<string, (context: RequestContext, review: ApiObject) => Promise<ApiObject>>> = {
  SelfSubjectReview: selfSubjectReview,
  TokenReview: tokenReview,
  SelfSubjectAccessReview: selfSubjectAccessReview,
  SubjectAccessReview: subjectAccessReview,
  LocalSubjectAccessReview: localSubjectAccessReview,
  SelfSubjectRulesReview: selfSubjectRulesReview,
};

export function isReview({ kind, custom, verbs }: Resource): boolean {
  return !custom && !verbs.has('get') && Object.hasOwn(reviews, kind);
}

/** Reviews are answered and not stored (parts 5.3, 5.6). */
export async function review(context: RequestContext): Promise<Answer> {
  const { resource } = context;
  const operation = await readOperation(context, { groupVersion: formatGroupVersion(resource), kind: resource.kind });
  const answer = reviews[resource.kind];
  if (!answer) throw new Error(`nobody answers a ${resource.kind}`);
  await admitOperation(context, operation);
  const { kind, apiVersion, ...answered } = await answer(context, operation.object);
  return { form: 'object', status: 201, object: { kind, apiVersion, ...answered } as ApiObject };
}

function selfSubjectReview(context: RequestContext, { kind, apiVersion }: ApiObject): Promise<ApiObject> {
  const status = { userInfo: userInfo(context.user) };
  return Promise.resolve({ kind, apiVersion, metadata: { creationTimestamp: nowOf(context) }, status });
}

function userInfo({ username, uid, groups, extra }: RequestContext['user']): JsonObject {
  return {
    ...(username === '' ? {} : { username }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** TokenReview: authenticates a token. */
async function tokenReview(context: RequestContext, review: ApiObject): Promise<ApiObject> {
  const { spec = {}, status: sent = {} }: Decoded<authenticationv1.TokenReview> = review;
  const { token, audiences = [] } = spec;
  if (!token) throw badRequest('token is required for TokenReview in authentication');
  const known = await context.server.authentication.review(token, audiences);
  // A status in the request is retained where the authenticator returns nothing (upstream registry tokenreview Create).
  const { user = {}, audiences: sentAudiences, error } = sent;
  const shownAudiences = known.user ? known.audiences : sentAudiences;
  const shownError = known.error === '' ? error : known.error;
  const status = {
    ...(known.user ? { authenticated: true } : {}),
    user: known.user ? userInfo(known.user) : user,
    ...(isAbsent(shownAudiences) ? {} : { audiences: shownAudiences }),
    ...(isAbsent(shownError) ? {} : { error: shownError }),
  };
  return { ...withMetadata(review, { namespace: undefined }), status };
}

/** As Go leaves it out. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
