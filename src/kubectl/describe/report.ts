import type { Json, JsonObject } from '../../meta/index.ts';
import type { corev1, metav1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { metadataOf, textsOf } from '../resources/info.ts';

/**
 * The output of `describe`: tab-separated cells, aligned over adjacent lines that have the same column. Cf. Go's text/tabwriter with a
 * padding of 2, as kubectl's describers use it.
 */
export class Report {
  #text = '';
  #aligned = '';
  readonly nowMs: number;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  /** Indents by two spaces a level and writes the text as it is. */
  write(level: number, text: string): void {
    this.#text += '  '.repeat(level) + text;
  }

  /** Writes cells; an absent one is empty. */
  line(level: number, ...cells: readonly unknown[]): void {
    this.write(level, `${cells.map((cell) => String(cell ?? '')).join('\t')}\n`);
  }

  /** Writes a title and its value, unless the value is absent or empty. */
  optional(level: number, title: string, value: string | number | boolean | null | undefined): void {
    if ((value ?? '') !== '') this.line(level, title, value);
  }

  /** Starts a new alignment block. */
  flush(): void {
    this.#aligned += alignTabs(this.#text);
    this.#text = '';
  }

  /** The text before alignment, with tabs. */
  raw(): string {
    return this.#text;
  }

  toString(): string {
    this.flush();
    return this.#aligned;
  }
}

const padding = 2;

/** Aligns text whose cells end in tabs. */
function alignTabs(text: string): string {
  if (text === '') return '';
  const ended = text.endsWith('\n');
  const lines = (ended ? text.slice(0, -1) : text).split('\n').map((line) => line.split('\t'));
  const widths: number[][] = lines.map(() => []);
  setColumnWidths(lines, widths, 0, lines.length, 0);
  const aligned = lines.map((cells, index) =>
    cells
      .map((cell, column) =>
        column < cells.length - 1 ? cell.padEnd((widths[index]?.[column] ?? 0) - (cell.length - lengthOf(cell))) : cell,
      )
      .join(''),
  );
  return aligned.join('\n') + (ended ? '\n' : '');
}

function lengthOf(cell: string): number {
  return [...cell].length;
}

/** A column spans adjacent lines that have a tab-terminated cell in it. */
function setColumnWidths(lines: readonly (readonly string[])[], widths: number[][], from: number, to: number, column: number): void {
  for (let start = from; start < to; start++) {
    if (column >= (lines[start]?.length ?? 0) - 1) continue;
    let end = start;
    let width = 0;
    for (; end < to && column < (lines[end]?.length ?? 0) - 1; end++)
      width = Math.max(width, lengthOf(lines[end]?.[column] ?? '') + padding);
    for (let line = start; line < end; line++) {
      const row = widths[line];
      if (row) row[column] = width;
    }
    setColumnWidths(lines, widths, start, end, column + 1);
    start = end;
  }
}

/** The end of the annotation's name, which is the same in all products. */
const lastApplied = '/last-applied-configuration';
const annotationMax = 140;

export function textsIn(object: JsonObject | undefined, name: string): readonly string[] {
  const value = object?.[name];
  return Array.isArray(value) ? value.map(String) : [];
}

export function textIn(object: JsonObject | undefined, name: string, fallback = ''): string {
  const value = object?.[name];
  return value === undefined || value === null || value === '' ? fallback : String(value);
}

/** `Labels:  a=b`, further ones on the lines below. */
export function writeLabels(report: Report, title: string, labels: unknown): void {
  const texts = textsOf(labels);
  const keys = Object.keys(texts).sort();
  report.write(0, `${title}:\t`);
  if (keys.length === 0) {
    report.line(0, '<none>');
    return;
  }
  for (const [index, key] of keys.entries()) report.write(0, `${index > 0 ? '\t' : ''}${key}=${texts[key]}\n`);
}

/** Long values are cut and go below their name; the last-applied annotation is omitted. */
export function writeAnnotations(report: Report, title: string, annotations: unknown): void {
  const texts = textsOf(annotations);
  const keys = Object.keys(texts)
    .filter((key) => !key.endsWith(lastApplied))
    .sort();
  report.write(0, `${title}:\t`);
  if (keys.length === 0) {
    report.line(0, '<none>');
    return;
  }
  for (const [index, key] of keys.entries()) {
    const value = (texts[key] ?? '').replace(/\n$/, '');
    const margin = index > 0 ? '\t' : '';
    if (value.length + key.length + 2 <= annotationMax && !value.includes('\n')) report.write(0, `${margin}${key}: ${value}\n`);
    else {
      report.write(0, `${margin}${key}:\n`);
      for (const line of value.split('\n'))
        report.write(0, `\t  ${line.length > annotationMax - 2 ? `${line.slice(0, annotationMax - 2)}...` : line}\n`);
    }
  }
}

/** `a=b,c=d`. */
export function formatLabels(labels: unknown): string {
  const texts = textsOf(labels);
  const keys = Object.keys(texts).sort();
  return keys.length === 0 ? '<none>' : keys.map((key) => `${key}=${texts[key]}`).join(',');
}

/** Writes the conditions' statuses as a table; nothing when the list is empty. */
export function writeConditions(report: Report, conditions: readonly Decoded<metav1.Condition>[]): void {
  if (conditions.length === 0) return;
  report.line(0, 'Conditions:');
  report.line(1, 'Type', 'Status', 'LastTransitionTime', 'Reason', 'Message');
  report.line(1, '----', '------', '------------------', '------', '-------');
  for (const { type, status, lastTransitionTime, reason, message } of conditions)
    report.line(1, type, status, formatTime(lastTransitionTime), reason, message);
}

/** `Mon, 01 Jan 2024 00:00:00 +0000`. */
export function formatTime(value: Json | undefined): string {
  const at = typeof value === 'string' ? new Date(value) : new Date(Number.NaN);
  if (Number.isNaN(at.getTime())) return 'Mon, 01 Jan 0001 00:00:00 +0000';
  return at.toUTCString().replace('GMT', '+0000');
}

/** Writes name, namespace, labels and annotations, the head of most descriptions. */
export function writeHead(report: Report, object: JsonObject): void {
  const { name, namespace, labels, annotations } = metadataOf(object);
  report.line(0, 'Name:', name ?? '');
  report.line(0, 'Namespace:', namespace ?? '');
  writeLabels(report, 'Labels', labels);
  writeAnnotations(report, 'Annotations', annotations);
}

/** `ReplicaSet/web-1`, empty without a controller. */
export function controllerOf({ metadata }: Decoded<{ metadata: metav1.ObjectMeta }>): string {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
  return owner ? `${owner.kind ?? ''}/${owner.name ?? ''}` : '';
}

/** The storage class of a volume or claim. Its annotation is from the time before the field. */
export function storageClassOf({ metadata, spec }: Decoded<corev1.PersistentVolume | corev1.PersistentVolumeClaim>): string | undefined {
  return metadata?.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName;
}

export function yesOrNo(value: Json | undefined): string {
  return value === undefined || value === null ? '<unset>' : value === true ? 'True' : 'False';
}
