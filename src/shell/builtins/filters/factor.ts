import { createPace } from '../../../env/index.ts';
import type { Invocation, Program } from '../../context.ts';
import { linesIn, readArguments, readPieces, usageError } from './inputs.ts';

const maxNumber = 2n ** 64n - 1n;

/** Divisions between two turns of the event loop. */
const stepsPerTurn = 50_000;

/** Prints prime factors. */
export const factor: Program = async (call) => {
  const { words } = readArguments(call, '');
  const print = async (text: string): Promise<void> => {
    if (!/^\d+$/.test(text) || BigInt(text) > maxNumber) throw usageError(call, '[NUMBER]...');
    const factors = await factorsOf(BigInt(text), call);
    call.out(`${text}:${factors.map((one) => ` ${one}`).join('')}\n`);
  };
  for (const text of words) await print(text);
  if (words.length === 0)
    for await (const line of linesIn(readPieces('-', call))) for (const word of line.split(/\s+/)) if (word !== '') await print(word);
  return 0;
};

async function factorsOf(number: bigint, { shell, signal }: Invocation): Promise<bigint[]> {
  const factors: bigint[] = [];
  const pace = createPace(shell.clock);
  let left = number;
  if (left < 2n) return factors;
  // Division of numbers is faster where they are exact.
  for (let divisor = 2, steps = 0; BigInt(divisor) * BigInt(divisor) <= left; divisor += divisor === 2 ? 1 : 2) {
    const divides =
      left <= Number.MAX_SAFE_INTEGER ? (): boolean => Number(left) % divisor === 0 : (): boolean => left % BigInt(divisor) === 0n;
    while (divides()) {
      factors.push(BigInt(divisor));
      left /= BigInt(divisor);
    }
    if (++steps % stepsPerTurn !== 0) continue;
    await pace();
    signal.throwIfAborted();
  }
  return left > 1n ? [...factors, left] : factors;
}
