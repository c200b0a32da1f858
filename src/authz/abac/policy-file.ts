import { type JsonObject, jsonKind, type Product, recordAt, textAt } from '../../meta/index.ts';
import { NotAnObject, readTyped } from '../json-type.ts';
import type { AbacPolicy } from './abac-authorizer.ts';

/** A policy file that cannot be used; the message is the real server's. */
export class PolicyFileError extends Error {
  override readonly name = 'PolicyFileError';
}

const allAuthenticated = 'system:authenticated';

/**
 * `--authorization-policy-file`: a policy a line, empty lines and comments between them. @throws PolicyFileError
 *
 *     {"apiVersion": "abac.authorization.kubernetes.io/v1beta1", "kind": "Policy", "spec": {"user": "bob", "resource": "pods"}}
 */
export function readPolicyFile(text: string, path: string, product: Product): readonly AbacPolicy[] {
  const group = product.rename('abac.authorization.kubernetes.io');
  return text.split('\n').flatMap((line, index): readonly AbacPolicy[] => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    try {
      return [readPolicy(trimmed, group)];
    } catch (error) {
      if (!(error instanceof PolicyFileError || error instanceof NotAnObject)) throw error;
      const where = `error reading policy file ${path}, line ${index + 1}: ${line.replace(/\r$/, '')}`;
      throw new PolicyFileError(`${where}: ${error.message}`, { cause: error });
    }
  });
}

function readPolicy(line: string, group: string): AbacPolicy {
  const value = readTyped(line);
  const { apiVersion = '', kind = '' } = value;
  // Lines without a version are of the first form, whose policies said all in one level.
  if (apiVersion === '' || kind === '') return unversioned(value);
  if (apiVersion === `${group}/v1beta1` && kind === 'Policy') return versioned(recordAt(value, 'spec'));
  if (apiVersion === `${group}/v0` && kind === 'Policy') return unversioned(value);
  throw new PolicyFileError(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:110"`,
  );
}

function versioned(spec: JsonObject): AbacPolicy {
  refuseWrongTypes(spec, 'PolicySpec.spec');
  const policy = {
    user: textAt(spec, 'user'),
    group: textAt(spec, 'group'),
    readonly: spec['readonly'] === true,
    apiGroup: textAt(spec, 'apiGroup'),
    resource: textAt(spec, 'resource'),
    namespace: textAt(spec, 'namespace'),
    nonResourcePath: textAt(spec, 'nonResourcePath'),
  };
  return forEverybody(policy) ? { ...policy, user: '', group: allAuthenticated } : policy;
}

/** The first form said nothing where it meant everything. */
function unversioned(line: JsonObject): AbacPolicy {
  refuseWrongTypes(line, 'Policy');
  const [user, group, namespace, resource] = ['user', 'group', 'namespace', 'resource'].map((name) => textAt(line, name));
  const policy = { user: user ?? '', group: group ?? '' };
  return {
    ...(forEverybody(policy) || (user === '' && group === '') ? { user: '', group: allAuthenticated } : policy),
    readonly: line['readonly'] === true,
    apiGroup: '*',
    resource: resource || '*',
    namespace: namespace || '*',
    nonResourcePath: namespace === '' && resource === '' ? '*' : '',
  };
}

/** The first that does not fit is told, as Go's decoder does. @throws PolicyFileError */
function refuseWrongTypes(members: JsonObject, struct: string): void {
  for (const [name, value] of Object.entries(members)) {
    const wanted = name === 'readonly' ? 'bool' : fields.has(name) ? 'string' : undefined;
    if (wanted === undefined || value === undefined || value === null || jsonKind(value) === wanted) continue;
    throw new PolicyFileError(`json: cannot unmarshal ${jsonKind(value)} into Go struct field ${struct}.${name} of type ${wanted}`);
  }
}

const fields: ReadonlySet<string> = new Set(['user', 'group', 'apiGroup', 'resource', 'namespace', 'nonResourcePath']);

/** A star means all who are authenticated, not everybody. */
function forEverybody({ user, group }: Pick<AbacPolicy, 'user' | 'group'>): boolean {
  return user === '*' || group === '*';
}
