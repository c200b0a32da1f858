import { formatLabelSelector, type JsonObject, objectsAt, recordAt } from '../../meta/index.ts';
import { metadataOf, textsOf } from '../resources/info.ts';
import { writeContainers } from './containers.ts';
import { Report, textIn, writeAnnotations, writeLabels } from './report.ts';
import { writeVolumes } from './volumes.ts';

/** A template as `rollout history` prints it: aligned with tab stops of eight columns instead of spaces. */
export function describeTemplate(template: JsonObject): string {
  const report = new Report(0);
  writeTemplate(report, template);
  return report.raw();
}

export function writeTemplate(report: Report, template: JsonObject): void {
  const spec = recordAt(template, 'spec');
  const { labels, annotations } = metadataOf(template);
  report.line(0, 'Pod Template:');
  writeLabels(report, '  Labels', labels);
  if (Object.keys(textsOf(annotations)).length > 0) writeAnnotations(report, '  Annotations', annotations);
  if (textIn(spec, 'serviceAccountName') !== '') report.line(1, 'Service Account:', textIn(spec, 'serviceAccountName'));
  if (objectsAt(spec, 'initContainers').length > 0)
    writeContainers(report, { label: 'Init Containers', containers: objectsAt(spec, 'initContainers'), statuses: [], space: '  ' });
  writeContainers(report, { label: 'Containers', containers: objectsAt(spec, 'containers'), statuses: [], space: '  ' });
  writeVolumes(report, objectsAt(spec, 'volumes'), '  ');
  writeSpread(report, spec, '  ');
  if (textIn(spec, 'priorityClassName') !== '') report.line(1, 'Priority Class Name:', textIn(spec, 'priorityClassName'));
  writeLabels(report, '  Node-Selectors', spec['nodeSelector']);
  writeTolerations(report, '  Tolerations', objectsAt(spec, 'tolerations'));
}

export function writeTolerations(report: Report, title: string, tolerations: readonly JsonObject[]): void {
  report.write(0, `${title}:\t`);
  if (tolerations.length === 0) {
    report.line(0, '<none>');
    return;
  }
  const sorted = [...tolerations].sort((left, right) => (textIn(left, 'key') < textIn(right, 'key') ? -1 : 1));
  for (const [index, one] of sorted.entries()) {
    const [key, value, effect, seconds] = [
      textIn(one, 'key'),
      textIn(one, 'value'),
      textIn(one, 'effect'),
      textIn(one, 'tolerationSeconds'),
    ];
    const base = `${key}${value === '' ? '' : `=${value}`}${effect === '' ? '' : `:${effect}`}`;
    const exists = one['operator'] === 'Exists' && value === '' ? `${base === '' ? '' : ' '}op=Exists` : '';
    report.write(0, `${index > 0 ? '\t' : ''}${base}${exists}${seconds === '' ? '' : ` for ${seconds}s`}\n`);
  }
}

export function writeSpread(report: Report, spec: JsonObject, space: string): void {
  const constraints = [...objectsAt(spec, 'topologySpreadConstraints')].sort((left, right) =>
    textIn(left, 'topologyKey') < textIn(right, 'topologyKey') ? -1 : 1,
  );
  if (constraints.length === 0) return;
  report.write(0, `${space}Topology Spread Constraints:\t`);
  for (const [index, one] of constraints.entries()) {
    const selector = one['labelSelector'] === undefined ? '' : ` for selector ${formatLabelSelector(one['labelSelector'], '<none>')}`;
    report.write(
      0,
      `${index > 0 ? `${space}\t` : ''}${textIn(one, 'topologyKey')}:${textIn(one, 'whenUnsatisfiable')} when max skew ${textIn(one, 'maxSkew')} is exceeded${selector}\n`,
    );
  }
}
