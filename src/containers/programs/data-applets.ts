import { readAll, sizeFactors, type Write } from '../../shell/index.ts';
import type { Applet } from '../process/applet.ts';
import type { Process } from '../process/process.ts';
import { attempt } from './file-attempt.ts';
import { parseOptions } from './options.ts';
import { walkFiles } from './walk-files.ts';

/** `1k`, `2M`, `512`. */
function sizeOf(text: string): number {
  const [, digits, suffix = ''] = /^(\d+)([cwbkKMG]?)B?$/.exec(text) ?? [];
  return Number(digits) * (sizeFactors[suffix] ?? 1);
}

const dd: Applet = async ({ args, input, out, err, path, signal }, { container: { files, pause }, user }) => {
  const options = new Map(args.map((arg) => arg.split(/=([\s\S]*)/, 2) as [string, string]));
  const blockBytes = sizeOf(options.get('bs') ?? options.get('ibs') ?? '512');
  const blocks = Number(options.get('count') ?? Number.POSITIVE_INFINITY);
  if (!(blockBytes > 0) || Number.isNaN(blocks)) {
    err('dd: invalid number\n');
    return 1;
  }
  const [from, to] = [options.get('if'), options.get('of')];
  let total = 0;
  let write: (bytes: Uint8Array) => void = out;
  const open = (): void => {
    if (to !== undefined)
      write = files.open(path(to), user, { append: options.get('oflag') === 'append' || options.get('conv') === 'notrunc' }).write;
  };
  if (!attempt(open, err, `dd: can't open '${to}'`)) return 1;
  const isEndless = from !== undefined && files.find(path(from), user)?.inode.type === 'device';
  const rest = { bytes: from === undefined ? await readAll(input) : new Uint8Array() };
  if (
    from !== undefined &&
    !isEndless &&
    !attempt(() => Object.assign(rest, { bytes: files.read(path(from), user).slice() }), err, `dd: can't open '${from}'`)
  )
    return 1;
  for (let count = 0; count < blocks && !signal.aborted; count++) {
    await pause();
    const block = isEndless ? files.read(path(from), user, blockBytes) : rest.bytes.subarray(total, total + blockBytes);
    if (block.length === 0) break;
    if (!attempt(() => write(block), err, `dd: error writing '${to ?? 'stdout'}'`)) return 1;
    total += block.length;
  }
  const count = Math.floor(total / blockBytes);
  const partial = total % blockBytes > 0 ? 1 : 0;
  if (options.get('status') !== 'none') err(`${count}+${partial} records in\n${count}+${partial} records out\n${total} bytes copied\n`);
  return 0;
};

const du: Applet = ({ args, out, err, path }, { container: { files }, user }) => {
  const { operands } = parseOptions(args);
  let code = 0;
  for (const name of operands.length === 0 ? ['.'] : operands) {
    const measure = (): void => {
      let bytes = 0;
      for (const file of walkFiles(path(name), files, user))
        bytes += Math.max(4096, Math.ceil(files.status(file, user, false).size / 4096) * 4096);
      out(`${bytes / 1024}\t${name}\n`);
    };
    if (!attempt(measure, err, `du: ${name}`)) code = 1;
  }
  return code;
};

const hexdump: Applet = async ({ args, input, out, err, path }, process) => {
  const { flags, operands } = parseOptions(args, ['n', 's', 'e']);
  const bytes = await readInput(operands[0], input, process, path, err);
  if (!bytes) return 1;
  const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0');
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    if (flags.has('C')) {
      const [left, right] = [row.slice(0, 8), row.slice(8)].map((half) =>
        half
          .map((byte) => hex(byte, 2))
          .join(' ')
          .padEnd(23),
      );
      const text = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
      out(`${hex(at, 8)}  ${left}  ${right}  |${text}|\n`);
    } else {
      const words = Array.from({ length: Math.ceil(row.length / 2) }, (_, index) =>
        hex((row[index * 2] ?? 0) + (row[index * 2 + 1] ?? 0) * 256, 4),
      );
      out(`${hex(at, 7)} ${words.join(' ')}\n`);
    }
  }
  out(`${hex(bytes.length, flags.has('C') ? 8 : 7)}\n`);
  return 0;
};

async function readInput(
  name: string | undefined,
  input: Parameters<typeof readAll>[0],
  { container: { files }, user }: Process,
  path: (name: string) => string,
  err: Write,
): Promise<Uint8Array | undefined> {
  if (name === undefined || name === '-') return readAll(input);
  let bytes: Uint8Array | undefined;
  attempt(
    () => {
      bytes = files.read(path(name), user);
    },
    err,
    `${name}`,
  );
  return bytes;
}

/** With -f, lines that are added to a file are followed; the other options are those of the shell's own program. */
export const followFile: Applet = async ({ args, out, err, path, signal }, process) => {
  const { values, operands } = parseOptions(args, ['n', 'c']);
  const { files } = process.container;
  const wanted = Number(values.get('n') ?? 10);
  const [name = ''] = operands;
  let at = -1;
  while (!signal.aborted) {
    const bytes = files.find(path(name), process.user) ? files.read(path(name), process.user, 0) : undefined;
    if (at < 0) {
      if (!bytes) {
        err(`tail: can't open '${name}': No such file or directory\n`);
        err('tail: no files\n');
        return 1;
      }
      const lines = new TextDecoder().decode(bytes).split(/(?<=\n)/);
      if (wanted > 0) out(lines.slice(-wanted).join(''));
      at = bytes.length;
    } else if (bytes) {
      if (bytes.length < at) at = 0;
      if (bytes.length > at) out(bytes.slice(at));
      at = bytes.length;
    }
    await process.sleep(1_000, signal);
  }
  return 0;
};

/** The programs that work on bytes. */
export const dataApplets: Readonly<Record<string, Applet>> = { dd, du, hexdump };
