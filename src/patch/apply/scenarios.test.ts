import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Json, type JsonObject, productByName } from '../../meta/index.ts';
import { createCatalog, parseGroupVersion, type Resource } from '../../schema/index.ts';
import { createFieldOwnership, type FieldOwnership } from './field-ownership.ts';
import { managerFromUserAgent } from './managers/manager-name.ts';
import { OwnershipError } from './managers/ownership-error.ts';

/**
 * The real server's recorded answers, replayed one request at a time: each recorded object is the stored object of the next
 * request, so that only the ownership is ours.
 */
interface Step {
  readonly do?: {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly json?: Json;
  };
  readonly loose?: readonly string[];
  readonly hide?: readonly string[];
  readonly pick?: unknown;
  readonly expect?: { readonly status: number; readonly json?: JsonObject };
}
interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

const product = productByName('kubernetes');
const catalog = createCatalog(product);
const folder = 'test/conformance/scenarios/objects';
const parts = ['apply', 'patch', 'update', 'create', 'status', 'dryrun'];
const files = parts.flatMap((part) => readdirSync(`${folder}/${part}`).map((name) => `${folder}/${part}/${name}`));

/** Reset fields of the strategies (cf. registry GetResetFields). */
const statusless: ReadonlySet<string> = new Set(['configmaps', 'secrets', 'serviceaccounts', 'roles', 'clusterroles', 'storageclasses']);

interface Target {
  readonly resource: Resource;
  readonly subresource: string;
  readonly key: string;
}

/** `/apis/apps/v1/namespaces/{ns}/deployments/d/status` */
function targetOf(path: string): Target | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  const groupVersion = parts[0] === 'api' ? parts[1] : `${parts[1]}/${parts[2]}`;
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3);
  const [name, , subresource = ''] = rest[0] === 'namespaces' && rest.length > 2 ? rest.slice(2) : rest;
  const resource = catalog.resource(groupVersion ?? '', name ?? '');
  return resource && { resource, subresource, key: path.replace(/\/(status|scale|ephemeralcontainers)$/, '') };
}

function ownershipOf({ resource, subresource }: Target): FieldOwnership {
  const reset = subresource === 'status' ? [['spec'], ['metadata', 'labels']] : statusless.has(resource.name) ? [] : [['status']];
  return createFieldOwnership(
    {
      ...parseGroupVersion(resource.group === '' ? resource.version : `${resource.group}/${resource.version}`),
      kind: resource.kind,
      schema: resource.schema,
      custom: false,
      subresource,
      resetFields: resource.name === 'pods' && subresource === 'ephemeralcontainers' ? [] : reset,
      convert: () => undefined,
    },
    { ...product.switches, lastAppliedAnnotation: product.names.lastAppliedAnnotation },
  );
}

function managerOf({ query = {}, headers = {} }: NonNullable<Step['do']>): string {
  return query['fieldManager'] || managerFromUserAgent(headers['user-agent'] ?? '');
}

/** Entries with comparable times only: present or absent. */
function comparable(object: JsonObject): unknown {
  const entries = ((object['metadata'] as JsonObject)['managedFields'] ?? []) as readonly JsonObject[];
  const order = ({ operation, manager, subresource }: JsonObject): string => JSON.stringify([operation, manager, subresource]);
  const sorted = [...entries].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  return sorted.map(({ time, ...entry }) => ({ ...entry, timed: time !== undefined }));
}

const isObject = (json: JsonObject | undefined): json is JsonObject =>
  json !== undefined && json['kind'] !== 'Status' && typeof json['metadata'] === 'object';
const isApply = (step: NonNullable<Step['do']>): boolean => step.headers?.['content-type'] === 'application/apply-patch+yaml';

/** Kinds whose create adds fields that the creator does not own: by admission, address allocation, finalizers. */
const completed: ReadonlySet<string> = new Set([
  'pods',
  'services',
  'jobs',
  'persistentvolumeclaims',
  'persistentvolumes',
  'nodes',
  'endpointslices',
]);

