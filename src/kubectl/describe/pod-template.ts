import { formatLabelSelector } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { textsOf } from '../resources/info.ts';
import { writeContainers } from './containers.ts';
import { Report, writeAnnotations, writeLabels } from './report.ts';
import { writeVolumes } from './volumes.ts';

type Template = Decoded<corev1.PodTemplateSpec>;

/** A template as `rollout history` prints it: aligned with tab stops of eight columns instead of spaces. */
export function describeTemplate(template: Template): string {
  const report = new Report(0);
  writeTemplate(report, template);
  return report.raw();
}

export function writeTemplate(report: Report, { metadata = {}, spec = {} }: Template = {}): void {
  const { labels, annotations } = metadata;
  report.line(0, 'Pod Template:');
  writeLabels(report, '  Labels', labels);
  if (Object.keys(textsOf(annotations)).length > 0) writeAnnotations(report, '  Annotations', annotations);
  report.optional(1, 'Service Account:', spec.serviceAccountName);
  if (spec.initContainers?.length)
    writeContainers(report, { label: 'Init Containers', containers: spec.initContainers, statuses: [], space: '  ' });
  writeContainers(report, { label: 'Containers', containers: spec.containers ?? [], statuses: [], space: '  ' });
  writeVolumes(report, spec.volumes ?? [], '  ');
  writeSpread(report, spec, '  ');
  report.optional(1, 'Priority Class Name:', spec.priorityClassName);
  writeLabels(report, '  Node-Selectors', spec.nodeSelector);
  writeTolerations(report, '  Tolerations', spec.tolerations);
}

export function writeTolerations(report: Report, title: string, tolerations: readonly Decoded<corev1.Toleration>[] = []): void {
  report.write(0, `${title}:\t`);
  if (tolerations.length === 0) {
    report.line(0, '<none>');
    return;
  }
  const sorted = [...tolerations].sort((left, right) => ((left.key ?? '') < (right.key ?? '') ? -1 : 1));
  for (const [index, { key = '', operator, value = '', effect = '', tolerationSeconds: seconds }] of sorted.entries()) {
    const base = `${key}${value === '' ? '' : `=${value}`}${effect === '' ? '' : `:${effect}`}`;
    const exists = operator === 'Exists' && value === '' ? `${base === '' ? '' : ' '}op=Exists` : '';
    report.write(0, `${index > 0 ? '\t' : ''}${base}${exists}${seconds === undefined ? '' : ` for ${seconds}s`}\n`);
  }
}

export function writeSpread(report: Report, { topologySpreadConstraints = [] }: Decoded<corev1.PodSpec>, space: string): void {
  const constraints = topologySpreadConstraints.toSorted((left, right) => ((left.topologyKey ?? '') < (right.topologyKey ?? '') ? -1 : 1));
  if (constraints.length === 0) return;
  report.write(0, `${space}Topology Spread Constraints:\t`);
  for (const [index, { topologyKey = '', whenUnsatisfiable = '', maxSkew = '', labelSelector }] of constraints.entries()) {
    const selector = labelSelector === undefined ? '' : ` for selector ${formatLabelSelector(labelSelector, '<none>')}`;
    report.write(
      0,
      `${index > 0 ? `${space}\t` : ''}${topologyKey}:${whenUnsatisfiable} when max skew ${maxSkew} is exceeded${selector}\n`,
    );
  }
}
