import { type JsonObject, normalizeQuantity, QuantityError } from '../../../meta/index.ts';
import { KubectlError } from '../../program/errors.ts';

type ResourceName = 'cpu' | 'memory';

/** The metric of `--cpu` or `--memory`: a percentage, or an amount with or without unit. Cf. kubectl parseResourceInput. @throws KubectlError */
export function readMetric(resource: ResourceName, typed: string): JsonObject {
  return { type: 'Resource', resource: { name: resource, target: readTarget(resource, typed.trim()) } };
}

function readTarget(resource: ResourceName, typed: string): JsonObject {
  if (typed === '') throw new KubectlError('empty input');
  if (typed.endsWith('%')) return { type: 'Utilization', averageUtilization: readPercentage(typed.slice(0, -1)) };
  const isNumber = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(typed);
  const amount = isNumber ? `${Number(typed)}${resource === 'cpu' ? 'm' : 'Mi'}` : typed;
  try {
    return { type: 'AverageValue', averageValue: normalizeQuantity(amount) };
  } catch (error) {
    if (error instanceof QuantityError) throw new KubectlError(`invalid resource ${resource} value: ${typed}`);
    throw error;
  }
}

function readPercentage(text: string): number {
  if (!/^(?:\+?\d+|-0+)$/.test(text)) throw new KubectlError(`invalid percentage value: ${text}`);
  return Number(text);
}
