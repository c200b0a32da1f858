import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { selectorProblem } from '../../cel/index.ts';
import { createSeededRandom } from '../../env/index.ts';
import {
  type ApiObject,
  createFeatureGates,
  type FieldError,
  type Json,
  type JsonObject,
  productByName,
  withMetadata,
} from '../../meta/index.ts';
import { createCatalog, createDefaulter, createTypedDecoder, createValidation, DecodeError, type Resource } from '../../schema/index.ts';
import { validateNewObject } from '../create.ts';
import type { StrategyContext } from '../strategy.ts';
import { strategyFor } from './index.ts';
import { knownDifferences } from './recorded-differences.ts';

/**
 * Recorded responses of kube-apiserver to valid and invalid objects, compared with decoding, defaults, strategy and validation.
 * Responses of other modules (versions, names in the URL, options, admission) are left out.
 */
const product = productByName('kubernetes');
const catalog = createCatalog(product);
const decode = createTypedDecoder();
const withDefaults = createDefaulter(product, createFeatureGates());
const validation = createValidation(product, catalog.type, {
  checkDeviceSelector: selectorProblem,
  gates: createFeatureGates(),
  allowPrivileged: true,
});

interface Cause {
  readonly reason?: string;
  readonly message: string;
  readonly field: string;
}

interface Recorded {
  readonly file: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly input: JsonObject;
  readonly existing?: JsonObject;
  readonly response: {
    readonly code: number;
    readonly message?: string;
    readonly details?: { readonly kind?: string };
    readonly causes?: readonly Cause[];
  };
}

const base = new URL('../../../test/facts/catalog/validation/', import.meta.url);
const recorded = readdirSync(base).flatMap((file) =>
  (JSON.parse(readFileSync(new URL(file, base), 'utf8'), repeated) as Recorded[]).map((one) => ({ ...one, file: file.slice(0, -5) })),
);

/** `{ "$repeat": ["x", 3] }` is `xxx`. */
function repeated(_: string, value: unknown): unknown {
  const parts = (value as { readonly $repeat?: readonly [string, number] } | null)?.$repeat;
  return parts ? parts[0].repeat(parts[1]) : value;
}

interface Target {
  readonly resource: Resource;
  readonly namespace: string;
}

function targetOf(path: string): Target | undefined {
  const parts = path.replace(/\?.*/, '').split('/').slice(1);
  const groupVersion = parts[0] === 'api' ? (parts[1] ?? '') : `${parts[1]}/${parts[2]}`;
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3);
  const [namespace, name] = rest[0] === 'namespaces' && rest.length > 2 ? [rest[1] ?? '', rest[2]] : ['', rest[0]];
  const resource = catalog.resource(groupVersion, name ?? '');
  return resource && { resource, namespace };
}

/** The responses that these modules produce. */
function isOurs({ response, path, input }: Recorded): boolean {
  const target = targetOf(path);
  if (!target || /review/i.test(target.resource.kind) || input['kind'] === 'Foo') return false;
  const { code, message = '', details } = response;
  if (code === 422) return details?.kind === target.resource.kind;
  if (code === 400) return /cannot be handled as a \w+: (?!no kind)/.test(message);
  return code === 201 || code === 200;
}

