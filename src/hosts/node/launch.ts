#!/usr/bin/env node
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { arch, pid, version } from 'node:process';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import type { run } from './main.ts';

/** Runs the program, a file beside this one, with V8's code cache. */
const program = fileURLToPath(new URL('./program.cjs', import.meta.url));
const require = createRequire(program);
const parts = new Map<string, LoadedFile>();
const { run: runProgram } = loadFile(program).module.exports as { readonly run: typeof run };
if ((await runProgram(dirname(program))) === 'serves') for (const part of parts.values()) writeCodeCache(part);

/** One file of the program. */
interface LoadedFile {
  readonly script: Script;
  readonly compiledFile: string;
  readonly module: { exports: unknown };
}

/**
 * Loads a file like `require`, but with V8's code cache of an earlier start: parsing and compiling takes half of the start time. Node has
 * this built in since 22.1 (`module.enableCompileCache`).
 */
function loadFile(file: string): LoadedFile {
  const loaded = parts.get(file);
  if (loaded) return loaded;
  const { mtimeMs, size } = statSync(file);
  // V8 rejects a cache of another V8 version, but verifies only the length of the source.
  const compiledFile = `${file}.${version}-${arch}-${size}-${Math.floor(mtimeMs)}.compiled`;
  const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`;
  const script = new Script(text, { filename: file, cachedData: readCodeCache(compiledFile) });
  const part: LoadedFile = { script, compiledFile, module: { exports: {} } };
  parts.set(file, part);
  const requireFrom = (id: string): unknown => (id.startsWith('.') ? loadFile(resolve(dirname(file), id)).module.exports : require(id));
  try {
    script.runInThisContext()(part.module.exports, requireFrom, part.module, file, dirname(file));
  } catch (error) {
    // Like `require`: the next attempt runs the file again.
    parts.delete(file);
    throw error;
  }
  return part;
}

function readCodeCache(compiledFile: string): Buffer | undefined {
  try {
    return readFileSync(compiledFile);
  } catch {
    // The first start, or a read-only folder.
    return undefined;
  }
}

/** Writes the code cache, which includes all functions compiled during the start. The rename makes it atomic. */
function writeCodeCache({ script, compiledFile }: LoadedFile): void {
  if (script.cachedDataRejected === false) return;
  try {
    const unfinished = `${compiledFile}.${pid}`;
    writeFileSync(unfinished, script.createCachedData());
    renameSync(unfinished, compiledFile);
  } catch {
    // A read-only folder: the next start compiles again.
  }
}
