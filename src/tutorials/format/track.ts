import type { JsonObject } from '../../meta/index.ts';
import { parseFrontMatterValues } from './front-matter.ts';

/** The content of a folder's `track.md`. */
export interface Track {
  readonly title: string;
  readonly about: string;
  /** Position among the tracks. Tracks without one come last. */
  readonly order: number;
  /** Defaults for all lessons of the folder. */
  readonly inherited: JsonObject;
}

export function readTrack(source: string): Track {
  const { title, order, ...inherited } = parseFrontMatterValues(source);
  return {
    title: typeof title === 'string' ? title : '',
    about: source.replace(/^---\n[\s\S]*?\n---\n/, '').trim(),
    order: typeof order === 'number' ? order : Number.POSITIVE_INFINITY,
    inherited,
  };
}

/** The lesson files of a folder, sorted, without `track.md` and translations (`lesson.de.md`). */
export function lessonFiles(names: Iterable<string>): readonly string[] {
  return [...names].filter((name) => name.endsWith('.md') && name !== 'track.md' && !/\.[a-z]{2,3}(-\w+)?\.md$/i.test(name)).sort();
}
