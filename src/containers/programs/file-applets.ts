import { trimEnd } from '../../meta/index.ts';
import type { Applet } from '../process/applet.ts';
import { makeParents } from '../process/shell-files.ts';
import { copy, move } from './copy-applets.ts';
import { attempt, parseMode } from './file-attempt.ts';
import { ls } from './ls.ts';
import { parseOptions } from './options.ts';
import { readlink, stat } from './stat.ts';
import { removeRecursively, walkFiles } from './walk-files.ts';

const cat: Applet = async (invocation, { container: { files, pause }, user }) => {
  const { args, out, err, input, path } = invocation;
  const { operands } = parseOptions(args);
  let code = 0;
  for (const file of operands.length === 0 ? ['-'] : operands) {
    if (file === '-') {
      for (let chunk = await input.read(); chunk; chunk = await input.read()) out(chunk);
      continue;
    }
    const isDirectory = files.find(path(file), user)?.inode.type === 'directory';
    const message = isDirectory ? 'cat: read error' : `cat: can't open '${file}'`;
    if (!attempt(() => out(files.read(path(file), user).slice()), err, message)) code = 1;
    await pause();
  }
  return code;
};

const mkdir: Applet = ({ args, err, path }, { container: { files }, user }) => {
  const { flags, values, operands } = parseOptions(args, ['m', 'mode']);
  const mode = Number.parseInt(values.get('m') ?? values.get('mode') ?? '777', 8);
  let code = 0;
  for (const name of operands) {
    const make = (): void => {
      if (flags.has('p') || flags.has('parents')) makeParents(path(name), (one) => files.makeDirectory(one, user));
      else files.makeDirectory(path(name), user, mode);
      if (values.size > 0) files.changeMode(path(name), mode, user);
    };
    if (
      !(flags.has('p') && files.find(path(name), user)?.inode.type === 'directory') &&
      !attempt(make, err, `mkdir: can't create directory '${name}'`)
    )
      code = 1;
  }
  return code;
};

const rmdir: Applet = ({ args, err, path }, { container: { files }, user }) =>
  all(parseOptions(args).operands, (name) => attempt(() => files.remove(path(name), user, true), err, `rmdir: '${name}'`));

const rm: Applet = async ({ args, err, path }, { container: { files, pause }, user }) => {
  const { flags, operands } = parseOptions(args);
  const [recursive, force] = [flags.has('r') || flags.has('R') || flags.has('recursive'), flags.has('f')];
  let code = 0;
  for (const name of operands) {
    await pause();
    const status = files.find(path(name), user, false);
    if (!status && force) continue;
    if (status?.inode.type === 'directory' && !recursive) {
      err(`rm: '${name}' is a directory\n`);
      code = 1;
    } else if (!removeRecursively(path(name), name, files, user, err)) code = 1;
  }
  return code;
};

const touch: Applet = ({ args, err, path }, { container: { files, env }, user }) => {
  const { flags, operands } = parseOptions(args, ['d', 't', 'r']);
  return all(operands, (name) =>
    attempt(
      () => {
        if (files.find(path(name), user)) files.changeTime(path(name), env.clock.nowMs(), user);
        else if (!flags.has('c')) files.open(path(name), user, { append: true });
      },
      err,
      `touch: ${name}`,
    ),
  );
};

const chmod: Applet = ({ args, err, path }, { container: { files }, user }) => {
  const recursive = /^-\w*R/.test(args[0] ?? '');
  const [text = '', ...names] = args.filter((arg, index) => !(index === 0 && recursive) && arg !== '--');
  return all(names, (name) =>
    attempt(
      () => {
        for (const file of recursive ? walkFiles(path(name), files, user) : [path(name)]) {
          const { inode } = files.status(file, user);
          const mode = parseMode(text, inode.mode, inode.type === 'directory');
          if (mode !== undefined) files.changeMode(file, mode, user);
          else err(`chmod: invalid mode '${text}'\n`);
        }
      },
      err,
      `chmod: ${name}`,
    ),
  );
};

