import type { Invocation } from '../context.ts';
import { linesOf, readAll, type Source } from '../streams.ts';
import { collectLines, openInputs } from './input-files.ts';
import { readOptions } from './options.ts';

export async function head(call: Invocation): Promise<number> {
  const { words, value } = readOptions(
    'head',
    call.args.map((arg) => arg.replace(/^-(\d+)$/, '-n$1')),
    'n:c:q',
    { lines: 'n', bytes: 'c' },
  );
  const bytes = value('c');
  const limit = Number(value('n') ?? 10);
  for (const { source } of await openInputs(call, words)) {
    if (bytes !== undefined) {
      await copyBytes(Number(bytes), source, call);
      continue;
    }
    if (limit < 0) {
      for (const line of (await collectLines(linesOf(source))).slice(0, limit)) call.out(`${line}\n`);
      continue;
    }
    let left = limit;
    if (left > 0) {
      for await (const line of linesOf(source)) {
        call.out(`${line}\n`);
        if (--left === 0) break;
      }
    }
    source.close();
  }
  return 0;
}

/** Copies the first bytes; a negative number is that of the last ones, which are left out. */
async function copyBytes(count: number, source: Source, { out }: Invocation): Promise<void> {
  if (count < 0) {
    out((await readAll(source)).slice(0, count));
    return;
  }
  for (let left = count; left > 0; ) {
    const chunk = await source.read();
    if (!chunk) return;
    out(chunk.subarray(0, left));
    left -= chunk.length;
  }
  source.close();
}

export async function tail(call: Invocation): Promise<number> {
  const { words, value } = readOptions(
    'tail',
    call.args.map((arg) => arg.replace(/^-(\d+)$/, '-n$1')),
    'n:c:qf',
    { lines: 'n', bytes: 'c', follow: 'f' },
  );
  const wanted = value('n') ?? '10';
  for (const { source } of await openInputs(call, words)) {
    const bytes = value('c');
    if (bytes !== undefined) {
      call.out((await readAll(source)).slice(-Number(bytes)));
      continue;
    }
    const lines = await collectLines(linesOf(source));
    const shown = wanted.startsWith('+')
      ? lines.slice(Number(wanted) - 1)
      : lines.slice(Math.max(0, lines.length - Math.abs(Number(wanted))));
    for (const line of shown) call.out(`${line}\n`);
  }
  return 0;
}
