import { AuthorizationConfigError, type AuthorizerSettings, type FileProblem, readSettings } from '../authz/index.ts';
import { parseYaml, YamlSyntaxError } from '../codec/index.ts';
import { isJsonObject, type JsonObject, type Product } from '../meta/index.ts';
import { createTypedDecoder, DecodeError, type Field, type Schema, type StructSchema } from '../schema/index.ts';

/** Kinds of the group's configuration files, by version. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  v1: [
    'AdmissionConfiguration',
    'AuthenticationConfiguration',
    'AuthorizationConfiguration',
    'EncryptionConfiguration',
    'TracingConfiguration',
  ],
  v1beta1: ['AuthenticationConfiguration', 'AuthorizationConfiguration', 'TracingConfiguration'],
  v1alpha1: ['AuthenticationConfiguration', 'AuthorizationConfiguration', 'TracingConfiguration'],
};

const text: Schema = { form: 'scalar', type: 'string' };
const truth: Schema = { form: 'scalar', type: 'bool' };

const configuration: StructSchema = struct('AuthorizationConfiguration', {
  kind: text,
  apiVersion: text,
  authorizers: listOf(
    struct('AuthorizerConfiguration', {
      type: text,
      name: text,
      webhook: struct('WebhookConfiguration', {
        authorizedTTL: text,
        cacheAuthorizedRequests: truth,
        unauthorizedTTL: text,
        cacheUnauthorizedRequests: truth,
        timeout: text,
        subjectAccessReviewVersion: text,
        matchConditionSubjectAccessReviewVersion: text,
        failurePolicy: text,
        connectionInfo: struct('WebhookConnectionInfo', { type: text, kubeConfigFile: text }),
        matchConditions: listOf(struct('WebhookMatchCondition', { expression: text })),
      }),
    }),
  ),
});

/** Reads `--authorization-config`. @throws AuthorizationConfigError in the real server's words */
export function readAuthorizationConfig(content: string, product: Product, fileProblem: FileProblem): readonly AuthorizerSettings[] {
  return readSettings(content === '' ? {} : decoded(content, product), fileProblem);
}

function decoded(content: string, product: Product): JsonObject {
  const document = documentOf(content);
  const [apiVersion, kind] = [textOf(document['apiVersion']), textOf(document['kind'])];
  if (kind === '') throw unloaded(`Object 'Kind' is missing in '${content}'`);
  if (apiVersion === '') throw unloaded(`Object 'apiVersion' is missing in '${content}'`);
  const [group, version = ''] = apiVersion.split('/');
  const known = group === product.rename('apiserver.config.k8s.io') ? (kinds[version] ?? []) : [];
  if (!known.includes(kind)) {
    throw unloaded(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:110"`,
    );
  }
  if (kind !== 'AuthorizationConfiguration') throw unloaded(`expected AuthorizationConfiguration, got *apiserver.${kind}`);
  const unknown: string[] = [];
  try {
    const value = createTypedDecoder()(configuration, document, {
      unknownField: (path) => unknown.push(`unknown field ${JSON.stringify(path)}`),
    });
    if (unknown.length > 0) throw unloaded(`strict decoding error: ${unknown.join(', ')}`);
    return value;
  } catch (error) {
    if (error instanceof DecodeError) throw unloaded(error.message, error);
    throw error;
  }
}

function documentOf(content: string): JsonObject {
  try {
    const { value } = parseYaml(content);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw unloaded(`error converting YAML to JSON: ${error.message}`, error);
    throw error;
  }
  throw unloaded(`Object 'Kind' is missing in '${content}'`);
}

function unloaded(why: string, cause?: unknown): AuthorizationConfigError {
  return new AuthorizationConfigError(`failed to load AuthorizationConfiguration from file: ${why}`, { cause });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function listOf(items: Schema): Schema {
  return { form: 'list', items, topology: 'atomic', keys: [], wrapped: false };
}

function struct(name: string, members: Readonly<Record<string, Schema>>): StructSchema {
  const fields = Object.entries(members).map(
    ([member, schema]): Field => ({
      name: member,
      schema,
      // What was not said differs from an empty word of it.
      pointer: true,
      required: false,
      always: false,
      omitZero: false,
      number: 0,
      inlined: false,
      default: undefined,
      patchStrategies: [],
      patchMergeKey: undefined,
      plainRef: false,
    }),
  );
  return {
    form: 'struct',
    name: `apiserver/v1.${name}`,
    topology: 'granular',
    typeMeta: false,
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    messageFields: fields,
  };
}
