import type { ObjectClaim, TokenClaims } from '../../../authn/index.ts';
import { errorMessage } from '../../../env/index.ts';
import {
  type ApiObject,
  badRequest,
  conflict,
  type FieldError,
  formatTime,
  type GroupResource,
  internalError,
  invalid,
  invalidObject,
  notFound,
  type StatusError,
  withMetadata,
} from '../../../meta/index.ts';
import type { authenticationv1, corev1 } from '../../../schema/api/index.ts';
import { type Decoded, parseGroupVersion, requireResource } from '../../../schema/index.ts';
import { type Answer, nowOf, type RequestContext, warn } from '../../request-context.ts';
import { refOf } from '../get.ts';
import { admitOperation, readOperation } from '../operation.ts';

const leastSeconds = 600;
const mostSeconds = 2 ** 32;

/**
 * The expiration that kubelets request for pods. Such a token lives for a year and carries the time of its nominal expiry, so that programs
 * that never reload it are found before they fail.
 */
const extendedFromSeconds = 3607;
const extendedSeconds = 365 * 24 * 60 * 60;

/** A token of a service account, for a time and for some audiences. Cf. upstream serviceaccount TokenREST. */
export async function requestToken(context: RequestContext): Promise<Answer> {
  const { server, subresource } = context;
  const groupVersion = subresource?.groupVersion ?? '';
  const operation = await readOperation(context, { groupVersion, kind: 'TokenRequest', preservesSystemFields: true });
  const subject = { group: parseGroupVersion(groupVersion).group, name: 'TokenRequest' };
  checkNames(operation.object, context, subject);
  const { object: account } = await server.store.get(refOf(context));
  checkUid(operation.object, account, context, subject);
  const nowMs = server.env.clock.nowMs();
  const request = completeRequest(operation.object, account, context);
  const errors = expirationErrors(request);
  if (errors.length > 0) throw invalidObject(subject, '', errors);
  const unanswered = { ...request, status: { token: '', expirationTimestamp: null } };
  await admitOperation(context, { ...operation, object: unanswered });
  const bound = await resolveBoundObject(context, request);
  const granted = limitExpiration(request, context);
  const token = await signToken(context, granted, { nowMs, account, bound });
  const expirationTimestamp = formatTime(nowMs + secondsOf(granted) * 1000);
  return { form: 'object', status: 201, object: { ...granted, status: { token, expirationTimestamp } } };
}

function checkNames({ metadata }: ApiObject, { info }: RequestContext, subject: GroupResource): void {
  const wrong = (field: string, value: string, what: string): StatusError =>
    invalidObject(subject, info.name, [invalid(field, value, `must match the service account ${what} if specified`)]);
  const { name = '', namespace = '' } = metadata;
  if (name !== '' && name !== info.name) throw wrong('metadata.name', name, 'name');
  if (namespace !== '' && namespace !== info.namespace) throw wrong('metadata.namespace', namespace, 'namespace');
}

function checkUid({ metadata }: ApiObject, account: ApiObject, { info }: RequestContext, subject: GroupResource): void {
  const { uid = '' } = metadata;
  if (uid === '' || uid === account.metadata.uid) return;
  const why = `the UID in the token request (${uid}) does not match the UID of the service account (${account.metadata.uid})`;
  throw conflict(subject, info.name, why);
}

function completeRequest(request: ApiObject, account: ApiObject, context: RequestContext): ApiObject {
  const { kind, apiVersion, metadata } = request;
  const { spec: given = {} }: TokenRequest = request;
  const spec = {
    audiences: given.audiences?.length ? given.audiences : context.server.issuer.audiences,
    expirationSeconds: given.expirationSeconds ?? 3600,
    boundObjectRef: given.boundObjectRef ?? null,
  };
  const { name = '', namespace = '', uid = '' } = account.metadata;
  return withMetadata({ kind, apiVersion, metadata, spec }, { name, namespace, uid, creationTimestamp: nowOf(context) });
}

function secondsOf({ spec }: TokenRequest): number {
  return Number(spec?.expirationSeconds);
}

function expirationErrors(request: TokenRequest): readonly FieldError[] {
  const seconds = secondsOf(request);
  const requested = request.spec?.expirationSeconds;
  const refuse = (why: string): readonly FieldError[] => [invalid('spec.expirationSeconds', requested, why)];
  if (seconds < leastSeconds) return refuse('may not specify a duration less than 10 minutes');
  return seconds > mostSeconds ? refuse('may not specify a duration larger than 2^32 seconds') : [];
}

