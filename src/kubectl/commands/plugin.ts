import { baseName } from '../../shell/index.ts';
import { bool } from '../parse/flags.ts';
import type { Call, Command } from '../program/command.ts';
import { PlainError } from '../program/errors.ts';

const list: Command = { flags: { 'name-only': bool() }, run: listPlugins };

export const plugin: Command = {
  subcommands: { list: { about: "List all visible plugin executables on a user's PATH", load: () => Promise.resolve(list) } },
};

async function listPlugins(call: Call): Promise<number> {
  const plugins = await findPlugins(call);
  if (plugins.length === 0) throw new PlainError('error: unable to find any kubectl plugins in your PATH\n');
  call.out('The following compatible plugins are available:\n\n');
  const seen = new Map<string, string>();
  let warnings = 0;
  for (const path of plugins) {
    call.out(`${call.flags.bool('name-only') ? baseName(path) : path}\n`);
    for (const warning of warningsOf(call, path, seen)) {
      call.err(`  - ${warning}\n`);
      warnings++;
    }
  }
  if (warnings === 0) return 0;
  throw new PlainError(warnings === 1 ? 'error: one plugin warning was found\n' : `error: ${warnings} plugin warnings were found\n`);
}

/** The files of the directories in $PATH whose names begin with `kubectl-`. */
async function findPlugins({ shell: { files }, environment, err }: Call): Promise<string[]> {
  const found: string[] = [];
  for (const directory of new Set((environment.get('PATH') ?? '').split(':'))) {
    if (directory.trim() === '') continue;
    if ((await files.kind(directory)) !== 'directory') {
      const why = `open ${directory}: no such file or directory`;
      err(`Unable to read directory ${JSON.stringify(directory)} from your PATH: ${why}. Skipping...\n`);
      continue;
    }
    for (const name of await files.list(directory)) {
      const path = `${directory.replace(/\/$/, '')}/${name}`;
      if (name.startsWith('kubectl-') && (await files.kind(path)) === 'file') found.push(path);
    }
  }
  return found;
}

function warningsOf({ root }: Call, path: string, seen: Map<string, string>): string[] {
  const name = baseName(path);
  const warnings: string[] = [];
  const other = seen.get(name);
  if (other === undefined) seen.set(name, path);
  else warnings.push(`warning: ${path} is overshadowed by a similarly named plugin: ${other}`);
  const [, command = ''] = name.split('-');
  if (Object.hasOwn(root.subcommands ?? {}, command)) warnings.push(`warning: ${name} overwrites existing command: "kubectl ${command}"`);
  return warnings;
}
