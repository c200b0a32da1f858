import type { JsonObject } from '../../meta/index.ts';
import type { batchv1 } from '../api/index.ts';
import type { Decoded } from '../validation/decoded.ts';
import type { Rules } from './defaulting-rule.ts';
import { defaultLabels } from './rules-core.ts';

const backoffLimit = 6;
const maxInt32 = 2 ** 31 - 1;

/** For Jobs only: the template of a CronJob stays as sent. */
export const batchRules: Rules = {
  'batch/v1.Job': (job: Decoded<batchv1.Job>) => {
    const { spec } = job;
    if (!spec) return job;
    const labels = spec.template?.metadata?.labels ?? {};
    const next = { ...job, spec: defaultJobSpec(spec) };
    return Object.keys(labels).length > 0 ? defaultLabels(next, labels) : next;
  },
};

function defaultJobSpec(spec: Decoded<batchv1.JobSpec>): JsonObject {
  const single = spec.completions === undefined && spec.parallelism === undefined;
  const defaults: JsonObject = {
    ...(single ? { completions: 1 } : {}),
    parallelism: 1,
    backoffLimit: spec.backoffLimitPerIndex === undefined ? backoffLimit : maxInt32,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
  };
  // All of them are pointers: explicit values stay, even empty ones.
  const given: JsonObject = spec;
  const unset = Object.entries(defaults).filter(([name]) => given[name] === undefined || given[name] === null);
  return { ...spec, ...Object.fromEntries(unset) };
}