type TokenRequest = Decoded<authenticationv1.TokenRequest>;

/** The objects that a token is bound to, as claims. */
type Bound = Pick<TokenClaims, 'pod' | 'secret' | 'node'>;

/** Checks that the bound object exists and has the given uid. */
async function resolveBoundObject(context: RequestContext, { spec }: TokenRequest): Promise<Bound> {
  if (!spec?.boundObjectRef) return {};
  const { kind = '', apiVersion = '', name = '', uid = '' } = spec.boundObjectRef;
  // A version that cannot be read counts as none.
  const { group, version } = parseGroupVersion(apiVersion.split('/').length > 2 ? '' : apiVersion);
  const bound = group === '' ? await boundObject(context, kind, name) : undefined;
  if (!bound) throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  const actual = (bound.pod ?? bound.secret ?? bound.node)?.uid;
  if (uid === '' || uid === actual) return bound;
  const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict({ group: '', name: kind }, name, why);
}

async function boundObject(context: RequestContext, kind: string, name: string): Promise<Bound | undefined> {
  if (name === '' && ['Pod', 'Secret', 'Node'].includes(kind)) throw badRequest('Name parameter required.');
  switch (kind) {
    case 'Pod':
      return boundPod(context, name);
    case 'Secret':
      return { secret: claimOf(await getObject(context, 'secrets', name)) };
    case 'Node':
      return { node: claimOf(await getObject(context, 'nodes', name)) };
    default:
      return undefined;
  }
}

async function boundPod(context: RequestContext, name: string): Promise<Bound> {
  const pod = await getObject(context, 'pods', name);
  const { spec }: Decoded<corev1.Pod> = pod;
  if (spec?.serviceAccountName !== context.info.name)
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(context.info.name)} to pod running with different serviceaccount name.`,
    );
  const nodeName = spec?.nodeName;
  if (!nodeName) return { pod: claimOf(pod) };
  const node = await findObject(context, 'nodes', nodeName);
  return { pod: claimOf(pod), node: node ? claimOf(node) : { name: nodeName, uid: '' } };
}

async function findObject({ server, info }: RequestContext, name: string, objectName: string): Promise<ApiObject | undefined> {
  const resource = requireResource(server.catalog, 'v1', name);
  return (await server.store.find({ resource, namespace: resource.namespaced ? info.namespace : '', name: objectName }))?.object;
}

async function getObject(context: RequestContext, name: string, objectName: string): Promise<ApiObject> {
  const object = await findObject(context, name, objectName);
  if (!object) throw notFound({ group: '', name }, objectName);
  return object;
}

function claimOf({ metadata: { name = '', uid = '' } }: ApiObject): ObjectClaim {
  return { name, uid };
}

/** Limits the expiration to the server's maximum. */
function limitExpiration(request: ApiObject, context: RequestContext): ApiObject {
  const most = context.server.issuer.maxExpirationSeconds;
  const seconds = secondsOf(request);
  if (most === 0 || seconds <= most) return request;
  warn(context, `requested expiration of ${seconds} seconds shortened to ${most} seconds`);
  const { spec }: TokenRequest = request;
  return { ...request, spec: { ...spec, expirationSeconds: most } };
}

interface TokenFacts {
  readonly nowMs: number;
  readonly account: ApiObject;
  readonly bound: Bound;
}

async function signToken(
  { server: { issuer, product, env }, audit }: RequestContext,
  request: TokenRequest,
  { nowMs, account, bound }: TokenFacts,
): Promise<string> {
  const audiences = request.spec?.audiences ?? [];
  const seconds = secondsOf(request);
  const isForApi = audiences.every((audience) => issuer.audiences.includes(audience));
  const isExtended = issuer.extendsExpiration && bound.pod !== undefined && seconds === extendedFromSeconds && isForApi;
  const id = env.random.uuid();
  try {
    const token = await issuer.sign({
      id,
      namespace: account.metadata.namespace ?? '',
      account: claimOf(account),
      ...bound,
      audiences,
      nowMs,
      expirationSeconds: isExtended ? extendedSeconds : seconds,
      ...(isExtended ? { warnAfterSeconds: seconds } : {}),
    });
    audit.annotate({ [product.rename('authentication.kubernetes.io/issued-credential-id')]: `JTI=${id}` });
    return token;
  } catch (error) {
    throw internalError(`failed to generate token: ${errorMessage(error)}`, error);
  }
}
