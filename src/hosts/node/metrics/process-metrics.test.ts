import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createProcessMetrics } from './process-metrics.ts';

test.skipIf(process.platform !== 'linux')('reports what the system counts of the process', async () => {
  const read = createProcessMetrics();
  const valuesOf = async (): Promise<Record<string, number>> =>
    Object.fromEntries((await read()).map(({ name, samples: [sample] }) => [name, sample?.value ?? Number.NaN]));
  const before = await valuesOf();
  const files = Array.from({ length: 100 }, () => openSync('/dev/null', 'r'));
  const after = await valuesOf();
  for (const file of files) closeSync(file);
  // Other tests run in this process.
  expect((after['process_open_fds'] ?? 0) - (before['process_open_fds'] ?? 0)).toBeGreaterThan(50);
  expect(after['process_max_fds']).toBeGreaterThan(after['process_open_fds'] ?? 0);
  expect(after['process_virtual_memory_bytes']).toBeGreaterThan(after['process_resident_memory_bytes'] ?? 0);
  expect(after['process_virtual_memory_max_bytes']).toBeGreaterThanOrEqual(after['process_virtual_memory_bytes'] ?? 0);
  for (const name of ['receive', 'transmit']) expect(after[`process_network_${name}_bytes_total`]).toBeGreaterThan(0);
});
