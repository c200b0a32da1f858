import { bytesToBase64Url, type JsonObject } from '../../../meta/index.ts';
import { type ApiResource, builtInResource, formatGroupKind, formatGroupVersion, resourcePath } from '../../api/discovery.ts';
import { compactJson } from '../../printers/json.ts';
import { formatNameLines, withDryRun } from '../../printers/printer.ts';
import { clientVersion } from '../../program/client-version.ts';
import type { Call } from '../../program/command.ts';
import { isStatus, KubectlError } from '../../program/errors.ts';
import { logLine } from '../../program/log-line.ts';
import { createObject, getObject, patchObject } from '../../resources/changes.ts';
import { type Info, itemsOf, metadataOf, nameOf, namespaceOf, textsOf } from '../../resources/info.ts';
import { getLastApplied } from '../../resources/last-applied.ts';
import { deleteWithoutOutput } from '../changes/delete.ts';
import type { ApplyOptions } from './index.ts';

export interface Pruner {
  beforeApply(infos: readonly Info[]): Promise<void>;
  afterApply(infos: readonly Info[]): Promise<void>;
}

/** Kinds that are pruned without an allowlist. */
const defaultKinds = [
  'core/v1/ConfigMap',
  'core/v1/Endpoints',
  'core/v1/Namespace',
  'core/v1/PersistentVolumeClaim',
  'core/v1/PersistentVolume',
  'core/v1/Pod',
  'core/v1/ReplicationController',
  'core/v1/Secret',
  'core/v1/Service',
  'batch/v1/Job',
  'batch/v1/CronJob',
  'networking.k8s.io/v1/Ingress',
  'apps/v1/DaemonSet',
  'apps/v1/Deployment',
  'apps/v1/ReplicaSet',
  'apps/v1/StatefulSet',
];

const pruneWarning =
  'Deprecated: kubectl apply will no longer prune non-namespaced resources by default when used with the --namespace flag in a future release. To preserve the current behaviour, list the resources you want to target explicitly in the --prune-allowlist flag.';

/** @throws KubectlError without --all, a selector or an ApplySet */
export async function createPruner(call: Call, options: ApplyOptions, allowed: readonly ApiResource[]): Promise<Pruner> {
  const { flags } = call;
  const set = flags.text('applyset');
  if (flags.bool('force')) throw new KubectlError('--force cannot be used with --prune');
  if (set !== '') return createApplySetPruner(call, options, set);
  if (!flags.bool('all') && flags.text('selector') === '') {
    throw new KubectlError(
      'all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector',
    );
  }
  if (flags.bool('server-side'))
    throw new KubectlError("--prune is in alpha and doesn't currently work on objects created by server-side apply");
  return {
    beforeApply: () => Promise.resolve(),
    async afterApply(infos) {
      if (allowed.length === 0) warnOfDefaultKinds(call);
      for await (const info of prunedObjects(call, allowed, infos)) await pruneOne(call, info, options);
    },
  };
}

/** The resources of `--prune-allowlist`. @throws KubectlError */
export async function readAllowlist(call: Call): Promise<readonly ApiResource[]> {
  const { flags } = call;
  const typed = [...flags.list('prune-allowlist'), ...(flags.has('prune-whitelist') ? flags.list('prune-whitelist') : [])];
  const cluster = await call.cluster();
  const resources: ApiResource[] = [];
  for (const text of typed) {
    const [group = '', version, kind, more] = text.split('/');
    if (version === undefined || kind === undefined || more !== undefined)
      throw new KubectlError(`invalid GroupVersionKind format: ${text}, please follow <group/version/kind>`);
    resources.push(await cluster.resourceForKind({ group: group === 'core' ? '' : group, version, kind }));
  }
  return resources;
}

export function warnOfDefaultKinds(call: Call): void {
  call.err(logLine(call, 'W', 'prune.go:71', pruneWarning));
}

/** The applied objects of the allowed or default resources that are none of `infos`. */
export async function* prunedObjects(call: Call, allowed: readonly ApiResource[], infos: readonly Info[]): AsyncGenerator<Info> {
  const cluster = await call.cluster();
  const resources = [...allowed];
  if (resources.length === 0) {
    for (const typed of defaultKinds.map((one) => call.product.rename(one))) {
      const [group = '', version = '', kind = ''] = typed.split('/');
      resources.push(await cluster.resourceForKind({ group: group === 'core' ? '' : group, version, kind }));
    }
  }
  const namespaces = new Set(infos.filter(({ resource }) => resource.namespaced).map(({ namespace }) => namespace));
  const places = [
    ...[...namespaces].flatMap((namespace) => resources.filter(({ namespaced }) => namespaced).map((one) => [one, namespace] as const)),
    ...resources.filter(({ namespaced }) => !namespaced).map((one) => [one, ''] as const),
  ];
  const appliedKeys = new Set(infos.map(keyOf));
  for (const [resource, namespace] of places) {
    const list = await cluster.client.read('GET', resourcePath(resource, namespace), {
      query: { labelSelector: call.flags.text('selector') || undefined },
    });
    for (const item of itemsOf(list)) {
      const object = { ...item, apiVersion: formatGroupVersion(resource), kind: resource.kind };
      const info: Info = { resource, namespace, name: nameOf(item), object, source: undefined };
      if (!appliedKeys.has(keyOf(info)) && getLastApplied(call, item) !== undefined) yield info;
    }
  }
}

