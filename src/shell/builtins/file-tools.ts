import { concatBytes } from '../../meta/index.ts';
import type { Invocation, Program } from '../context.ts';
import { CommandError } from '../errors.ts';
import { baseName, FileError, fileMessages, parentOf } from '../files.ts';
import { openInputs } from './input-files.ts';
import { readOptions } from './options.ts';

export const fileTools: Readonly<Record<string, Program>> = {
  cat,
  ls,
  mkdir: makeDirectories,
  rmdir: removeDirectories,
  rm: remove,
  mv: (call) => transfer(call, true),
  cp: (call) => transfer(call, false),
  touch,
  tee,
  mktemp: makeTemporary,
  vi: edit,
  vim: edit,
  nano: edit,
  edit,
};

async function cat(call: Invocation): Promise<number> {
  const options = readOptions('cat', call.args, 'nA');
  const names = options.words.length > 0 ? options.words : ['-'];
  const found = await openInputs(call, names);
  let line = 0;
  for (const { source } of found) {
    for (let chunk = await source.read(); chunk; chunk = await source.read()) {
      if (!options.has('n')) call.out(chunk);
      else
        call.out(
          new TextDecoder().decode(chunk).replace(/^.*\n?/gm, (text) => (text === '' ? '' : `${String(++line).padStart(6)}\t${text}`)),
        );
    }
  }
  return found.length === names.length ? 0 : 1;
}

async function ls(call: Invocation): Promise<number> {
  const { words, has } = readOptions('ls', call.args, 'la1AhtrRFd', { all: 'a' });
  let code = 0;
  const print = async (directory: string, names: readonly string[]): Promise<void> => {
    const shown = names.filter((name) => has('a') || has('A') || !name.startsWith('.'));
    for (const name of shown) call.out(has('l') ? `${await longLine(call, `${directory}/${name}`)} ${name}\n` : `${name}\n`);
  };
  for (const word of words.length > 0 ? words : ['.']) {
    const path = call.path(word);
    const kind = await call.shell.files.kind(path);
    if (kind === undefined) {
      call.err(`ls: cannot access '${word}': No such file or directory\n`);
      code = 2;
    } else if (kind === 'file' || has('d')) call.out(`${has('l') ? `${await longLine(call, path)} ` : ''}${word}\n`);
    else {
      if (words.length > 1) call.out(`${word === words[0] ? '' : '\n'}${word}:\n`);
      await print(path, await call.shell.files.list(path));
    }
  }
  return code;
}

async function longLine({ shell }: Invocation, path: string): Promise<string> {
  const content = await shell.files.read(path);
  return `${content ? '-rw-r--r-- 1' : 'drwxr-xr-x 2'} ${String(content?.length ?? 4096).padStart(6)}`;
}

async function makeDirectories(call: Invocation): Promise<number> {
  const { words, has } = readOptions('mkdir', call.args, 'pm:', { parents: 'p' });
  for (const word of words) {
    const path = call.path(word);
    const fail = (why: string): never => {
      throw new CommandError(`mkdir: cannot create directory '${word}': ${why}`);
    };
    if (!has('p') && (await call.shell.files.kind(path))) fail('File exists');
    if (!has('p') && !(await call.shell.files.kind(parentOf(path)))) fail('No such file or directory');
    await call.shell.files.makeDirectory(path);
  }
  return 0;
}

async function removeDirectories(call: Invocation): Promise<number> {
  for (const word of call.args) {
    const names = await call.shell.files.list(call.path(word));
    if (names.length > 0) throw new CommandError(`rmdir: failed to remove '${word}': Directory not empty`);
    await call.shell.files.remove(call.path(word));
  }
  return 0;
}

async function remove(call: Invocation): Promise<number> {
  const { words, has } = readOptions('rm', call.args, 'rfRiv', { recursive: 'r', force: 'f' });
  let code = 0;
  for (const word of words) {
    const kind = await call.shell.files.kind(call.path(word));
    const why = kind === undefined ? 'No such file or directory' : kind === 'directory' && !has('r') && !has('R') ? 'Is a directory' : '';
    if (why === '') await call.shell.files.remove(call.path(word));
    else if (kind !== undefined || !has('f')) {
      call.err(`rm: cannot remove '${word}': ${why}\n`);
      code = 1;
    }
  }
  return code;
}

async function transfer(call: Invocation, move: boolean): Promise<number> {
  const { words, has } = readOptions(call.name, call.args, 'rRfvapi', { recursive: 'r', force: 'f' });
  const target = words.at(-1);
  const sources = words.slice(0, -1);
  if (target === undefined || sources.length === 0) throw new CommandError(`${call.name}: missing file operand`);
  const { files } = call.shell;
  const into = (await files.kind(call.path(target))) === 'directory';
  if (sources.length > 1 && !into) throw new CommandError(`${call.name}: target '${target}': No such file or directory`);
  for (const source of sources) {
    const from = call.path(source);
    const kind = await files.kind(from);
    if (!kind) throw new CommandError(`${call.name}: cannot stat '${source}': No such file or directory`);
    if (kind === 'directory' && !move && !has('r') && !has('R') && !has('a')) {
      throw new CommandError(`cp: -r not specified; omitting directory '${source}'`);
    }
    await copyTree(call, from, into ? `${call.path(target)}/${baseName(source)}` : call.path(target));
    if (move) await files.remove(from);
  }
  return 0;
}

async function copyTree(call: Invocation, from: string, to: string): Promise<void> {
  const { files } = call.shell;
  const content = await files.read(from);
  if (content) {
    try {
      await files.write(to, content);
    } catch (error) {
      if (error instanceof FileError)
        throw new CommandError(`${call.name}: cannot create regular file '${to}': ${fileMessages[error.code]}`);
      throw error;
    }
    return;
  }
  await files.makeDirectory(to);
  for (const name of await files.list(from)) await copyTree(call, `${from}/${name}`, `${to}/${name}`);
}

async function touch(call: Invocation): Promise<number> {
  for (const word of call.args) {
    if (!(await call.shell.files.kind(call.path(word)))) await call.shell.files.write(call.path(word), new Uint8Array());
  }
  return 0;
}

async function tee(call: Invocation): Promise<number> {
  const { words, has } = readOptions('tee', call.args, 'ai', { append: 'a' });
  const chunks: Uint8Array[] = [];
  for (let chunk = await call.input.read(); chunk; chunk = await call.input.read()) {
    call.out(chunk);
    chunks.push(chunk);
  }
  for (const word of words) {
    const before = has('a') ? await call.shell.files.read(call.path(word)) : undefined;
    await call.shell.files.write(call.path(word), concatBytes([...(before ? [before] : []), ...chunks]));
  }
  return 0;
}

async function makeTemporary(call: Invocation): Promise<number> {
  const { has } = readOptions('mktemp', call.args, 'dt:p:');
  const path = `/tmp/tmp.${call.shell.random.uuid().slice(0, 8)}`;
  if (has('d')) await call.shell.files.makeDirectory(path);
  else await call.shell.files.write(path, new Uint8Array());
  call.out(`${path}\n`);
  return 0;
}

async function edit(call: Invocation): Promise<number> {
  const [name] = call.args.filter((arg) => !/^[-+]/.test(arg));
  if (name === undefined) throw new CommandError(`${call.name}: name the file to edit`);
  if (!call.shell.edit) throw new CommandError(`${call.name}: there is no editor here`);
  if (!(await call.shell.files.kind(call.path(name)))) await call.shell.files.write(call.path(name), new Uint8Array());
  return (await call.shell.edit(call.path(name))) ? 0 : 1;
}
