import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { readTrack, renderProse } from '../../../tutorials/format/index.ts';
import { exportScenario, importScenario } from '../../../tutorials/killercoda/index.ts';

type Files = ReadonlyMap<string, string>;

/** Converts a scenario of Killercoda to a lesson in `target`. Returns the exit code. */
export async function importFolder(scenario: string, target: string, print: (text: string) => void): Promise<number> {
  return write(target, importScenario(await readTree(scenario)), print);
}

/** Converts a lesson, with the files of its folder, to a scenario of Killercoda in `target`. Returns the exit code. */
export async function exportLesson(lesson: string, target: string, print: (text: string) => void): Promise<number> {
  const files = await readTree(dirname(lesson));
  const { inherited } = readTrack(files.get('track.md') ?? '');
  const options = { render: renderProse, file: (name: string) => files.get(name), inherited };
  return write(target, exportScenario(files.get(basename(lesson)) ?? '', options), print);
}

async function write(
  target: string,
  { files, notes }: { readonly files: Files; readonly notes: readonly string[] },
  print: (text: string) => void,
): Promise<number> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(target, path)), { recursive: true });
    await writeFile(join(target, path), text);
    print(`${join(target, path)}\n`);
  }
  for (const note of notes) print(`note: ${note}\n`);
  return 0;
}

/** The files of a folder and those below it, by path. */
async function readTree(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path, 'utf8')] as const)));
}
