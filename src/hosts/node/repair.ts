import { cp, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Env } from '../../env/index.ts';
import { examineLog, type LogExamination, type LogStore, openFileLogStore, openLogKeySpace } from '../../storage/index.ts';
import { FlagError } from './flags/flag-error.ts';
import { createLogFolder } from './storage/log-folder.ts';

const repairUsage = `Usage: tabplane repair --data-dir FOLDER [--write]

Shows what is damaged in the data folder of a server, and what would be lost by cutting the log there. Changes nothing without --write;
with it, copies the folder first. The server must not be running.
`;

/** Limit of listed changes; damage at the beginning of a large log affects nearly all. */
const shownChanges = 100;

/** `tabplane repair …`; the exit code: 1 when there is damage that was not repaired. @throws FlagError | KeySpaceError */
export async function repair(words: readonly string[], env: Env, print: (text: string) => void): Promise<number> {
  const { dataDir, isWrite, isHelp } = parseArguments(words);
  if (isHelp || dataDir === undefined) {
    print(repairUsage);
    return isHelp ? 0 : 1;
  }
  if (!(await stat(dataDir).catch(() => undefined))?.isDirectory()) throw new FlagError(`there is no data folder ${dataDir}`);
  const examination = await examine(dataDir, env);
  print(formatReport(dataDir, examination));
  if (examination.damage === undefined) return 0;
  if (!isWrite) {
    print('Nothing was changed. With --write the folder is copied, and the log is cut there.\n');
    return 1;
  }
  print(`The folder was copied to ${await cutLog(dataDir, env)}, and the log was cut.\n`);
  return 0;
}

interface RepairArguments {
  readonly dataDir: string | undefined;
  readonly isWrite: boolean;
  readonly isHelp: boolean;
}

function parseArguments(words: readonly string[]): RepairArguments {
  let dataDir: string | undefined;
  let [isWrite, isHelp] = [false, false];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--data-dir') dataDir = words[++at];
    else if (word.startsWith('--data-dir=')) dataDir = word.slice('--data-dir='.length);
    else if (word === '--write' || word === '--yes') isWrite = true;
    else if (word === '--help' || word === '-h') isHelp = true;
    else throw new FlagError(`unknown word ${JSON.stringify(word)}\n${repairUsage}`);
  }
  return { dataDir, isWrite, isHelp };
}

async function openStore(dataDir: string, { clock, random, log }: Env): Promise<LogStore> {
  const folder = await createLogFolder(dataDir, log);
  return openFileLogStore({ folder, clock, random, log, sync: 'always' });
}

async function examine(dataDir: string, env: Env): Promise<LogExamination> {
  const store = await openStore(dataDir, env);
  try {
    return examineLog(await store.load());
  } finally {
    await store.close();
  }
}

/** Cuts the log after a backup; returns the path of the backup. */
async function cutLog(dataDir: string, env: Env): Promise<string> {
  const store = await openStore(dataDir, env);
  const time = new Date(env.clock.nowMs()).toISOString().replaceAll(':', '-');
  const copy = `${resolve(dataDir)}.backup-${time}`;
  try {
    await cp(dataDir, copy, { recursive: true, errorOnExist: true, force: false, filter: (path) => basename(path) !== 'reserve' });
  } catch (error) {
    await store.close();
    throw error;
  }
  await (await openLogKeySpace({ store, clock: env.clock, log: env.log, onDamage: 'retain-intact' })).close();
  return copy;
}

function formatReport(dataDir: string, { damage, intact, lost }: LogExamination): string {
  if (damage === undefined) return `${dataDir} is intact: revisions up to ${intact.revision}, ${intact.keys} keys\n`;
  const lines = [`${dataDir}: ${damage}`];
  const last = lost.at(-1);
  if (last) {
    lines.push(`Cutting the log there loses revisions ${intact.revision + 1} to ${last.revision} at least. Of these can be read:`);
    for (const { revision, key, isDelete } of lost.slice(0, shownChanges))
      lines.push(`  ${revision} ${isDelete ? 'delete' : 'write '} ${key}`);
    if (lost.length > shownChanges) lines.push(`  … and ${lost.length - shownChanges} more`);
  } else {
    lines.push(`Cutting the log there loses what was written after revision ${intact.revision}; nothing of it can be read.`);
  }
  return `${lines.join('\n')}\n`;
}
