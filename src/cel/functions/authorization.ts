import { OpaqueValue, type Result } from '../values/value.ts';
import type { Functions } from './functions.ts';

/** An authorizer check of an expression: `authorizer.group('apps').resource('deployments').check('create')`. */
export interface AccessAttributes {
  readonly verb: string;
  /** For non-resource checks: `/healthz`. */
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** Checks this service account instead of the requester. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

export interface AccessDecision {
  readonly allowed: boolean;
  readonly reason: string;
  /** An error during authorization. */
  readonly error?: string;
}

/** Answers synchronously. Throws when the answer needs waiting; the evaluation is then repeated. */
export type AccessLookup = (attributes: AccessAttributes) => AccessDecision;

type Kind = 'Authorizer' | 'PathCheck' | 'GroupCheck' | 'ResourceCheck';

/** An authorizer check under construction. */
class AccessCheck extends OpaqueValue {
  readonly typeName: string;
  readonly lookup: AccessLookup;
  readonly attributes: Omit<AccessAttributes, 'verb'>;

  constructor(kind: Kind, lookup: AccessLookup, attributes: Omit<AccessAttributes, 'verb'>) {
    super();
    this.typeName = `kubernetes.authorization.${kind}`;
    this.lookup = lookup;
    this.attributes = attributes;
  }

  with(kind: Kind, more: Omit<AccessAttributes, 'verb'>): AccessCheck {
    return new AccessCheck(kind, this.lookup, { ...this.attributes, ...more });
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof AccessCheck && JSON.stringify(other.attributes) === JSON.stringify(this.attributes);
  }
}

class Decision extends OpaqueValue {
  readonly typeName = 'kubernetes.authorization.Decision';
  readonly decision: AccessDecision;

  constructor(answer: AccessDecision) {
    super();
    this.decision = answer;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof Decision && JSON.stringify(other.decision) === JSON.stringify(this.decision);
  }
}

/** The value of the variable `authorizer`. */
export function authorizerValue(lookup: AccessLookup): OpaqueValue {
  return new AccessCheck('Authorizer', lookup, {});
}

/** The value of `authorizer.requestResource`: a check without its verb. */
export function resourceCheckValue(lookup: AccessLookup, attributes: Omit<AccessAttributes, 'verb'>): OpaqueValue {
  return new AccessCheck('ResourceCheck', lookup, attributes);
}

const resourceStep =
  (field: keyof AccessAttributes) =>
  (check: AccessCheck, value: string): Result =>
    check.with('ResourceCheck', { [field]: value });

export const authorization: Functions = {
  path: (check: AccessCheck, path: string): Result => check.with('PathCheck', { path }),
  group: (check: AccessCheck, group: string): Result => check.with('GroupCheck', { group }),
  serviceAccount: (check: AccessCheck, namespace: string, name: string): Result =>
    check.with('Authorizer', { serviceAccount: { namespace, name } }),
  resource: resourceStep('resource'),
  subresource: resourceStep('subresource'),
  namespace: resourceStep('namespace'),
  name: resourceStep('name'),
  fieldSelector: resourceStep('fieldSelector'),
  labelSelector: resourceStep('labelSelector'),
  check: (check: AccessCheck, verb: string): Result => new Decision(check.lookup({ ...check.attributes, verb })),
  allowed: ({ decision: answer }: Decision): Result => answer.allowed,
  reason: ({ decision: answer }: Decision): Result => answer.reason,
  errored: ({ decision: answer }: Decision): Result => answer.error !== undefined,
  error: ({ decision: answer }: Decision): Result => answer.error ?? '',
};
