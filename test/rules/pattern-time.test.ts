import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from 'scslre';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

const root = new URL('../../src/', import.meta.url).pathname;

/** Modules that only process the input of the user whose page, or whose command, runs them. */
const clientModules = ['client', 'console', 'kubectl', 'shell', 'tutorials'];

interface Literal {
  readonly file: string;
  readonly pattern: string;
  readonly flags: string;
}

function regularExpressions(node: unknown): readonly { readonly pattern: string; readonly flags: string }[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = 'regex' in node ? [node.regex as { readonly pattern: string; readonly flags: string }] : [];
  return [...own, ...Object.values(node).flatMap(regularExpressions)];
}

const literals: readonly Literal[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !clientModules.some((name) => path.startsWith(`${name}/`)))
  .flatMap((file) =>
    regularExpressions(parseAst(readFileSync(join(root, file), 'utf8'), { lang: 'ts' })).map((found) => ({ file, ...found })),
  );

/** Why a pattern may take quadratic or exponential time, by static analysis (attacks that repeat one character). */
function slowParts({ file, pattern, flags }: Literal): readonly string[] {
  const { reports } = analyse(new RegExp(pattern, flags), { reportTypes: { Move: true, Self: true, Trade: true } });
  return reports.map((report) => {
    const parts = report.type === 'Trade' ? `${report.startQuant.raw} and ${report.endQuant.raw}` : report.quant.raw;
    return `${file}: /${pattern}/${flags}: ${parts}`;
  });
}

test('patterns of the server take linear time: one request must not block the event loop', () => {
  expect(literals.length).toBeGreaterThan(300);
  expect(literals.flatMap(slowParts)).toEqual([]);
});

test('the analysis finds patterns that take more than linear time', () => {
  const found = (pattern: string): number => slowParts({ file: '', pattern, flags: '' }).length;
  expect([String.raw`\/+$`, String.raw`^\s*(.*)x$`, '^a+a+$'].filter((pattern) => found(pattern) === 0)).toEqual([]);
});
