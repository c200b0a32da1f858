import type { Decision } from '../../authz/index.ts';
import {
  type ApiObject,
  badRequest,
  type FieldError,
  invalid,
  invalidObject,
  type Json,
  type JsonObject,
  StatusError,
  withMetadata,
} from '../../meta/index.ts';
import { groupVersionOf, type Resource } from '../../schema/index.ts';
import { type Answer, type Call, nowOf } from '../call.ts';
import { membersOf, textOf } from './members.ts';
import { admitOperation, readOperation } from './operation.ts';

const reviews: Readonly<Record<string, (call: Call, review: ApiObject) => Promise<ApiObject>>> = {
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

/** A question put as an object: it is answered and not stored (parts 5.3, 5.6). */
export async function review(call: Call): Promise<Answer> {
  const { resource } = call;
  const operation = await readOperation(call, groupVersionOf(resource), resource.kind);
  const answer = reviews[resource.kind];
  if (!answer) throw new Error(`nobody answers a ${resource.kind}`);
  await admitOperation(call, operation);
  return { form: 'object', status: 201, object: await answer(call, operation.object) };
}

function selfSubjectReview(call: Call, { kind, apiVersion }: ApiObject): Promise<ApiObject> {
  const status = { userInfo: userInfo(call.user) };
  return Promise.resolve({ kind, apiVersion, metadata: { creationTimestamp: nowOf(call) }, status });
}

function userInfo({ username, uid, groups, extra }: Call['user']): JsonObject {
  return {
    ...(username === '' ? {} : { username }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** Whose token is this; told to whoever may ask. */
async function tokenReview(call: Call, review: ApiObject): Promise<ApiObject> {
  const { token = '', audiences } = membersOf(review, 'spec');
  if (typeof token !== 'string' || token === '') throw badRequest('token is required for TokenReview in authentication');
  const asked = Array.isArray(audiences) ? audiences.map(String) : [];
  const known = await call.server.authentication.review(token, asked);
  const status = {
    ...(known.user ? { authenticated: true } : {}),
    user: known.user ? userInfo(known.user) : {},
    ...(known.audiences.length === 0 ? {} : { audiences: known.audiences }),
    ...(known.error === '' ? {} : { error: known.error }),
  };
  return { ...withMetadata(review, { namespace: undefined }), status };
}

function selfSubjectAccessReview(call: Call, review: ApiObject): Promise<ApiObject> {
  const spec = membersOf(review, 'spec');
  refuse(call, [...attributeErrors(spec), ...metadataErrors(review, [])]);
  return decided(call, review, call.user);
}

function subjectAccessReview(call: Call, review: ApiObject): Promise<ApiObject> {
  const spec = membersOf(review, 'spec');
  refuse(call, [...attributeErrors(spec), ...subjectErrors(spec), ...metadataErrors(review, [])]);
  return decided(call, review, subjectOf(spec));
}

function localSubjectAccessReview(call: Call, review: ApiObject): Promise<ApiObject> {
  const spec = membersOf(review, 'spec');
  refuse(call, [...attributeErrors(spec), ...subjectErrors(spec), ...metadataErrors(review, ['namespace']), ...localErrors(spec, call)]);
  return decided(call, review, subjectOf(spec));
}

interface Subject {
  readonly username: string;
  readonly groups: readonly string[];
}

function subjectOf({ user = '', groups }: JsonObject): Subject {
  return { username: String(user), groups: Array.isArray(groups) ? groups.map(String) : [] };
}

async function decided({ server }: Call, review: ApiObject, user: Subject): Promise<ApiObject> {
  const spec = membersOf(review, 'spec');
  const resource = membersOf(spec, 'resourceAttributes');
  const other = membersOf(spec, 'nonResourceAttributes');
  const isResourceRequest = spec['resourceAttributes'] !== undefined;
  const decision = await server.authorization.authorize({
    user,
    isResourceRequest,
    verb: textOf(isResourceRequest ? resource : other, 'verb'),
    group: textOf(resource, 'group'),
    resource: textOf(resource, 'resource'),
    subresource: textOf(resource, 'subresource'),
    namespace: textOf(resource, 'namespace'),
    name: textOf(resource, 'name'),
    path: textOf(other, 'path'),
  });
  return { ...review, status: verdictOf(decision) };
}

function verdictOf({ verdict, reason }: Decision): JsonObject {
  return {
    allowed: verdict === 'allow',
    ...(verdict === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
  };
}

/** What somebody may do in a namespace; only authorizers that keep rules can tell, and ours of today decide request by request. */
function selfSubjectRulesReview(call: Call, review: ApiObject): Promise<ApiObject> {
  if (textOf(membersOf(review, 'spec'), 'namespace') === '') throw badRequest('no namespace on request');
  const status = {
    resourceRules: [],
    nonResourceRules: [],
    incomplete: true,
    evaluationError: `${call.server.authorization.name} authorizer does not support user rule resolution`,
  };
  return Promise.resolve({ kind: review.kind, apiVersion: review.apiVersion, metadata: {}, spec: {}, status });
}

/** Upstream's errors here are about a kind without a name. */
function refuse({ resource }: Call, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const { code, reason, message, details } = invalidObject({ group: resource.group, name: '' }, '', errors);
  const { kind: _, ...told } = details ?? {};
  throw new StatusError(code, reason, message, told);
}

function attributeErrors(spec: JsonObject): readonly FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    return [invalid('spec.nonResourceAttributes', pathValue(spec), 'cannot be specified in combination with resourceAttributes')];
  }
  if (resourceAttributes !== undefined || nonResourceAttributes !== undefined) return [];
  return [invalid('spec.resourceAttributes', null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified')];
}

/** As Go's struct shows it. */
function pathValue(spec: JsonObject): Json {
  const attributes = membersOf(spec, 'nonResourceAttributes');
  return { Path: textOf(attributes, 'path'), Verb: textOf(attributes, 'verb') };
}

function subjectErrors(spec: JsonObject): readonly FieldError[] {
  const { username, groups } = subjectOf(spec);
  return username === '' && groups.length === 0 ? [invalid('spec.user', '', 'at least one of user or group must be specified')] : [];
}

function metadataErrors({ metadata }: ApiObject, allowed: readonly string[]): readonly FieldError[] {
  const said = Object.keys(metadata).filter((name) => name !== 'managedFields' && !allowed.includes(name));
  return said.length > 0 ? [invalid('metadata', metadata, 'must be empty')] : [];
}

function localErrors(spec: JsonObject, { info }: Call): readonly FieldError[] {
  const errors: FieldError[] = [];
  const namespace = textOf(membersOf(spec, 'resourceAttributes'), 'namespace');
  if (spec['resourceAttributes'] !== undefined && namespace !== info.namespace)
    errors.push(invalid('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'));
  if (spec['nonResourceAttributes'] !== undefined)
    errors.push(invalid('spec.nonResourceAttributes', pathValue(spec), 'disallowed on this kind of request'));
  return errors;
}
