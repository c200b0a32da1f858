import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ArchiveIndex } from '../service-worker/index.ts';
import { FlagError } from './flags/flag-error.ts';

const pageUsage = `Usage: tabplane page --output FOLDER

Writes the files of the page into a folder, for a static host: the console, and the scripts of live examples.
`;

/**
 * `tabplane page …`: the files of `dist/page`, beside the folder of the program. The npm package has those of the console in the archive only
 * from which a Service Worker fills its offline copy (sw/vite-plugin.ts). @throws FlagError
 */
export function page(words: readonly string[], programFolder: string, print: (text: string) => void): void {
  const [flag, output = '', ...others] = words.flatMap((word) => (word.startsWith('--output=') ? ['--output', word.slice(9)] : [word]));
  if (flag === undefined || flag === '--help') {
    print(pageUsage);
    return;
  }
  if (flag !== '--output' || output === '' || others.length > 0)
    throw new FlagError(`unknown words "page ${words.join(' ')}"\n${pageUsage}`);
  const source = join(programFolder, '../page');
  cpSync(source, output, { recursive: true });
  const [archive = ''] = readdirSync(join(source, 'assets')).filter((file) => /^offline-.*\.bin$/.test(file));
  for (const [file, content] of unpack(gunzipSync(readFileSync(join(source, 'assets', archive))))) {
    mkdirSync(dirname(join(output, file)), { recursive: true });
    writeFileSync(join(output, file), content);
  }
}

function* unpack(archive: Buffer): Iterable<readonly [file: string, content: Buffer]> {
  let at = archive.indexOf('\n') + 1;
  const index: ArchiveIndex = JSON.parse(archive.toString('utf8', 0, at));
  for (const [file, , bytes] of index) {
    yield [file, archive.subarray(at, at + bytes)];
    at += bytes;
  }
}
