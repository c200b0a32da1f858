import { msg } from '@lit/localize';
import { type Progress, parseProgress } from '../../tutorials/index.ts';

const format = 'tabplane-progress';
const version = 1;

/** Formats the progress by lesson (`track/lesson`) for `parseProgressFile`. */
export function formatProgressFile(progress: ReadonlyMap<string, Progress>): string {
  return `${JSON.stringify({ format, version, lessons: Object.fromEntries(progress) }, undefined, 2)}\n`;
}

/** @throws Error with a message for the user */
export function parseProgressFile(text: string): ReadonlyMap<string, Progress> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Invalid JSON is reported below.
  }
  if (typeof value !== 'object' || value === null || !('format' in value) || value.format !== format) {
    throw new Error(msg('This file contains no lesson progress.'));
  }
  if (!('version' in value) || value.version !== version) throw new Error(msg('This page does not support the version of this file.'));
  const lessons = 'lessons' in value && typeof value.lessons === 'object' ? value.lessons : {};
  const read = Object.entries(lessons ?? {}).map(([name, one]) => [name, parseProgress(one)] as const);
  return new Map(read.filter((entry): entry is readonly [string, Progress] => entry[1] !== undefined));
}

/** Retains completed steps and the current step, which matches the stored cluster. */
export function mergeProgress(stored: Progress | undefined, imported: Progress): Progress {
  if (stored === undefined) return imported;
  const both = (one: readonly string[], other: readonly string[]): readonly string[] => [...new Set([...one, ...other])];
  return {
    ...stored,
    done: both(stored.done, imported.done),
    shown: both(stored.shown, imported.shown),
    hints: { ...imported.hints, ...stored.hints },
  };
}
