import type { Program } from '../../context.ts';
import { attemptOnFile, cannotOpen, forEachInput, linesIn, nameOf, OutputBuffer, readArguments, withoutBreak } from './inputs.ts';

/** Converts line breaks, of a file in place. */
export const convertBreaks: Program = (call) => {
  const { has, words } = readArguments(call, 'ud');
  const toDos = has('d') || (!has('u') && nameOf(call) === 'unix2dos');
  return forEachInput(
    words,
    call,
    async (pieces, name) => {
      const isFile = name !== '-';
      const parts: string[] = [];
      const output = new OutputBuffer(isFile ? (text) => parts.push(text) : call.out);
      for await (const line of linesIn(pieces)) {
        const text = withoutBreak(line);
        const plain = text.length < line.length && text.endsWith('\r') ? text.slice(0, -1) : text;
        output.add(`${plain}${text.length < line.length ? (toDos ? '\r\n' : '\n') : ''}`);
      }
      output.flush();
      const content = new TextEncoder().encode(parts.join(''));
      if (isFile) await attemptOnFile(() => call.shell.files.write(call.path(name), content));
    },
    cannotOpen,
  );
};
