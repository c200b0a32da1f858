import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';
import { baseName } from '../files.ts';

/** The factors of the suffixes of sizes; each program accepts some of them. */
export const sizeFactors: Readonly<Record<string, number>> = {
  '': 1,
  c: 1,
  w: 2,
  b: 512,
  k: 1024,
  K: 1024,
  m: 1024 ** 2,
  M: 1024 ** 2,
  g: 1024 ** 3,
  G: 1024 ** 3,
};

/** A number with one of the suffixes. @throws CommandError */
export function readNumber(
  call: Pick<Invocation, 'name'>,
  text: string,
  {
    least = 0,
    most = Number.MAX_SAFE_INTEGER,
    suffixes = '',
  }: { readonly least?: number; readonly most?: number; readonly suffixes?: string } = {},
): number {
  const [, digits, suffix = ''] = /^(\d+)([a-zA-Z]?)$/.exec(text) ?? [];
  if (digits === undefined || !suffixes.includes(suffix)) throw new CommandError(`${baseName(call.name)}: invalid number '${text}'`);
  const value = Number(digits) * (sizeFactors[suffix] ?? 1);
  if (value < least || value > most) throw new CommandError(`${baseName(call.name)}: number ${text} is not in ${least}..${most} range`);
  return value;
}

/** Of a number that may be missing. @throws CommandError */
export const readOptionalNumber = (
  call: Pick<Invocation, 'name'>,
  text: string | undefined,
  range: Parameters<typeof readNumber>[2] = {},
): number | undefined => (text === undefined ? undefined : readNumber(call, text, range));
