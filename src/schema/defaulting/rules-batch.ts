import type { JsonObject } from '../../meta/index.ts';
import { optionalRecordAt, recordAt } from '../validation/accessors.ts';
import type { Rules } from './defaulting-rule.ts';
import { defaultLabels } from './rules-core.ts';

const backoffLimit = 6;
const maxInt32 = 2 ** 31 - 1;

/** For Jobs only: the template of a CronJob stays as sent. */
export const batchRules: Rules = {
  'batch/v1.Job': (job) => {
    const spec = optionalRecordAt(job, 'spec');
    if (!spec) return job;
    const labels = recordAt(recordAt(recordAt(spec, 'template'), 'metadata'), 'labels');
    const next = { ...job, spec: defaultJobSpec(spec) };
    return Object.keys(labels).length > 0 ? defaultLabels(next, labels) : next;
  },
};

function defaultJobSpec(spec: JsonObject): JsonObject {
  const single = spec['completions'] === undefined && spec['parallelism'] === undefined;
  const defaults: JsonObject = {
    ...(single ? { completions: 1 } : {}),
    parallelism: 1,
    backoffLimit: spec['backoffLimitPerIndex'] === undefined ? backoffLimit : maxInt32,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
  };
  // All of them are pointers: explicit values stay, even empty ones.
  const unset = Object.entries(defaults).filter(([name]) => spec[name] === undefined || spec[name] === null);
  return { ...spec, ...Object.fromEntries(unset) };
}
