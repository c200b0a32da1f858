import { formatGoFloat } from '../json/go-values.ts';
import type { MetricFamily, MetricSample } from './metric-family.ts';

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
  const lines = samples.map((sample) => sampleLine(name, sample));
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...(type === 'histogram' ? lines : lines.sort())];
}

function sampleLine(name: string, { suffix = '', labels, value, timestampMs }: MetricSample): string {
  const line = `${name}${suffix}${labelsText(labels)} ${formatGoFloat(value)}`;
  return timestampMs === undefined ? line : `${line} ${timestampMs}`;
}

function labelsText(labels: MetricSample['labels']): string {
  const names = Object.keys(labels).sort();
  return names.length === 0 ? '' : `{${names.map((name) => `${name}=${JSON.stringify(labels[name])}`).join(',')}}`;
}
