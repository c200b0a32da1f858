import type { FileStatus } from '../files/file-tree.ts';
import type { Applet } from '../process/applet.ts';
import type { Process } from '../process/process.ts';
import { attempt, formatMode } from './file-attempt.ts';
import { parseOptions } from './options.ts';
import { userNameOf } from './user-names.ts';

interface Entry {
  readonly name: string;
  readonly status: FileStatus;
}

interface Style {
  readonly flags: ReadonlySet<string>;
  readonly process: Process;
}

export const ls: Applet = ({ args, out, err, path }, process) => {
  const { flags, operands } = parseOptions(args);
  const { container, user } = process;
  const { files } = container;
  const style: Style = { flags, process };
  const directories: [name: string, path: string][] = [];
  const entries: Entry[] = [];
  let code = 0;
  for (const name of operands.length === 0 ? ['.'] : operands) {
    const isListed = attempt(
      () => {
        // With -l, a link on the command line is shown itself.
        const status = files.status(path(name), user, !(flags.has('l') || flags.has('d')) || name.endsWith('/'));
        if (status.inode.type === 'directory' && !flags.has('d')) directories.push([name, path(name)]);
        else entries.push({ name, status });
      },
      err,
      `ls: ${name}`,
    );
    if (!isListed) code = 1;
  }
  out(format(entries, style));
  const hasTitles = operands.length > 1 || flags.has('R');
  for (let directory = directories.shift(), isFirst = entries.length === 0; directory; directory = directories.shift(), isFirst = false) {
    const [name, full] = directory;
    const list = (): void => {
      const children = childrenOf(full, style);
      out(
        `${isFirst || !hasTitles ? '' : '\n'}${hasTitles ? `${name}:\n` : ''}${flags.has('l') ? `total ${totalOf(children)}\n` : ''}${format(children, style)}`,
      );
      const below = children.filter((child) => flags.has('R') && child.status.inode.type === 'directory' && !/^\.\.?$/.test(child.name));
      directories.unshift(...below.map((child): [string, string] => [`${name}/${child.name}`, `${full}/${child.name}`]));
    };
    if (!attempt(list, err, `ls: can't open '${name}'`)) code = 1;
  }
  return code;
};

function childrenOf(path: string, { flags, process: { container, user } }: Style): Entry[] {
  const { files } = container;
  const own = files.list(path, user).filter((name) => flags.has('a') || flags.has('A') || !name.startsWith('.'));
  const names = [...(flags.has('a') ? ['.', '..'] : []), ...own];
  const entries = names.map((name) => ({ name, status: files.status(`${path}/${name}`, user, false) }));
  if (flags.has('t')) entries.sort((a, b) => b.status.inode.mtimeMs - a.status.inode.mtimeMs);
  if (flags.has('S')) entries.sort((a, b) => b.status.size - a.status.size);
  return flags.has('r') ? entries.reverse() : entries;
}

/** In blocks of 1 KiB. */
const totalOf = (entries: readonly Entry[]): number => entries.reduce((sum, { status: { size } }) => sum + Math.ceil(size / 4096) * 4, 0);

function format(entries: readonly Entry[], style: Style): string {
  const { flags } = style;
  if (!flags.has('l') && !flags.has('n')) return entries.map(({ name, status }) => `${name}${suffixOf(status, flags)}\n`).join('');
  return entries.map((entry) => longLine(entry, style)).join('');
}

const suffixOf = ({ inode }: FileStatus, flags: ReadonlySet<string>): string =>
  (flags.has('F') || flags.has('p')) && inode.type === 'directory' ? '/' : '';

function longLine({ name, status }: Entry, { flags, process }: Style): string {
  const { inode, size } = status;
  const links = inode.type === 'file' ? inode.links : inode.type === 'directory' ? 2 : 1;
  const nameOf = (id: number): string => (flags.has('n') ? String(id) : userNameOf(id, process));
  const columns = [
    formatMode(inode.type, inode.mode),
    String(links).padStart(4),
    ` ${nameOf(inode.uid).padEnd(8)}`,
    nameOf(inode.gid).padEnd(8),
    String(inode.type === 'directory' ? 4096 : size).padStart(9),
    dateOf(inode.mtimeMs, process.container.env.clock.nowMs()),
  ];
  return `${columns.join(' ')} ${name}${inode.type === 'link' ? ` -> ${inode.target}` : ''}\n`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const halfYearMs = 182 * 86_400_000;

/** The time of day of recent files, the year of others. */
function dateOf(ms: number, nowMs: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${months[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)}`;
  const isRecent = ms > nowMs - halfYearMs;
  return `${day} ${isRecent ? `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}` : String(date.getUTCFullYear()).padStart(5)}`;
}
