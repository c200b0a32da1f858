import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { arch, pid, version } from 'node:process';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import type { run } from './main.ts';

/** Runs the program, which is a file beside this one, by way of what V8 compiled of it before. */
const program = fileURLToPath(new URL('./program.cjs', import.meta.url));
const require = createRequire(program);
const parts = new Map<string, Part>();
const { run: runProgram } = partOf(program).module.exports as { readonly run: typeof run };
if ((await runProgram()) === 'serves') for (const part of parts.values()) keepCompiled(part);

/** One file of the program. */
interface Part {
  readonly script: Script;
  readonly compiledFile: string;
  readonly module: { exports: unknown };
}

/**
 * As `require` would load it, but with the code that V8 compiled when the program first served: reading and compiling the text takes as
 * long as all else of a start. Node does so by itself from 22.1 on (`module.enableCompileCache`), earlier ones do not.
 */
function partOf(file: string): Part {
  const loaded = parts.get(file);
  if (loaded) return loaded;
  const { mtimeMs, size } = statSync(file);
  // V8 refuses what another V8 compiled, but looks no further than at the length of the text.
  const compiledFile = `${file}.${version}-${arch}-${size}-${Math.floor(mtimeMs)}.compiled`;
  const text = `(function (exports, require, module) {${readFileSync(file, 'utf8')}\n})`;
  const script = new Script(text, { filename: file, cachedData: compiledBefore(compiledFile) });
  const part: Part = { script, compiledFile, module: { exports: {} } };
  parts.set(file, part);
  const requireFrom = (id: string): unknown => (id.startsWith('.') ? partOf(resolve(dirname(file), id)).module.exports : require(id));
  script.runInThisContext()(part.module.exports, requireFrom, part.module);
  return part;
}

function compiledBefore(compiledFile: string): Buffer | undefined {
  try {
    return readFileSync(compiledFile);
  } catch {
    // The first start, or a folder that nobody could write to.
    return undefined;
  }
}

/** With all functions that a start calls. Two starts at once write the same, and nobody reads half of it. */
function keepCompiled({ script, compiledFile }: Part): void {
  if (script.cachedDataRejected === false) return;
  try {
    const unfinished = `${compiledFile}.${pid}`;
    writeFileSync(unfinished, script.createCachedData());
    renameSync(unfinished, compiledFile);
  } catch {
    // A folder that is not ours to write to: the next start compiles again.
  }
}
