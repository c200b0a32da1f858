import type { Applet } from '../../process/applet.ts';
import { attempt } from '../../programs/file-attempt.ts';
import { nameOf, readArguments, type Usage, usageError } from '../arguments.ts';

const dirname: Applet = (invocation) => {
  const { operands } = readArguments(invocation, { options: '', synopsis: 'FILENAME', operands: [1, 1] });
  const [name = ''] = operands;
  const [, parent] = /^(.*?[^/])?\/+[^/]+\/*$/.exec(name) ?? [];
  invocation.out(`${parent ?? (name.startsWith('/') ? '/' : '.')}\n`);
  return 0;
};

const realpath: Applet = (invocation, { container: { files }, user }) => {
  const { args, out, err, path } = invocation;
  if (args.length === 0) throw usageError(invocation, { synopsis: 'FILE...' });
  const show = (name: string): boolean => attempt(() => out(`${files.status(path(name), user).path}\n`), err, `realpath: ${name}`);
  return args.map(show).every((isShown) => isShown) ? 0 : 1;
};

const linkUsage: Usage = { options: '', synopsis: 'FILE LINK', operands: [2, 2] };

const link: Applet = (invocation, { container: { files }, user }) => {
  const { operands } = readArguments(invocation, linkUsage);
  const [from = '', to = ''] = operands;
  const make = (): void => files.makeHardLink(invocation.path(from), invocation.path(to), user);
  return attempt(make, invocation.err, `${nameOf(invocation)}: can't create hardlink '${to}' to '${from}'`) ? 0 : 1;
};

const unlink: Applet = (invocation, { container: { files }, user }) => {
  const { operands } = readArguments(invocation, { options: '', synopsis: 'FILE', operands: [1, 1] });
  const [name = ''] = operands;
  return attempt(() => files.remove(invocation.path(name), user), invocation.err, `unlink: can't remove file '${name}'`) ? 0 : 1;
};

export const pathTools: Readonly<Record<string, Applet>> = { dirname, link, realpath, unlink };
