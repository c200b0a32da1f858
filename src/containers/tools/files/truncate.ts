import { readNumber } from '../../../shell/index.ts';
import { SystemError } from '../../files/file-error.ts';
import type { Applet } from '../../process/applet.ts';
import type { Process } from '../../process/process.ts';
import { readArguments, usageError } from '../arguments.ts';

const usage = { options: 'cs:', synopsis: '[-c] -s SIZE FILE...', long: { '--size': 's' } };

/** Bytes that are added at once. */
const zeros = new Uint8Array(65_536);

/** Makes files shorter or longer. */
export const truncate: Applet = async (invocation, process) => {
  const { flags, values, operands } = readArguments(invocation, usage);
  const text = values.get('s');
  if (text === undefined || operands.length === 0) throw usageError(invocation, usage);
  const size = readNumber(invocation, text, { suffixes: 'bkmgKMG' });
  let code = 0;
  for (const name of operands) {
    const path = invocation.path(name);
    if (flags.has('c') && !process.container.files.find(path, process.user)) continue;
    try {
      await resize(path, size, process);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      invocation.err(`truncate: ${name}: ${error.code === 'ENOSPC' ? 'truncate' : 'open'}: ${error.message}\n`);
      code = 1;
    }
  }
  return code;
};

/** @throws SystemError */
async function resize(path: string, size: number, { container, user }: Process): Promise<void> {
  const { files, pause } = container;
  const { write } = files.open(path, user, { append: true });
  const before = files.status(path, user).size;
  if (size < before) files.write(path, files.read(path, user).slice(0, size), user);
  for (let left = size - before; left > 0; left -= zeros.length) {
    await pause();
    write(zeros.subarray(0, left));
  }
}
