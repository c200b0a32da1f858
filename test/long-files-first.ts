import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Long files of all lanes in the order of their start, so that a short one ends the run. Vitest starts the largest first, and many long ones are small. */
const longFiles = [
  'test/conformance/kubernetes',
  'test/conformance/svc',
  'test/sessions/sessions',
  'test/etcd/contract',
  'test/etcd/tls',
  'test/etcd/chaos',
  'test/clients/data-folder',
  'test/simulation/components',
  'test/tutorials/lessons',
  'test/simulation/simulation',
  'test/hostile/prototype-keys',
  'test/hostile/bodies',
  'src/cluster/requests/variants',
  'src/authz/rbac/rbac-model',
  'src/admission/policies/evaluate-policy',
];

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longFiles.findIndex((name) => moduleId.replace(/\.[jt]s$/, '').endsWith(`/${name}.test`));
      return at < 0 ? longFiles.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
