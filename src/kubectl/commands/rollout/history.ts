import { formatLabelSelector, isJsonObject, type JsonObject, type Product } from '../../../meta/index.ts';
import type { appsv1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { builtInResource, formatGroupKind, resourcePath } from '../../api/discovery.ts';
import { int } from '../../parse/flags.ts';
import { createPrinter, type DryRun, type Printer, parseDryRun, withDryRun } from '../../printers/printer.ts';
import { alignColumns } from '../../printers/table-writer.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, outputFlags, selectorFlag } from '../../program/global-flags.ts';
import { type PatchType, patchObject } from '../../resources/changes.ts';
import { type Info, itemsOf, metadataOf, textsOf } from '../../resources/info.ts';
import { requireRevision, selectObjects } from './pause-resume-restart.ts';

const replicaSets = builtInResource('apps/v1', 'replicasets', 'ReplicaSet');
const controllerRevisions = builtInResource('apps/v1', 'controllerrevisions', 'ControllerRevision');

interface Revision {
  readonly number: number;
  readonly cause: string;
  /** The pod template of the revision. */
  readonly template: JsonObject;
  /** The ReplicaSet or ControllerRevision that stores the revision. */
  readonly object: JsonObject;
}

export const history: Command = {
  flags: { ...fileFlags, ...outputFlags, ...selectorFlag, revision: int(0) },
  async run(call) {
    const objects = await selectObjects(call);
    requireRevision(call);
    const wanted = call.flags.int('revision');
    const isFormatted = call.flags.text('output') !== '';
    await objects.prepare();
    const print = isFormatted ? await createPrinter(call, { operation: '', typed: true }) : undefined;
    await objects.visit(async (info) => {
      const revisions = await listRevisions(call, info);
      if (print) return printRevisions(call, print, revisions);
      const shown = wanted > 0 ? `with revision #${wanted}\n${await formatDetails(revisions, wanted)}` : `\n${formatTable(revisions)}`;
      call.out((await createPrinter(call, { operation: shown, typed: true }))(info.object ?? {}));
    });
    return 0;
  },
};

/** Prints the objects that store the revisions, or the one of `--revision`. @throws KubectlError */
function printRevisions({ flags, out }: Call, print: Printer, revisions: readonly Revision[]): void {
  const wanted = flags.int('revision');
  const shown = revisions.filter(({ number }) => wanted === 0 || number === wanted);
  if (wanted > 0 && shown.length === 0) throw new KubectlError('unable to find the specified revision');
  for (const { object } of shown) out(print(object));
}

function formatTable(revisions: readonly Revision[]): string {
  if (revisions.length === 0) return 'No rollout history found.';
  const lines = revisions.map(({ number, cause }) => [String(number), cause || '<none>']);
  return alignColumns([['REVISION', 'CHANGE-CAUSE'], ...lines], { minimum: 0, padding: 2 });
}

async function formatDetails(revisions: readonly Revision[], wanted: number): Promise<string> {
  if (revisions.length === 0) return 'No rollout history found.';
  const found = revisions.find(({ number }) => number === wanted);
  if (!found) throw new KubectlError('unable to find the specified revision');
  const { describeTemplate } = await import('../../describe/pod-template.ts');
  return describeTemplate(found.template);
}

async function listRevisions(call: Call, info: Info): Promise<readonly Revision[]> {
  const { resource, namespace, object = {} } = info;
  const { metadata, spec }: Decoded<appsv1.Deployment> = object;
  const owned = async (of: typeof replicaSets): Promise<readonly JsonObject[]> => {
    const list = await (await call.api()).read('GET', resourcePath(of, namespace), {
      query: { labelSelector: formatLabelSelector(spec?.selector, '') || undefined },
    });
    return itemsOf(list).filter(({ metadata: own }: Decoded<appsv1.ReplicaSet>) =>
      own?.ownerReferences?.some(({ controller, uid }) => controller === true && uid === metadata?.uid),
    );
  };
  if (resource.group === 'apps' && resource.name === 'deployments')
    return (await owned(replicaSets)).flatMap((one) => fromReplicaSet(one, call.product)).sort(byNumber);
  if (resource.group === 'apps' && (resource.name === 'daemonsets' || resource.name === 'statefulsets')) {
    return (await owned(controllerRevisions)).map(fromControllerRevision).sort(byNumber);
  }
  const isUndo = call.flags.has('to-revision');
  const kind = JSON.stringify(formatGroupKind(resource));
  if (withoutRevisions.has(formatGroupKind(resource)))
    throw new KubectlError(`no ${isUndo ? 'rollbacker' : 'history viewer'} has been implemented for ${kind}`);
  throw new KubectlError(
    `error retrieving ${isUndo ? 'rollbacker' : 'history'} for ${kind}, no visitor method exists for {${resource.group} ${resource.kind}}`,
  );
}

/** The workloads that have pods, but no revisions. Cf. kubectl apps.GroupKindElement. */
const withoutRevisions = new Set(['Job.batch', 'Pod', 'ReplicaSet.apps', 'ReplicationController', 'CronJob.batch']);

const byNumber = (left: Revision, right: Revision): number => left.number - right.number;

function fromReplicaSet(object: Decoded<appsv1.ReplicaSet>, product: Product): Revision[] {
  const { annotations = {} } = object.metadata ?? {};
  const number = Number(annotations[product.rename('deployment.kubernetes.io/revision')] ?? 0);
  const { template = {} } = object.spec ?? {};
  const cause = annotations['kubernetes.io/change-cause'] ?? '';
  const own = template.metadata;
  const shown =
    cause === ''
      ? template
      : { ...template, metadata: { ...own, annotations: { ...own?.annotations, 'kubernetes.io/change-cause': cause } } };
  return number === 0 ? [] : [{ number, cause, template: shown, object }];
}

/** The data is a patch of the workload. */
function fromControllerRevision(object: Decoded<appsv1.ControllerRevision>): Revision {
  const { metadata, revision = 0, data = {} } = object;
  const { spec } = data as Decoded<appsv1.StatefulSet>;
  return { number: revision, cause: metadata?.annotations?.['kubernetes.io/change-cause'] ?? '', template: spec?.template ?? {}, object };
}

export const undo: Command = {
  flags: { ...dryRunFlag, ...fileFlags, ...outputFlags, ...selectorFlag, 'to-revision': int(0) },
  async run(call) {
    const dryRun = parseDryRun(call);
    await (await selectObjects(call)).visit(async (info) => {
      const operation = withDryRun(await rollBack(call, info, dryRun), dryRun);
      // kubectl prints the object as it was before.
      call.out((await createPrinter(call, { operation, typed: true }))(info.object ?? {}));
    });
    return 0;
  },
};

/** Returns the operation to print. Cf. kubectl polymorphichelpers Rollback. @throws KubectlError */
async function rollBack(call: Call, info: Info, dryRun: DryRun): Promise<string> {
  const wanted = call.flags.int('to-revision');
  const revisions = await listRevisions(call, info);
  const target = wanted === 0 ? revisions.at(-2) : revisions.find(({ number }) => number === wanted);
  if (wanted !== 0 && !target) throw new KubectlError(`unable to find specified revision ${wanted} in history`);
  if (!target && info.resource.name !== 'deployments') throw new KubectlError('no last revision to roll back to');
  if (!target) throw new KubectlError(`no rollout history found for deployment ${JSON.stringify(info.name)}`);
  if (dryRun === 'client') {
    const { describeTemplate } = await import('../../describe/pod-template.ts');
    return describeTemplate(target.template);
  }
  const spec = isJsonObject(info.object?.['spec']) ? info.object['spec'] : {};
  if (spec['paused'] === true)
    throw new KubectlError(`you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again`);
  const same = JSON.stringify(removeHashLabel(spec['template'])) === JSON.stringify(removeHashLabel(target.template));
  if (same) return `skipped rollback (current template already matches revision ${wanted})`;
  const [type, body] = patchTo(target);
  await patchObject(call, info, type, JSON.stringify(body), { manager: '', dryRun });
  return 'rolled back';
}

/** The patch that restores a revision. */
function patchTo({ template, object }: Revision): readonly [type: PatchType, body: unknown] {
  const own = object['data'];
  if (isJsonObject(own)) return ['strategic', own];
  const labels = Object.fromEntries(
    Object.entries(textsOf(metadataOf(template)['labels'])).filter(([name]) => name !== 'pod-template-hash'),
  );
  const value = removeChangeCause({ ...template, metadata: { ...metadataOf(template), labels } });
  return ['json', [{ op: 'replace', path: '/spec/template', value }]];
}

function removeChangeCause(template: JsonObject): JsonObject {
  const { 'kubernetes.io/change-cause': _, ...annotations } = textsOf(metadataOf(template)['annotations']);
  const { annotations: __, ...metadata } = metadataOf(template);
  return { ...template, metadata: Object.keys(annotations).length > 0 ? { ...metadata, annotations } : metadata };
}

function removeHashLabel(template: unknown): unknown {
  if (!isJsonObject(template)) return template;
  const { 'pod-template-hash': _, ...labels } = textsOf(metadataOf(template)['labels']);
  return { spec: template['spec'], labels };
}
