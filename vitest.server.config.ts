import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** In the order of their start: long files first, so that a short one ends the run. */
const longFiles = [
  'conformance/kubernetes',
  'conformance/svc',
  'sessions/sessions',
  'etcd/contract',
  'etcd/tls',
  'etcd/chaos',
  'clients/data-folder',
];

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longFiles.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`));
      return at < 0 ? longFiles.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Tests that start servers, built ones and etcd: recorded scenarios over http, real kubectl, the library, storage on etcd. */
export default defineConfig({
  test: {
    include: ['test/{conformance,clients,etcd,servers,sessions}/**/*.test.ts'],
    exclude: ['test/conformance/browser/**'],
    pool: 'forks',
    // More than the two cores of the machine: other files run while some wait for the start of servers or for time to pass.
    maxWorkers: 3,
    maxConcurrency: 6,
    sequence: { sequencer: LongFilesFirst },
    testTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
  },
});
