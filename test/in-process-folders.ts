/** The folders whose tests run in the process of the test runner: without servers, etcd and browsers. */
export const inProcessFolders: readonly string[] = [
  'src',
  'build',
  'test/rules',
  'test/contracts',
  'test/simulation',
  'test/hostile',
  'test/tutorials',
  'test/workloads',
];
