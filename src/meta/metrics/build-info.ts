import type { VersionInfo } from '../release/version-info.ts';
import type { MetricFamily } from './metric-family.ts';

/** The build of a component. Cf. component-base metrics/prometheus/version. */
export function buildInfo(version: VersionInfo): MetricFamily {
  const { buildDate, compiler, gitCommit, gitTreeState, gitVersion, goVersion, major, minor, platform } = version;
  return {
    name: 'kubernetes_build_info',
    type: 'gauge',
    help: "[ALPHA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
    samples: [
      {
        labels: {
          build_date: buildDate,
          compiler,
          git_commit: gitCommit,
          git_tree_state: gitTreeState,
          git_version: gitVersion,
          go_version: goVersion,
          major,
          minor,
          platform,
        },
        value: 1,
      },
    ],
  };
}