const createChown =
  (applet: 'chown' | 'chgrp'): Applet =>
  ({ args, err, path }, { container: { files }, user }) => {
    const { flags, operands } = parseOptions(args);
    const [owner = '', ...names] = operands;
    const [uid, gid] = applet === 'chgrp' ? [undefined, idOf(owner)] : owner.split(/[:.]/).map(idOf);
    return all(names, (name) =>
      attempt(
        () => {
          for (const file of flags.has('R') ? walkFiles(path(name), files, user) : [path(name)]) files.changeOwner(file, uid, gid, user);
        },
        err,
        `${applet}: ${name}`,
      ),
    );
  };

const ids: Readonly<Record<string, number>> = {
  root: 0,
  daemon: 1,
  bin: 2,
  www: 33,
  'www-data': 33,
  nginx: 101,
  nobody: 65_534,
  nogroup: 65_534,
};

/** The number of a user or group; undefined: the text is empty. */
export const idOf = (text: string): number | undefined => (text === '' ? undefined : (ids[text] ?? Number(text)));

const ln: Applet = ({ args, err, path }, { container: { files }, user }) => {
  const { flags, operands } = parseOptions(args);
  const [target = '', to = target.split('/').at(-1) ?? ''] = operands;
  const isInto = !flags.has('n') && files.find(path(to), user)?.inode.type === 'directory';
  const name = isInto ? `${to}/${target.split('/').at(-1)}` : to;
  if (flags.has('f') && files.find(path(name), user, false) && !attempt(() => files.remove(path(name), user), err, `ln: ${name}`)) return 1;
  const make = (): void => {
    if (flags.has('s')) files.makeLink(target, path(name), user);
    else files.makeHardLink(path(target), path(name), user);
  };
  return attempt(make, err, `ln: ${name}`) ? 0 : 1;
};

const tee: Applet = async ({ args, input, out, err, path }, { container: { files }, user }) => {
  const { flags, operands } = parseOptions(args);
  const writers: ((bytes: Uint8Array) => void)[] = [];
  let code = 0;
  for (const name of operands) {
    const open = (): void => {
      const file = files.open(path(name), user, { append: flags.has('a') });
      writers.push((bytes) => file.write(bytes));
    };
    if (!attempt(open, err, `tee: ${name}`)) code = 1;
  }
  for (let chunk = await input.read(); chunk; chunk = await input.read()) {
    out(chunk);
    for (const write of writers) write(chunk);
  }
  return code;
};

const mktemp: Applet = ({ args, out, err, path }, { container: { files, env }, user }) => {
  const { flags, operands } = parseOptions(args, ['p']);
  const template = operands[0] ?? '/tmp/tmp.XXXXXX';
  const fixed = trimEnd(template, 'X');
  const name = `${fixed}${env.random
    .uuid()
    .replaceAll('-', '')
    .slice(0, template.length - fixed.length)}`;
  const make = (): void => {
    if (flags.has('d')) files.makeDirectory(path(name), user, 0o700);
    else files.open(path(name), user, { mode: 0o600 });
  };
  if (!attempt(make, err, `mktemp: ${name}`)) return 1;
  out(`${name}\n`);
  return 0;
};

/** 0 when the action succeeds for all names; it is run for each of them. */
const all = (names: readonly string[], run: (name: string) => boolean): number => (names.map(run).every((isDone) => isDone) ? 0 : 1);

/** The programs that work on files. */
export const fileApplets: Readonly<Record<string, Applet>> = {
  cat,
  chgrp: createChown('chgrp'),
  chmod,
  chown: createChown('chown'),
  cp: copy,
  ln,
  ls,
  mkdir,
  mktemp,
  mv: move,
  readlink,
  rm,
  rmdir,
  stat,
  tee,
  touch,
};
