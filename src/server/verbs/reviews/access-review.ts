import type { Decision, Identity, ResourceRule } from '../../../authz/index.ts';
import { withoutSelectors } from '../../../authz/index.ts';
import {
  type ApiObject,
  badRequest,
  type FieldError,
  invalid,
  invalidObject,
  type Json,
  type JsonObject,
  StatusError,
} from '../../../meta/index.ts';
import type { authorizationv1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import type { RequestContext } from '../../request-context.ts';
import { readSelectors, selectorErrors } from './review-selectors.ts';

/** The spec of each access review; that of the caller's own review has no subject. */
type Spec = Decoded<authorizationv1.SubjectAccessReviewSpec>;

function specOf({ spec = {} }: Decoded<authorizationv1.SubjectAccessReview>): Spec {
  return spec;
}

/** SelfSubjectAccessReview: checks the caller's access. */
export function selfSubjectAccessReview(context: RequestContext, review: ApiObject): Promise<ApiObject> {
  const spec = specOf(review);
  throwIfInvalid(context, [
    ...attributeErrors(spec),
    ...selectorErrors(spec.resourceAttributes),
    ...metadataErrors(review, 'must be empty', []),
  ]);
  return reviewAccess(context, review, context.user);
}

/** SubjectAccessReview: checks another user's access. */
export function subjectAccessReview(context: RequestContext, review: ApiObject): Promise<ApiObject> {
  const spec = specOf(review);
  throwIfInvalid(context, [...specErrors(spec), ...metadataErrors(review, 'must be empty', [])]);
  return reviewAccess(context, review, identityOf(spec));
}

/** LocalSubjectAccessReview: checks another user's access in a namespace. */
export function localSubjectAccessReview(context: RequestContext, review: ApiObject): Promise<ApiObject> {
  const spec = specOf(review);
  const others = metadataErrors(review, 'must be empty except for namespace', ['namespace']);
  throwIfInvalid(context, [...specErrors(spec), ...others, ...localErrors(spec, context)]);
  return reviewAccess(context, review, identityOf(spec));
}

/** SelfSubjectRulesReview: lists the caller's rules in a namespace. Cf. upstream registry/authorization/selfsubjectrulesreview. */
export function selfSubjectRulesReview({ server, user }: RequestContext, review: ApiObject): Promise<ApiObject> {
  const { spec }: Decoded<authorizationv1.SelfSubjectRulesReview> = review;
  const namespace = spec?.namespace ?? '';
  if (namespace === '') throw badRequest('no namespace on request');
  const { resourceRules, nonResourceRules, incomplete, error } = server.authorization.rulesFor(user, namespace);
  const status = {
    resourceRules: resourceRules.map(shownRule),
    nonResourceRules: nonResourceRules.map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete,
    ...(error === '' ? {} : { evaluationError: error }),
  };
  return Promise.resolve({ kind: review.kind, apiVersion: review.apiVersion, metadata: {}, spec: {}, status });
}

/** Empty lists are left out, but for the verbs. */
function shownRule({ verbs, apiGroups, resources, resourceNames }: ResourceRule): JsonObject {
  return {
    verbs,
    ...(apiGroups.length === 0 ? {} : { apiGroups }),
    ...(resources.length === 0 ? {} : { resources }),
    ...(resourceNames.length === 0 ? {} : { resourceNames }),
  };
}

function identityOf({ user: username = '', uid = '', groups, extra }: Spec): Identity {
  return { username, uid, groups: groups ?? [], extra: (extra ?? {}) as Identity['extra'] };
}

async function reviewAccess({ server, trace }: RequestContext, review: ApiObject, user: Identity): Promise<ApiObject> {
  const spec = specOf(review);
  const isResourceRequest = spec.resourceAttributes !== undefined;
  const { resourceAttributes: resource = {}, nonResourceAttributes: other = {} } = spec;
  const { selectors, evaluationErrors } = readSelectors(resource);
  const { group = '', version = '', subresource = '', namespace = '', name = '' } = resource;
  const decision = await server.authorization.authorize({
    user,
    isResourceRequest,
    verb: (isResourceRequest ? resource : other).verb ?? '',
    group,
    version: isResourceRequest && version === '' ? '*' : version,
    resource: resource.resource ?? '',
    subresource,
    namespace,
    name,
    path: other.path ?? '',
    selectors: isResourceRequest ? () => selectors : withoutSelectors,
  });
  trace.note(() => `${decision.verdict}: ${decision.evidence}`);
  return { ...review, status: verdictOf(decision, evaluationErrors) };
}

function verdictOf({ verdict, reason, error }: Decision, evaluationErrors: readonly string[]): JsonObject {
  const evaluationError = [...(error === undefined ? [] : [error]), ...evaluationErrors].join('; ');
  return {
    allowed: verdict === 'allow',
    ...(verdict === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(evaluationError === '' ? {} : { evaluationError }),
  };
}

function specErrors(spec: Spec): readonly FieldError[] {
  return [...attributeErrors(spec), ...subjectErrors(spec), ...selectorErrors(spec.resourceAttributes)];
}

/** Upstream's errors here are about a kind without a name. */
function throwIfInvalid({ resource }: RequestContext, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const { code, reason, message, details } = invalidObject({ group: resource.group, name: '' }, '', errors);
  const { kind: _, ...rest } = details ?? {};
  throw new StatusError(code, reason, message, rest);
}

function attributeErrors(spec: Spec): readonly FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    return [invalid('spec.nonResourceAttributes', pathValue(spec), 'cannot be specified in combination with resourceAttributes')];
  }
  if (resourceAttributes !== undefined || nonResourceAttributes !== undefined) return [];
  return [invalid('spec.resourceAttributes', null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified')];
}

/** Formatted like Go's struct. */
function pathValue(spec: Spec): Json {
  const { path = '', verb = '' } = spec.nonResourceAttributes ?? {};
  return { Path: path, Verb: verb };
}

function subjectErrors(spec: Spec): readonly FieldError[] {
  const { username, groups } = identityOf(spec);
  return username === '' && groups.length === 0 ? [invalid('spec.user', '', 'at least one of user or group must be specified')] : [];
}

function metadataErrors({ metadata }: ApiObject, why: string, allowed: readonly string[]): readonly FieldError[] {
  const unexpected = Object.keys(metadata).filter((name) => name !== 'managedFields' && !allowed.includes(name));
  return unexpected.length > 0 ? [invalid('metadata', metadata, why)] : [];
}

function localErrors(spec: Spec, { info }: RequestContext): readonly FieldError[] {
  const errors: FieldError[] = [];
  const namespace = spec.resourceAttributes?.namespace ?? '';
  if (spec.resourceAttributes !== undefined && namespace !== info.namespace)
    errors.push(invalid('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'));
  if (spec.nonResourceAttributes !== undefined)
    errors.push(invalid('spec.nonResourceAttributes', pathValue(spec), 'disallowed on this kind of request'));
  return errors;
}
