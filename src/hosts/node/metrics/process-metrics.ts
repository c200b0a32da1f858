import { PerformanceObserver } from 'node:perf_hooks';
import { Histogram, type MetricFamily } from '../../../meta/index.ts';

/** In seconds. Cf. the buckets of Go's runtime metric /sched/pauses/total/gc:seconds. */
const pauseBounds = [
  6.399999999999999e-8, 6.399999999999999e-7, 7.167999999999999e-6, 8.191999999999999e-5, 0.0009175039999999999, 0.010485759999999998,
  0.11744051199999998,
] as const;

/** Metrics of this process: those of Prometheus' Go collectors that have a meaning in Node. Reading starts when the server does. */
export function createProcessMetrics(): () => readonly MetricFamily[] {
  const pauses = new Histogram(pauseBounds);
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) pauses.observe(duration / 1000);
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => {
    const { rss, heapUsed, heapTotal } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    return [
      gauge(
        'go_memstats_heap_alloc_bytes',
        'Number of heap bytes allocated and currently in use, same as go_memstats_alloc_bytes.',
        heapUsed,
      ),
      gauge('go_memstats_heap_sys_bytes', 'Number of heap bytes obtained from system.', heapTotal),
      {
        name: 'go_gc_pauses_seconds',
        type: 'histogram',
        help: 'Deprecated. Prefer the identical /sched/pauses/total/gc:seconds. Sourced from /gc/pauses:seconds.',
        samples: pauses.samples({}),
      },
      {
        name: 'process_cpu_seconds_total',
        type: 'counter',
        help: 'Total user and system CPU time spent in seconds.',
        samples: [{ labels: {}, value: (user + system) / 1e6 }],
      },
      gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', rss),
    ];
  };
}

function gauge(name: string, help: string, value: number): MetricFamily {
  return { name, type: 'gauge', help, samples: [{ labels: {}, value }] };
}
