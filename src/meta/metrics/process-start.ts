import type { MetricFamily } from './metric-family.ts';

/** When a process has started. */
export function processStart(startedMs: number, stability: '' | '[ALPHA] '): MetricFamily {
  const help = `${stability}Start time of the process since unix epoch in seconds.`;
  return { name: 'process_start_time_seconds', type: 'gauge', help, samples: [{ labels: {}, value: startedMs / 1000 }] };
}
