import type { JsonObject } from '../../meta/index.ts';
import { builtInResource, formatGroupVersion } from '../api/discovery.ts';
import { bool, int, text } from '../parse/flags.ts';
import { createPrinter, parseDryRun, withDryRun } from '../printers/printer.ts';
import type { Call, Command } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { dryRunFlag, fileFlags, managerFlag, outputFlags } from '../program/global-flags.ts';
import { Builder } from '../resources/builder.ts';
import { createObject, getObject } from '../resources/changes.ts';
import { type Info, setMetadata } from '../resources/info.ts';
import { requestFromFlags } from '../resources/requests.ts';
import { buildObject } from './create/create-object.ts';

const scalers = builtInResource('autoscaling/v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler');

export const autoscale: Command = {
  flags: {
    ...dryRunFlag,
    ...fileFlags,
    ...outputFlags,
    ...managerFlag('kubectl-autoscale'),
    cpu: text('', undefined, 'A share (70%) or an amount (500m)'),
    'cpu-percent': {
      ...int(-1),
      deprecated: "Use --cpu with percentage or resource quantity format (e.g., '70%' for utilization or '500m' for milliCPU).",
    },
    max: int(-1, undefined, 'The largest size'),
    memory: text('', undefined, 'A share or an amount'),
    min: int(-1, undefined, 'The smallest size'),
    name: text('', undefined, 'The name of the autoscaler'),
    'save-config': bool(),
  },
  required: ['max'],
  run: runAutoscale,
};

async function runAutoscale(call: Call): Promise<number> {
  const { flags, out } = call;
  const [least, most] = [flags.int('min'), flags.int('max')];
  if (most < 1) throw new KubectlError(`--max=MAXPODS is required and must be at least 1, max: ${most}`);
  if (most < least) throw new KubectlError(`--max=MAXPODS must be larger or equal to --min=MINPODS, max: ${most}, min: ${least}`);
  const dryRun = parseDryRun(call);
  const builder = new Builder(call, await requestFromFlags(call, { continueOnError: true, latest: true }));
  await builder.visit(async (info) => {
    if (!info.resource.subresources.includes('scale'))
      throw new KubectlError(
        `cannot autoscale a ${info.resource.kind}: could not find scale subresource for ${formatGroupVersion(info.resource).includes('/') ? formatGroupVersion(info.resource) : `/${formatGroupVersion(info.resource)}`}, Resource=${info.resource.name} in discovery information`,
      );
    if (dryRun !== 'client') await getObject(call, info, 'scale');
    const scaler = buildAutoscaler(call, info);
    if (dryRun === 'client') return out((await createPrinter(call, { operation: withDryRun('autoscaled', dryRun), typed: true }))(scaler));
    if (buildMetrics(call).length === 0)
      throw new KubectlError('failed to create autoscaling/v2 HPA and the configuration is incompatible with autoscaling/v1: empty input');
    const place = { resource: scalers, namespace: info.namespace };
    const made = await createObject(call, place, setMetadata(scaler, { namespace: info.namespace }), {
      manager: flags.text('field-manager'),
      dryRun,
    });
    out((await createPrinter(call, { operation: withDryRun('autoscaled', dryRun) }))(made));
  });
  return 0;
}

function buildMetrics({ flags }: Call): JsonObject[] {
  const percent = flags.int('cpu-percent');
  const wanted = [
    ['cpu', percent >= 0 ? `${percent}%` : flags.text('cpu')],
    ['memory', flags.text('memory')],
  ] as const;
  return wanted.flatMap(([name, value]) => {
    if (value === '') return [];
    const target = value.endsWith('%')
      ? { type: 'Utilization', averageUtilization: Number(value.slice(0, -1)) }
      : { type: 'AverageValue', averageValue: value };
    return [{ type: 'Resource', resource: { name, target } }];
  });
}

function buildAutoscaler(call: Call, { resource, name }: Info): JsonObject {
  const { flags } = call;
  const metrics = buildMetrics(call);
  const least = flags.int('min');
  const spec = {
    scaleTargetRef: { kind: resource.kind, name, apiVersion: formatGroupVersion(resource) },
    ...(least > 0 ? { minReplicas: least } : {}),
    maxReplicas: flags.int('max'),
    ...(metrics.length > 0 ? { metrics } : {}),
  };
  return buildObject(scalers, { name: flags.text('name') || name }, { spec, status: { desiredReplicas: 0, currentMetrics: null } });
}
