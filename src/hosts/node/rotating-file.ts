import { closeSync, createReadStream, createWriteStream, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { LineWriter } from '../../cluster/index.ts';
import type { Clock, Log } from '../../env/index.ts';

export interface Rotation {
  /** In bytes: what would make the file larger goes to a new one. */
  readonly maxBytes: number;
  /** Files that were set aside: how many are kept (0: all), and how long (0: for ever). */
  readonly maxFiles: number;
  readonly maxAgeMs: number;
  /** With gzip. */
  readonly compress: boolean;
}

export interface RotatingParts {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * A file that is set aside when it has become large, as `NAME-2026-01-01T00-00-00.000.EXT` in the same folder; readable by its owner alone.
 * Every line is with the system before the call returns. @throws an error of the system
 */
export function openRotatingFile(path: string, rotation: Rotation, { clock, log }: RotatingParts): LineWriter {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let file = openSync(path, 'a', 0o600);
  let size = fstatSync(file).size;
  let cleaning: Promise<void> = Promise.resolve();
  const rotate = (): void => {
    closeSync(file);
    renameSync(path, besidePath(path, new Date(clock.nowMs()).toISOString().slice(0, 23).replaceAll(':', '-')));
    file = openSync(path, 'a', 0o600);
    size = 0;
    cleaning = cleaning
      .then(() => clean(path, rotation, clock.nowMs()))
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

function besidePath(path: string, time: string): string {
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}-${time}${extension}`);
}

/** Compresses what was set aside, and removes what is too much or too old. */
async function clean(path: string, { maxFiles, maxAgeMs, compress }: Rotation, nowMs: number): Promise<void> {
  const folder = dirname(path);
  const aside = await setAside(path);
  const isOld = (ms: number): boolean => maxAgeMs > 0 && ms < nowMs - maxAgeMs;
  for (const [index, { name, ms }] of aside.entries()) {
    const whole = join(folder, name);
    if ((maxFiles > 0 && index >= maxFiles) || isOld(ms)) await rm(whole);
    else if (compress && !name.endsWith('.gz')) {
      await pipeline(createReadStream(whole), createGzip(), createWriteStream(`${whole}.gz`, { mode: 0o600 }));
      await rm(whole);
    }
  }
}

/** Newest first. */
async function setAside(path: string): Promise<readonly { readonly name: string; readonly ms: number }[]> {
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
