import { readdir, readFile } from 'node:fs/promises';
import { PerformanceObserver } from 'node:perf_hooks';
import { Histogram, type MetricFamily } from '../../../meta/index.ts';

/** In seconds. Cf. the buckets of Go's runtime metric /sched/pauses/total/gc:seconds. */
const pauseBounds = [
  6.399999999999999e-8, 6.399999999999999e-7, 7.167999999999999e-6, 8.191999999999999e-5, 0.0009175039999999999, 0.010485759999999998,
  0.11744051199999998,
] as const;

/** Metrics of this process: those of Prometheus' Go collectors that have a meaning in Node. Reading starts when the server does. */
export function createProcessMetrics(): () => Promise<readonly MetricFamily[]> {
  const pauses = new Histogram(pauseBounds);
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) pauses.observe(duration / 1000);
  });
  observer.observe({ entryTypes: ['gc'] });
  return async () => {
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
      ...(await readSystemMetrics()),
    ];
  };
}

/** What Linux counts of this process; none on other systems. Cf. Prometheus' process collector. */
async function readSystemMetrics(): Promise<readonly MetricFamily[]> {
  if (process.platform !== 'linux') return [];
  // Not while other files are open.
  const files = await readdir('/proc/self/fd');
  const [limits, memory, network] = await Promise.all([
    readFile('/proc/self/limits', 'utf8'),
    readFile('/proc/self/statm', 'utf8'),
    readFile('/proc/self/net/netstat', 'utf8'),
  ]);
  const limitOf = (name: string): number => {
    const [limit = '0'] = (limits.split('\n').find((line) => line.startsWith(name)) ?? '').slice(name.length).trim().split(' ');
    return limit === 'unlimited' ? unlimited : Number(limit);
  };
  // A line of names, and one of values.
  const [, names = '', values = ''] = /^IpExt: (\D.*)\nIpExt: (.*)$/m.exec(network) ?? [];
  const octets = (name: string): number => Number(values.split(' ')[names.split(' ').indexOf(name)] ?? 0);
  const traffic = (name: string, help: string, value: number): MetricFamily => ({
    name: `process_network_${name}_bytes_total`,
    type: 'counter',
    help: `Number of bytes ${help} by the process over the network.`,
    samples: [{ labels: {}, value }],
  });
  return [
    gauge('process_open_fds', 'Number of open file descriptors.', files.length),
    gauge('process_max_fds', 'Maximum number of open file descriptors.', limitOf('Max open files')),
    gauge('process_virtual_memory_bytes', 'Virtual memory size in bytes.', Number(memory.split(' ')[0]) * pageBytes),
    gauge('process_virtual_memory_max_bytes', 'Maximum amount of virtual memory available in bytes.', limitOf('Max address space')),
    traffic('receive', 'received', octets('InOctets')),
    traffic('transmit', 'sent', octets('OutOctets')),
  ];
}

/** The greatest 64-bit number, as Go reports a missing limit. */
const unlimited = 2 ** 64;
const pageBytes = 4_096;

function gauge(name: string, help: string, value: number): MetricFamily {
  return { name, type: 'gauge', help, samples: [{ labels: {}, value }] };
}