/** Updates of managedFields are tested elsewhere. */
function replayable(step: Step): step is Required<Pick<Step, 'do' | 'expect'>> {
  if (!step.do || !step.expect || step.pick) return false;
  if (step.hide?.includes('/metadata') || step.loose?.some((path) => path.startsWith('/json'))) return false;
  if (typeof step.do.json !== 'object' || step.do.json === null) return false;
  return !JSON.stringify(step.do.json).includes('managedFields');
}

/** After tracking, a Service update clears unused fields of its type and allocates required ones. */
const skipped: ReadonlySet<string> = new Set(['update/immutable-service 6', 'update/immutable-service 7']);

for (const file of files) {
  const scenario: Scenario = JSON.parse(readFileSync(file, 'utf8').replace(/<(uid|ip):(\d+)>/g, '$1-$2'));
  const stored = new Map<string, JsonObject>();
  const lost = new Set<string>();
  for (const [index, step] of scenario.steps.entries()) {
    const target = step.do && targetOf(step.do.path);
    const answer = step.expect?.json;
    if (!step.do || !target) continue;
    const key =
      step.do.method === 'POST' && isObject(answer) ? `${target.key}/${String((answer['metadata'] as JsonObject)['name'])}` : target.key;
    const live = stored.get(key);
    // The subresource of another type writes fields that its response does not contain.
    if (target.subresource === 'scale') lost.add(key);
    const unknown = lost.has(key);
    if (isObject(answer) && answer['kind'] === target.resource.kind) lost.delete(key);
    if (isObject(answer) && answer['kind'] === target.resource.kind && step.do.query?.['dryRun'] === undefined) stored.set(key, answer);
    if (step.do.method === 'DELETE' || !replayable(step) || ['scale', 'eviction', 'binding', 'token'].includes(target.subresource))
      continue;
    if (step.do.method === 'POST' ? completed.has(target.resource.name) : !live && !isApply(step.do)) continue;
    if (unknown || skipped.has(`${scenario.name} ${index + 1}`)) continue;
    test(`${scenario.name} step ${index + 1}: ${step.do.method} ${step.do.path}`, () => {
      const request = { manager: managerOf(step.do), time: '2026-01-01T00:00:00Z' };
      const ownership = ownershipOf(target);
      if (isApply(step.do)) replayApply(ownership, live, step, request);
      else if (isObject(answer) && answer['kind'] === target.resource.kind) {
        const { managedFields: _, ...metadata } = answer['metadata'] as JsonObject;
        const next = { ...answer, metadata };
        expect(comparable(ownership.update(step.do.method === 'POST' ? undefined : live, next, request))).toEqual(comparable(answer));
      }
    });
  }
}

function replayApply(
  ownership: FieldOwnership,
  live: JsonObject | undefined,
  step: Step,
  request: { manager: string; time: string },
): void {
  const answer = step.expect?.json ?? {};
  const force = step.do?.query?.['force'];
  const apply = () =>
    ownership.apply(live, step.do?.json as JsonObject, { ...request, force: force !== undefined && !['0', 'false'].includes(force) });
  const message = String(answer['message']);
  if (isObject(answer)) {
    const result = apply();
    expect(result).not.toHaveProperty('conflict');
    if ('object' in result) expect(comparable(result.object)).toEqual(comparable(answer));
  } else if (message.startsWith('Apply failed')) {
    const result = apply();
    expect('conflict' in result && result.conflict.message).toBe(message);
    const causes = (answer['details'] as JsonObject)['causes'];
    if (causes) expect('conflict' in result && result.conflict.causes).toEqual(causes);
  } else if (
    message.startsWith('failed to create typed') ||
    message.startsWith('invalid object type') ||
    message.includes('managedFields must be nil')
  ) {
    expect(apply).toThrow(OwnershipError);
    expect(apply).toThrow(message);
  }
}