function keyOf({ resource, namespace, name }: Info): string {
  return `${resource.group}/${resource.name}/${namespace}/${name}`;
}

async function pruneOne(call: Call, info: Info, { dryRun }: ApplyOptions): Promise<void> {
  if (dryRun !== 'client') await deleteWithoutOutput(call, info, dryRun);
  call.out(
    formatNameLines(
      { ...info.object, kind: info.resource.kind, apiVersion: formatGroupVersion(info.resource) },
      withDryRun('pruned', dryRun),
    ),
  );
}

const prefix = 'applyset.kubernetes.io';
const secrets = builtInResource('v1', 'secrets', 'Secret');

/** An ApplySet: a parent object, a Secret by default, that records its members. Cf. kubectl apply --applyset. */
async function createApplySetPruner(call: Call, options: ApplyOptions, typed: string): Promise<Pruner> {
  const [name = '', type] = typed.split('/').reverse();
  const resource = type === undefined ? secrets : await (await call.cluster()).resourceFor(type);
  const { name: namespace } = await call.namespace();
  const reference = { resource, namespace, name };
  const id = await applySetId(reference);
  const manager = { manager: 'kubectl-applyset', dryRun: options.dryRun };
  const buildParent = (infos: readonly Info[], more: readonly string[]): JsonObject => ({
    apiVersion: formatGroupVersion(resource),
    kind: resource.kind,
    metadata: {
      name,
      namespace,
      annotations: {
        [`${prefix}/additional-namespaces`]: [
          ...new Set(infos.filter((info) => info.resource.namespaced && info.namespace !== namespace).map((info) => info.namespace)),
        ]
          .sort()
          .join(','),
        [`${prefix}/contains-group-kinds`]: [...new Set([...infos.map((info) => formatGroupKind(info.resource)), ...more])]
          .sort()
          .join(','),
        [`${prefix}/tooling`]: `kubectl/${clientVersion}`,
      },
      labels: { [`${prefix}/id`]: id },
    },
  });
  const send = async (infos: readonly Info[], more: readonly string[]): Promise<void> => {
    if (options.dryRun !== 'client') await patchObject(call, reference, 'apply', compactJson(buildParent(infos, more)), manager);
  };
  return {
    async beforeApply(infos) {
      const parent = await getObject(call, reference).catch(async (error: unknown) => {
        if (!isStatus(error, 'NotFound')) throw error;
        if (type !== undefined) throw error;
        return createObject(call, reference, { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace } }, manager);
      });
      const known = (textsOf(metadataOf(parent)['annotations'])[`${prefix}/contains-group-kinds`] ?? '')
        .split(',')
        .filter((one) => one !== '');
      await send(infos, known);
    },
    async afterApply(infos) {
      await labelMembers(call, infos, id, options);
      await pruneMembers(call, options, infos, id, namespace);
      await send(infos, []);
    },
  };
}

async function labelMembers(call: Call, infos: readonly Info[], id: string, { dryRun, manager }: ApplyOptions): Promise<void> {
  if (dryRun === 'client') return;
  for (const info of infos) {
    const body = JSON.stringify({ metadata: { labels: { [`${prefix}/part-of`]: id } } });
    await patchObject(call, info, 'merge', body, { manager, dryRun });
  }
}

async function pruneMembers(call: Call, options: ApplyOptions, infos: readonly Info[], id: string, namespace: string): Promise<void> {
  const cluster = await call.cluster();
  const appliedKeys = new Set(infos.map(keyOf));
  for (const resource of new Set(infos.map((info) => info.resource))) {
    const list = await cluster.client.read('GET', resourcePath(resource, resource.namespaced ? namespace : ''), {
      query: { labelSelector: `${prefix}/part-of=${id}` },
    });
    for (const item of itemsOf(list)) {
      const info: Info = { resource, namespace: namespaceOf(item), name: nameOf(item), object: item, source: undefined };
      if (!appliedKeys.has(keyOf(info))) await pruneOne(call, info, options);
    }
  }
}

/** `applyset-<hash>-v1`, cf. KEP 3659. */
async function applySetId({ resource, namespace, name }: { resource: ApiResource; namespace: string; name: string }): Promise<string> {
  const text = [name, namespace, resource.kind, resource.group].join('.');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return `applyset-${bytesToBase64Url(digest)}-v1`;
}
