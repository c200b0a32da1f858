import { type FlagValues, productOf } from './flag-values.ts';

export type AuditSinkName = 'log' | 'webhook';

const modes: readonly string[] = ['batch', 'blocking', 'blocking-strict'];
const formats: readonly string[] = ['legacy', 'json'];

/** Cf. upstream AuditOptions.Validate: flags of an unused sink are not validated. */
export function auditProblems(flags: FlagValues): readonly string[] {
  return [
    ...(flags.text('audit-log-path') === '' ? [] : [...sinkProblems(flags, 'log'), ...fileProblems(flags)]),
    ...(flags.text('audit-webhook-config-file') === '' ? [] : sinkProblems(flags, 'webhook')),
  ];
}

function sinkProblems(flags: FlagValues, sink: AuditSinkName): readonly string[] {
  return [...batchProblem(flags, sink), ...truncateProblem(flags, sink), ...versionProblem(flags, `audit-${sink}-version`)];
}

function batchProblem(flags: FlagValues, sink: AuditSinkName): readonly string[] {
  const mode = flags.text(`audit-${sink}-mode`);
  if (!modes.includes(mode)) return [`invalid audit ${sink} mode ${mode}, allowed modes are "${modes.join(',')}"`];
  if (mode !== 'batch') return [];
  const sizes = [
    ['buffer size', 'buffer-size'],
    ['max batch size', 'max-size'],
  ] as const;
  const throttled = [
    ['throttle QPS', 'throttle-qps'],
    ['throttle burst', 'throttle-burst'],
  ] as const;
  const checked = flags.truth(`audit-${sink}-batch-throttle-enable`) ? [...sizes, ...throttled] : sizes;
  const wrong = checked.find(([, name]) => flags.number(`audit-${sink}-batch-${name}`) <= 0);
  if (!wrong) return [];
  const [label, name] = wrong;
  return [`invalid audit batch ${sink} ${label} ${flags.number(`audit-${sink}-batch-${name}`)}, must be a positive number`];
}

function truncateProblem(flags: FlagValues, sink: AuditSinkName): readonly string[] {
  const [event, batch] = ['event', 'batch'].map((what) => flags.number(`audit-${sink}-truncate-max-${what}-size`)) as [number, number];
  if (event <= 0) return [`invalid audit truncate ${sink} max event size ${event}, must be a positive number`];
  if (batch >= event) return [];
  return [`invalid audit truncate ${sink} max batch size ${batch}, must be greater than max event size (${event})`];
}

function versionProblem(flags: FlagValues, name: string): readonly string[] {
  const { rename } = productOf(flags);
  const version = flags.text(name);
  // The default value is valid for every product.
  if (!flags.isGiven(name) || version === rename('audit.k8s.io/v1')) return [];
  if (version.split('/').length > 2) return [`unexpected GroupVersion string: ${version}`];
  return [`invalid group version, allowed versions are [{"${rename('audit.k8s.io/v1').replace('/v1', '')}" "v1"}]`];
}

function fileProblems(flags: FlagValues): readonly string[] {
  const format = flags.text('audit-log-format');
  const negative = ['maxage', 'maxbackup', 'maxsize'].flatMap((name) => {
    const value = flags.number(`audit-log-${name}`);
    return value < 0 ? [`--audit-log-${name} ${value} can't be a negative number`] : [];
  });
  const isKnown = formats.includes(format);
  return [...(isKnown ? [] : [`invalid audit log format ${format}, allowed formats are "${formats.join(',')}"`]), ...negative];
}
