import { formatGoFloat, type MetricFamily, type MetricSample } from '../../../meta/index.ts';

/** Families in the Prometheus text format, in order of name; those without samples are omitted. */
export function metricsText(families: readonly MetricFamily[]): string {
  const lines = families
    .filter(({ samples }) => samples.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(familyLines);
  return [...lines, ''].join('\n');
}

/** The samples of a histogram are in order. */
function familyLines({ name, type, help, samples }: MetricFamily): readonly string[] {
  const lines = samples.map(({ suffix = '', labels, value }) => `${name}${suffix}${labelsText(labels)} ${formatGoFloat(value)}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...(type === 'histogram' ? lines : lines.sort())];
}

function labelsText(labels: MetricSample['labels']): string {
  const names = Object.keys(labels).sort();
  return names.length === 0 ? '' : `{${names.map((name) => `${name}=${JSON.stringify(labels[name])}`).join(',')}}`;
}