const requester = { username: 'admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };
const pace = (): undefined => undefined;

const context: StrategyContext = {
  now: '2026-11-21T06:00:00Z',
  random: createSeededRandom(1),
  product,
  gates: createFeatureGates(),
  dryRun: false,
  requester,
  subresource: '',
};

/** The result of our modules: the causes of a 422, the message of a 400, or acceptance. */
async function answerOf(one: Recorded): Promise<Json> {
  const target = targetOf(one.path);
  if (!target) throw new Error(one.path);
  try {
    const unknown: string[] = [];
    const read = (value: JsonObject): ApiObject => {
      const decoded = decode(target.resource.schema, withType(value, target.resource), {
        onUnknownField: (path) => unknown.push(path),
        retainEmpties: 'all',
      });
      return withDefaults(target.resource.schema, decoded, context) as ApiObject;
    };
    const object = read(one.input);
    if (one.path.includes('fieldValidation=Strict') && unknown.length > 0) {
      return `strict decoding error: ${unknown.map((path) => `unknown field ${JSON.stringify(path)}`).join(', ')}`;
    }
    const errors =
      one.method === 'POST'
        ? await created(object, target)
        : await updated(object, read(one.existing ?? one.input), one.existing !== undefined, target);
    return errors.map(({ reason, message, field }) => ({ reason, message, field }));
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

function withType(value: JsonObject, { kind, group, version }: Resource): JsonObject {
  return { ...value, kind, apiVersion: group === '' ? version : `${group}/${version}` };
}

async function created(object: ApiObject, { resource, namespace }: Target): Promise<readonly FieldError[]> {
  const { name = '', generateName = '' } = object.metadata;
  const made = withMetadata(object, {
    ...(name === '' && generateName !== '' ? { name: `${generateName}abcde` } : {}),
    namespace: resource.namespaced ? namespace : undefined,
    uid: '00000000-0000-4000-8000-000000000000',
    creationTimestamp: context.now,
    deletionTimestamp: undefined,
  });
  const strategy = strategyFor(resource, { decode, validation });
  const prepared = strategy.prepareForCreate(made, context);
  return validateNewObject(prepared, { strategy, validateMetadata: (one) => validation.metadata(resource, one) }, context, pace);
}

async function updated(
  requested: ApiObject,
  old: ApiObject,
  known: boolean,
  { resource, namespace }: Target,
): Promise<readonly FieldError[]> {
  const strategy = strategyFor(resource, { decode, validation });
  // Where the stored object was not recorded, it was the same except for the metadata that a test sets.
  const before = withMetadata(old, {
    resourceVersion: '1',
    managedFields: undefined,
    ...(known ? {} : { deletionTimestamp: undefined }),
    ...(resource.namespaced ? { namespace } : {}),
  });
  const { uid, creationTimestamp, generation, resourceVersion, managedFields } = before.metadata;
  const next = strategy.prepareForUpdate(
    withMetadata(requested, { generation, ...(resource.namespaced ? { namespace } : {}) }),
    before,
    context,
  );
  const prepared = withMetadata(next, { uid, creationTimestamp, resourceVersion, managedFields });
  const found = strategy.validateUpdate(prepared, before, context);
  const errors = (await strategy.validateLast?.(prepared, before, found, context, pace)) ?? found;
  return [...validation.metadataUpdate(resource, prepared, before), ...errors];
}

/** Generated names and uids vary; struct dumps and diffs with Go's field names are not reproduced. */
function comparable(answer: Json): string {
  const texts = Array.isArray(answer) ? answer.map(withoutDumps) : answer;
  return JSON.stringify(texts)
    .replace(/Bad_[a-z0-9]{5}/g, 'Bad_*')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uid>');
}

function withoutDumps(cause: Json): Json {
  const { message, ...rest } = cause as unknown as Cause;
  const shortened = message.replace(/\n.*$/s, '').replace(/^(\w+ value: )[[{].*[}\]](: |$)/, '$1…$2');
  return { ...rest, message: shortened };
}

function expectedOf({ response }: Recorded): Json {
  if (response.code === 400) return (response.message ?? '').replace(/^.*cannot be handled as a \w+: /, '');
  return response.code === 422
    ? (response.causes ?? []).map(({ reason, message, field }) => ({ reason: reason ?? '', message, field }))
    : [];
}

const differences: unknown[] = [];
// SHOW_DIFFERENCES=file writes the differences to a file.
afterAll(() => {
  const file = process.env['SHOW_DIFFERENCES'];
  if (file) writeFileSync(file, differences.map((one) => `${JSON.stringify(one)}\n`).join(''));
});

const ours = recorded.filter(isOurs);

test.each(ours.map((one) => [`${one.file}: ${one.name}`, one] as const))('%s', async (name, one) => {
  const got = await answerOf(one);
  const equal = comparable(got) === comparable(expectedOf(one));
  if (!equal && process.env['SHOW_DIFFERENCES']) differences.push({ name, got, want: expectedOf(one) });
  expect(equal || knownDifferences.has(name)).toBe(true);
});

test('known differences still differ', async () => {
  const answers = await Promise.all(
    ours.map(async (one) => ({ one, equal: comparable(await answerOf(one)) === comparable(expectedOf(one)) })),
  );
  const equal = answers.filter((answer) => answer.equal).map(({ one }) => one);
  expect(equal.map((one) => `${one.file}: ${one.name}`).filter((name) => knownDifferences.has(name))).toEqual([]);
});
