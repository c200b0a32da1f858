import { closeSync, createReadStream, createWriteStream, fchmodSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { chmod, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { LineWriter } from '../../../cluster/index.ts';
import type { Clock, Log } from '../../../env/index.ts';
import { hasModes, isShared, logSharedAccess, privateFileMode } from '../storage/private-files.ts';

export interface Rotation {
  /** Maximum size of the file in bytes. */
  readonly maxBytes: number;
  /** Retention of rotated files: their number (0: all) and age (0: unlimited). */
  readonly maxFiles: number;
  readonly maxAgeMs: number;
  /** With gzip. */
  readonly compress: boolean;
}

export interface RotatingFileContext {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Opens a log file that is rotated by size, to `NAME-2026-01-01T00-00-00.000.EXT` in the same folder (cf. lumberjack), with mode 0600.
 * Writes are synchronous. @throws a system error
 */
export function openRotatingFile(path: string, rotation: Rotation, { clock, log }: RotatingFileContext): LineWriter {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let file = openPrivate(path, log);
  let size = fstatSync(file).size;
  let cleaning: Promise<void> = makeRotatedFilesPrivate(path, log).catch((error: unknown) =>
    log.warn('old audit files cannot be made private', { path, error }),
  );
  const rotate = (): void => {
    closeSync(file);
    renameSync(path, rotatedPath(path, new Date(clock.nowMs()).toISOString().slice(0, 23).replaceAll(':', '-')));
    file = openPrivate(path, log);
    size = 0;
    cleaning = cleaning
      .then(() => cleanUp(path, rotation, clock.nowMs()))
      .catch((error: unknown) => log.warn('old audit files cannot be cleaned up', { path, error }));
  };
  return {
    write(line) {
      const bytes = Buffer.from(line);
      if (bytes.length > rotation.maxBytes) throw new Error(`write length ${bytes.length} exceeds maximum file size ${rotation.maxBytes}`);
      if (size + bytes.length > rotation.maxBytes) rotate();
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      size += bytes.length;
    },
    async close() {
      closeSync(file);
      await cleaning;
    },
  };
}

/** Opens a file with mode 0600, independent of the umask and its previous mode. */
function openPrivate(path: string, log: Log): number {
  const file = openSync(path, 'a', privateFileMode);
  const found = fstatSync(file);
  const { mode, size } = found;
  // Pipes and terminals are not changed.
  if (!hasModes || !found.isFile() || (mode & 0o777) === privateFileMode) return file;
  fchmodSync(file, privateFileMode);
  if (isShared(mode) && size > 0) logSharedAccess(log, [{ path, mode }]);
  return file;
}

async function makeRotatedFilesPrivate(path: string, log: Log): Promise<void> {
  const files = (await listRotatedFiles(path)).map(({ name }) => join(dirname(path), name));
  const found = await Promise.all(files.map(async (file) => ({ path: file, mode: (await stat(file)).mode })));
  const shared = found.filter(({ mode }) => isShared(mode));
  for (const file of shared) await chmod(file.path, privateFileMode);
  if (shared.length > 0) logSharedAccess(log, shared);
}

function rotatedPath(path: string, time: string): string {
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}-${time}${extension}`);
}

/** Compresses rotated files, and removes those beyond the retention. */
async function cleanUp(path: string, { maxFiles, maxAgeMs, compress }: Rotation, nowMs: number): Promise<void> {
  const folder = dirname(path);
  const aside = await listRotatedFiles(path);
  const isOld = (ms: number): boolean => maxAgeMs > 0 && ms < nowMs - maxAgeMs;
  for (const [index, { name, ms }] of aside.entries()) {
    const whole = join(folder, name);
    if ((maxFiles > 0 && index >= maxFiles) || isOld(ms)) await rm(whole);
    else if (compress && !name.endsWith('.gz')) {
      await pipeline(createReadStream(whole), createGzip(), createWriteStream(`${whole}.gz`, { mode: privateFileMode }));
      await rm(whole);
    }
  }
}

/** Newest first. */
async function listRotatedFiles(path: string): Promise<readonly { readonly name: string; readonly ms: number }[]> {
  const extension = extname(path);
  const prefix = `${basename(path, extension)}-`;
  const names = await readdir(dirname(path));
  return names
    .flatMap((name) => {
      const bare = name.replace(/\.gz$/, '');
      if (!bare.startsWith(prefix) || !bare.endsWith(extension)) return [];
      const time = bare.slice(prefix.length, bare.length - extension.length);
      const ms = Date.parse(`${time.replace(/T(\d\d)-(\d\d)-(\d\d\.\d{3})$/, 'T$1:$2:$3')}Z`);
      return Number.isNaN(ms) ? [] : [{ name, ms }];
    })
    .sort((a, b) => b.ms - a.ms);
}
