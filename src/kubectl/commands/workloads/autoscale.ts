import { type JsonObject, recordAt, StatusError } from '../../../meta/index.ts';
import { type ApiResource, builtInResource, formatGroupVersion } from '../../api/discovery.ts';
import { bool, int, text } from '../../parse/flags.ts';
import { createPrinter, type DryRun, parseDryRun, withDryRun } from '../../printers/printer.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, managerFlag, outputFlags, recordFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { withChangeCause } from '../../resources/change-cause.ts';
import { createObject } from '../../resources/changes.ts';
import { type Info, setMetadata } from '../../resources/info.ts';
import { setTypedLastApplied } from '../../resources/last-applied.ts';
import { requestFromFlags } from '../../resources/requests.ts';
import { buildObject } from '../create/create-object.ts';
import { readMetric } from './autoscale-metrics.ts';

const scalers = builtInResource('autoscaling/v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler');
const oldScalers = builtInResource('autoscaling/v1', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler');

export const autoscale: Command = {
  flags: {
    ...dryRunFlag,
    ...fileFlags,
    ...outputFlags,
    ...managerFlag('kubectl-autoscale'),
    ...recordFlag,
    cpu: text(),
    'cpu-percent': {
      ...int(-1),
      hidden: true,
      deprecated: "Use --cpu with percentage or resource quantity format (e.g., '70%' for utilization or '500m' for milliCPU).",
    },
    max: int(-1),
    memory: text(),
    min: int(-1),
    name: text(),
    'save-config': bool(),
  },
  required: ['max'],
  run: runAutoscale,
};

async function runAutoscale(call: Call): Promise<number> {
  const dryRun = parseDryRun(call);
  await call.cluster();
  await call.namespace();
  validateFlags(call);
  const builder = new Builder(call, await requestFromFlags(call, { continueOnError: true }));
  let count = 0;
  await builder.visit(async (info) => {
    count++;
    if (!info.resource.subresources.includes('scale')) throw noScaleError(info.resource);
    await createOrFallBack(call, info, dryRun);
  });
  if (count === 0) throw new KubectlError('no objects passed to autoscale');
  return 0;
}

/** @throws KubectlError */
function validateFlags({ flags }: Call): void {
  const [least, most] = [flags.int('min'), flags.int('max')];
  if (most < 1) throw new KubectlError(`--max=MAXPODS is required and must be at least 1, max: ${most}`);
  if (most < least) throw new KubectlError(`--max=MAXPODS must be larger or equal to --min=MINPODS, max: ${most}, min: ${least}`);
  if (flags.int('cpu-percent') > 0 && flags.text('cpu') !== '') throw new KubectlError('--cpu-percent and --cpu are mutually exclusive');
  for (const resource of ['cpu', 'memory'] as const) if (flags.text(resource) !== '') readMetric(resource, flags.text(resource));
}

function noScaleError(resource: ApiResource): KubectlError {
  const version = formatGroupVersion(resource);
  return new KubectlError(
    `cannot autoscale a ${resource.kind}: could not find scale subresource for ${version.includes('/') ? version : `/${version}`}, Resource=${resource.name} in discovery information`,
  );
}

/** Creates and prints it with autoscaling/v2; after any error with autoscaling/v1 where that has the same meaning. Cf. kubectl AutoscaleOptions.Run. */
async function createOrFallBack(call: Call, info: Info, dryRun: DryRun): Promise<void> {
  const create = async (resource: ApiResource, object: JsonObject): Promise<void> => {
    if (dryRun === 'client')
      return call.out((await createPrinter(call, { operation: withDryRun('created', dryRun), typed: true }))(object));
    const saved = call.flags.bool('save-config') ? await setTypedLastApplied(call, object) : object;
    const options = { manager: call.flags.text('field-manager'), dryRun };
    const scaler = setMetadata(saved, { namespace: info.namespace });
    const made = await createObject(call, { resource, namespace: info.namespace }, scaler, options);
    call.out((await createPrinter(call, { operation: withDryRun('autoscaled', dryRun) }))(made));
  };
  const scaler = buildAutoscaler(call, info, buildMetrics(call));
  try {
    await create(scalers, scaler);
  } catch (error) {
    if (!(error instanceof StatusError || error instanceof KubectlError)) throw error;
    const percent = cpuPercent(call);
    await create(oldScalers, {
      ...scaler,
      apiVersion: 'autoscaling/v1',
      spec: withoutMetrics(scaler, percent),
      status: { currentReplicas: 0, desiredReplicas: 0 },
    });
  }
}

/** The percentage for autoscaling/v1. @throws KubectlError when the metrics need autoscaling/v2 */
function cpuPercent({ flags }: Call): number | undefined {
  const fail = (why: string): never => {
    throw new KubectlError(`failed to create autoscaling/v2 HPA and the configuration is incompatible with autoscaling/v1: ${why}`);
  };
  if (flags.text('cpu') === '') return fail('empty input');
  const metric = readMetric('cpu', flags.text('cpu'));
  const isPercentage = recordAt(recordAt(metric, 'resource'), 'target')['type'] === 'Utilization';
  const percent = flags.int('cpu-percent');
  if (flags.text('memory') !== '' || (percent < 0 && !isPercentage)) return fail('%!w(<nil>)');
  // kubectl does not carry the percentage of --cpu over.
  return percent < 0 ? undefined : percent;
}

function withoutMetrics(scaler: JsonObject, percent: number | undefined): JsonObject {
  const { metrics: _, ...spec } = recordAt(scaler, 'spec');
  return percent === undefined ? spec : { ...spec, targetCPUUtilizationPercentage: percent };
}

function buildMetrics({ flags }: Call): JsonObject[] {
  const percent = flags.int('cpu-percent');
  const [cpu, memory] = [flags.text('cpu'), flags.text('memory')];
  return [
    ...(percent > 0 ? [readMetric('cpu', `${percent}%`)] : []),
    ...(cpu === '' ? [] : [readMetric('cpu', cpu)]),
    ...(memory === '' ? [] : [readMetric('memory', memory)]),
  ];
}

function buildAutoscaler(call: Call, { resource, name }: Info, metrics: readonly JsonObject[]): JsonObject {
  const { flags } = call;
  const least = flags.int('min');
  const spec = {
    scaleTargetRef: { kind: resource.kind, name, apiVersion: formatGroupVersion(resource) },
    ...(least > 0 ? { minReplicas: least } : {}),
    maxReplicas: flags.int('max'),
    ...(metrics.length > 0 ? { metrics } : {}),
  };
  const object = buildObject(scalers, { name: flags.text('name') || name }, { spec, status: { desiredReplicas: 0, currentMetrics: null } });
  return withChangeCause(call, object);
}
