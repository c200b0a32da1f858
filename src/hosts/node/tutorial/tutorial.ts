import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identities } from '../../../console/model/index.ts';
import type { Env } from '../../../env/index.ts';
import { type ProductName, productByName } from '../../../meta/index.ts';
import { type LessonReport, testTrack } from '../../../tutorials/testing/index.ts';
import { FlagError } from '../flags/flags.ts';
import { exportLesson, importFolder } from './scenario-files.ts';
import { MemoryLab } from './tutorial-lab.ts';

const tutorialUsage = `Usage:
  tabplane tutorial test DIR [--names svc|kubernetes]
  tabplane tutorial import SCENARIO DIR
  tabplane tutorial export LESSON.md DIR

test plays every lesson of a folder: each check must fail before its step's solution and hold after it.
import converts a scenario of Killercoda, a folder with index.json, to a lesson; export converts a lesson to a scenario.
`;

/** Commands that convert a source to files of a folder. */
const conversions: ReadonlyMap<string, typeof importFolder> = new Map(Object.entries({ import: importFolder, export: exportLesson }));

/** `tabplane tutorial …`; the exit code. @throws FlagError */
export async function tutorial(words: readonly string[], env: Env, print: (text: string) => void): Promise<number> {
  const [command, folder, ...rest] = words;
  if (command === undefined || command === '--help') {
    print(tutorialUsage);
    return 0;
  }
  const [target] = rest;
  const convert = conversions.get(command);
  if (convert && folder !== undefined && target !== undefined) return convert(folder, target, print);
  if (command !== 'test' || folder === undefined) throw new FlagError(`unknown words "tutorial ${words.join(' ')}"\n${tutorialUsage}`);
  const reports = await testFolder(folder, parseNames(rest), env);
  for (const { file, title, steps, failures } of reports) {
    print(`${failures.length === 0 ? 'ok    ' : 'FAILED'} ${file}: ${title} (${steps} steps)\n`);
    for (const failure of failures) print(`       ${failure}\n`);
  }
  const failed = reports.filter(({ failures }) => failures.length > 0).length;
  print(`${reports.length - failed} passed, ${failed} failed\n`);
  return failed > 0 || reports.length === 0 ? 1 : 0;
}

/** Tests the lessons of a folder sequentially. */
export async function testFolder(folder: string, names: ProductName, env: Env): Promise<readonly LessonReport[]> {
  const files = new Map<string, string>();
  for (const name of await readdir(folder)) files.set(name, await readFile(join(folder, name), 'utf8'));
  const groupsOf = (user: string): readonly string[] => identities.find(({ name }) => name === user)?.groups ?? [];
  // The folders of all tracks are siblings.
  const hasLesson = (name: string): boolean => existsSync(join(folder, '..', `${name}.md`));
  return testTrack(files, async () => new MemoryLab(env, names, folder), { product: productByName(names), groupsOf, hasLesson });
}

function parseNames(words: readonly string[]): ProductName {
  const [flag, given] = words.length === 1 ? (words[0] ?? '').split('=') : words;
  if (flag === undefined) return 'svc';
  if (flag === '--names' && (given === 'svc' || given === 'kubernetes') && words.length <= 2) return given;
  throw new FlagError(`unknown words "${words.join(' ')}"\n${tutorialUsage}`);
}
