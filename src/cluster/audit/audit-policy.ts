import { type AuditPolicy, AuditPolicyError, readAuditPolicy } from '../../audit/index.ts';
import type { Log } from '../../env/index.ts';
import type { JsonObject, Product } from '../../meta/index.ts';
import {
  bool,
  ConfigurationFileError,
  decodeTyped,
  listOf,
  readTypedFile,
  struct,
  text,
  unregisteredKindError,
} from '../configuration/configuration-file.ts';

const texts = listOf(text);

/** The other kinds of the API group. */
const events: readonly string[] = ['Event', 'EventList'];

const policy = struct('Policy', {
  kind: text,
  apiVersion: text,
  metadata: struct('ObjectMeta', { name: text, namespace: text, creationTimestamp: text }),
  rules: listOf(
    struct('PolicyRule', {
      level: text,
      users: texts,
      userGroups: texts,
      verbs: texts,
      resources: listOf(struct('GroupResources', { group: text, resources: texts, resourceNames: texts })),
      namespaces: texts,
      nonResourceURLs: texts,
      omitStages: texts,
      omitManagedFields: bool,
    }),
  ),
  omitStages: texts,
  omitManagedFields: bool,
});

/** Parses `--audit-policy-file`. Unknown fields are ignored and logged. @throws AuditPolicyError with the real server's message */
export function readAuditPolicyFile(content: string, product: Product, log: Log): AuditPolicy {
  return readAuditPolicy(decodePolicy(content, product, log));
}

function decodePolicy(content: string, product: Product, log: Log): JsonObject {
  const groupVersion = product.rename('audit.k8s.io/v1');
  try {
    const { document, apiVersion, kind: given } = readTypedFile(content);
    const kind = given || 'Policy';
    // A document without apiVersion and kind is decoded as the internal version of Policy, which is not accepted.
    if (apiVersion === '' && kind === 'Policy') {
      const internal = product.rename('audit.k8s.io/__internal');
      throw new AuditPolicyError(`unknown group version field ${internal}, Kind=Policy in policy`);
    }
    if (apiVersion !== groupVersion || !['Policy', ...events].includes(kind)) throw unregisteredKindError(apiVersion, kind);
    if (events.includes(kind)) throw new ConfigurationFileError(`converting (v1.${kind}) to (audit.Policy): unknown conversion`);
    const { value, unknown } = decodeTyped(document, policy);
    if (unknown.length > 0) log.warn('the audit policy has fields that nobody knows', { unknown });
    return value;
  } catch (error) {
    if (error instanceof ConfigurationFileError) throw new AuditPolicyError(`failed decoding: ${error.message}`, { cause: error });
    throw error;
  }
}
