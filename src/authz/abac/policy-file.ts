import { type JsonObject, jsonKind, type Product, recordAt, textAt, UnreadableDocument } from '../../meta/index.ts';
import { parseTypedObject } from '../typed-object.ts';
import type { AbacPolicy } from './abac-authorizer.ts';

/** An invalid policy file; the message is upstream's. */
export class PolicyFileError extends Error {
  override readonly name = 'PolicyFileError';
}

const allAuthenticated = 'system:authenticated';

/**
 * `--authorization-policy-file`: one policy per line; empty lines and comments are skipped. @throws PolicyFileError
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
      if (!(error instanceof PolicyFileError || error instanceof UnreadableDocument)) throw error;
      const where = `error reading policy file ${path}, line ${index + 1}: ${line.replace(/\r$/, '')}`;
      throw new PolicyFileError(`${where}: ${error.message}`, { cause: error });
    }
  });
}

function readPolicy(line: string, group: string): AbacPolicy {
  const value = parseTypedObject(line);
  const { apiVersion = '', kind = '' } = value;
  // Lines without a version have the format v0, which is flat.
  if (apiVersion === '' || kind === '') return convertV0Policy(value);
  if (apiVersion === `${group}/v1beta1` && kind === 'Policy') return convertV1beta1Policy(recordAt(value, 'spec'));
  if (apiVersion === `${group}/v0` && kind === 'Policy') return convertV0Policy(value);
  throw new PolicyFileError(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:110"`,
  );
}

function convertV1beta1Policy(spec: JsonObject): AbacPolicy {
  requireFieldTypes(spec, 'PolicySpec.spec');
  const policy = {
    user: textAt(spec, 'user'),
    group: textAt(spec, 'group'),
    readonly: spec['readonly'] === true,
    apiGroup: textAt(spec, 'apiGroup'),
    resource: textAt(spec, 'resource'),
    namespace: textAt(spec, 'namespace'),
    nonResourcePath: textAt(spec, 'nonResourcePath'),
  };
  return matchesEveryone(policy) ? { ...policy, user: '', group: allAuthenticated } : policy;
}

/** In v0, an empty field matches everything. */
function convertV0Policy(line: JsonObject): AbacPolicy {
  requireFieldTypes(line, 'Policy');
  const [user, group, namespace, resource] = ['user', 'group', 'namespace', 'resource'].map((name) => textAt(line, name));
  const policy = { user: user ?? '', group: group ?? '' };
  return {
    ...(matchesEveryone(policy) || (user === '' && group === '') ? { user: '', group: allAuthenticated } : policy),
    readonly: line['readonly'] === true,
    apiGroup: '*',
    resource: resource || '*',
    namespace: namespace || '*',
    nonResourcePath: namespace === '' && resource === '' ? '*' : '',
  };
}

/** Reports the first member of a wrong type, like Go's decoder. @throws PolicyFileError */
function requireFieldTypes(members: JsonObject, struct: string): void {
  for (const [name, value] of Object.entries(members)) {
    const wanted = name === 'readonly' ? 'bool' : fields.has(name) ? 'string' : undefined;
    if (wanted === undefined || value === undefined || value === null || jsonKind(value) === wanted) continue;
    throw new PolicyFileError(`json: cannot unmarshal ${jsonKind(value)} into Go struct field ${struct}.${name} of type ${wanted}`);
  }
}

const fields: ReadonlySet<string> = new Set(['user', 'group', 'apiGroup', 'resource', 'namespace', 'nonResourcePath']);

/** A star matches authenticated users only. */
function matchesEveryone({ user, group }: Pick<AbacPolicy, 'user' | 'group'>): boolean {
  return user === '*' || group === '*';
}
