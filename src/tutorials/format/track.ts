import type { JsonObject } from '../../meta/index.ts';
import { readHead } from './front-matter.ts';

/** What a folder's `track.md` says. */
export interface Track {
  readonly title: string;
  readonly about: string;
  /** For all lessons of the folder. */
  readonly inherited: JsonObject;
}

export function readTrack(source: string): Track {
  const { title, ...inherited } = readHead(source);
  return { title: typeof title === 'string' ? title : '', about: source.replace(/^---\n[\s\S]*?\n---\n/, '').trim(), inherited };
}

/** The files of a folder that are lessons, in their order: neither what is said of the track, nor translations (`lesson.de.md`). */
export function lessonFiles(names: Iterable<string>): readonly string[] {
  return [...names].filter((name) => name.endsWith('.md') && name !== 'track.md' && !/\.[a-z]{2,3}(-\w+)?\.md$/i.test(name)).sort();
}
