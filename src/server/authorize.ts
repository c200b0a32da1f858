import type { User } from '../authn/index.ts';
import {
  type Attributes,
  createForbiddenError,
  type Decision,
  resourceAttributes,
  type Selectors,
  withoutSelectors,
} from '../authz/index.ts';
import { internalError, type Product, parseFieldSelector, parseLabelSelector, SelectorError } from '../meta/index.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestInfo } from './request-info.ts';
import { InternalFailure } from './response/internal-failure.ts';
import type { ServerDependencies } from './server-dependencies.ts';

/** @throws StatusError 403; InternalFailure when an authorizer failed and none allowed the request (part 5.6 has a 403 for that too) */
export async function authorize(
  server: ServerDependencies,
  info: RequestInfo,
  user: User,
  { trace, audit }: Pick<RequestContext, 'trace' | 'audit'>,
): Promise<void> {
  const attributes = attributesOf(info, user);
  const startMs = server.env.clock.monotonicMs();
  const answer = server.authorization.authorize(attributes);
  // Reason and evidence may be getters that search many roles.
  const decision = answer instanceof Promise ? await answer : answer;
  const { verdict, error } = decision;
  server.metrics.access.observeAuthorization(resultOf(decision), startMs);
  trace.close('authz', verdict, () => (error === undefined ? decision.evidence : `${decision.evidence}: ${error}`));
  if (audit.isEnabled) audit.annotate(decisionAnnotations(decision, server.product));
  if (verdict === 'allow') return;
  if (error !== undefined && !server.product.switches.failedAuthorizationIs403) throw new InternalFailure(error);
  throw createForbiddenError(attributes, decision.reason);
}

/** The label of a decision in metrics. Cf. k8s.io/apiserver endpoints/filters recordAuthorizationMetrics. */
function resultOf({ verdict, error }: Decision): 'allowed' | 'denied' | 'no-opinion' | 'error' {
  if (verdict === 'allow') return 'allowed';
  if (error !== undefined) return 'error';
  return verdict === 'deny' ? 'denied' : verdict;
}

/** Audit annotations of an authorization decision. */
function decisionAnnotations({ verdict, reason, error }: Decision, { names, switches }: Product): Record<string, string> {
  const { decisionAuditAnnotation: decisionKey, reasonAuditAnnotation: reasonKey } = names;
  if (verdict === 'allow') return { [decisionKey]: 'allow', [reasonKey]: reason };
  return error === undefined || switches.failedAuthorizationIs403
    ? { [decisionKey]: 'forbid', [reasonKey]: reason }
    : { [reasonKey]: 'internal error' };
}

/**
 * A PUT or apply that creates its object also requires the verb `create` (cf. upstream handlers withAuthorization). @throws StatusError
 * 403; 500 when an authorizer failed and none allowed it
 */
export async function authorizeCreate({ server, user, resource, subresource, info }: RequestContext): Promise<void> {
  const { group, version, name: plural } = resource;
  const attributes = resourceAttributes(user, {
    verb: 'create',
    group,
    version,
    resource: plural,
    subresource: subresource?.name ?? '',
    namespace: info.namespace,
    name: info.name,
  });
  const decision = await server.authorization.authorize(attributes);
  if (decision.verdict === 'allow') return;
  const { error } = decision;
  const forbids = error === undefined || server.product.switches.failedAuthorizationIs403;
  throw forbids ? createForbiddenError(attributes, decision.reason) : internalError(error);
}

/** Attributes of the request for authorizers and for flow schema matching. */
export function attributesOf(info: RequestInfo, user: User): Attributes {
  const { isResourceRequest, verb, group, version, resource, subresource, namespace, name, path } = info;
  const selectors = hasSelectors(info) ? () => selectorsOf(info.query) : withoutSelectors;
  return { user, isResourceRequest, verb, group, version, resource, subresource, namespace, name, path, selectors };
}

/** The deprecated `/watch/` paths do not pass selectors to authorizers. */
function hasSelectors({ verb, legacyPrefix, query }: RequestInfo): boolean {
  const several = verb === 'list' || verb === 'watch' || verb === 'deletecollection';
  return several && legacyPrefix === '' && (query.has('fieldSelector') || query.has('labelSelector'));
}

function selectorsOf(query: URLSearchParams): Selectors {
  return {
    field: parseOrEmpty(() => parseFieldSelector(query.get('fieldSelector') ?? '')),
    label: parseOrEmpty(() => parseLabelSelector(query.get('labelSelector') ?? '')),
  };
}

/** Unparsable selectors are ignored here; the list handler returns 400 for them. */
function parseOrEmpty<T>(parse: () => readonly T[]): readonly T[] {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SelectorError) return [];
    throw error;
  }
}
