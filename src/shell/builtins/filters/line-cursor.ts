import type { Invocation } from '../../context.ts';
import { CommandError } from '../../errors.ts';
import { contentOf, FileProblem, linesIn, nameOf, readPieces, withoutBreak } from './inputs.ts';

/** The lines of a file, one by one. */
export interface LineCursor {
  /** Without its line break; undefined at the end. */
  next(): Promise<string | undefined>;
}

/** Opens a file, or the standard input as `-`. @throws CommandError */
export async function openLines(name: string, call: Invocation, message: (name: string) => string = (one) => one): Promise<LineCursor> {
  try {
    if (name !== '-') await contentOf(name, call);
  } catch (error) {
    if (error instanceof FileProblem) throw new CommandError(`${nameOf(call)}: ${message(name)}: ${error.message}`);
    throw error;
  }
  const lines = linesIn(readPieces(name, call));
  return {
    async next() {
      const { value, done } = await lines.next();
      return done === true ? undefined : withoutBreak(value);
    },
  };
}
