import { formatGoValue, isJsonObject, type JsonObject } from '../../meta/index.ts';
import { type Report, writeHead } from './report.ts';

const skipped = new Set(['.metadata.managedFields', '.metadata.name', '.metadata.namespace', '.metadata.labels', '.metadata.annotations']);

/** Describes any object: its members under readable labels. */
export function describeGeneric(report: Report, object: JsonObject): void {
  writeHead(report, object);
  writeMembers(report, object, 0, '');
}

function writeMembers(report: Report, object: JsonObject, level: number, path: string): void {
  for (const name of Object.keys(object).sort()) {
    const memberPath = `${path}.${name}`;
    if (skipped.has(memberPath)) continue;
    const value = object[name];
    if (isJsonObject(value)) {
      report.line(level, `${labelFor(name)}:`);
      writeMembers(report, value, level + 1, memberPath);
    } else if (Array.isArray(value)) {
      report.line(level, `${labelFor(name)}:`);
      for (const item of value) {
        if (isJsonObject(item)) writeMembers(report, item, level + 1, memberPath);
        else report.line(level + 1, formatGoValue(item));
      }
    } else report.line(level, `${labelFor(name)}:`, formatGoValue(value));
  }
}

const acronyms = new Set(['API', 'URL', 'UID', 'OSB', 'GUID']);

/** `creationTimestamp` → `Creation Timestamp`; names that are no words stay. */
function labelFor(name: string): string {
  if (!/^[\p{L}-]+$/u.test(name)) return name;
  const words = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{L}|-+/gu) ?? [name];
  return words
    .map((word) => (acronyms.has(word.toUpperCase()) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ');
}
