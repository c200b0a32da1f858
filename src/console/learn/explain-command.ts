import type { ConsoleModel } from '../model/console-model.ts';

export interface ExplainedWord {
  readonly word: string;
  readonly about: string;
}

/** Explains the words of a command by the descriptions of their completions. Omits words without a description. */
export async function explainCommand(line: string, model: ConsoleModel): Promise<readonly ExplainedWord[]> {
  const explained: ExplainedWord[] = [];
  for (const { 0: word, index } of line.matchAll(/[^\s|;&()]+/g)) {
    const name = word.replace(/=.*$/s, '');
    if (!/^[-\w]+$/.test(name) || explained.some((one) => one.word === name)) continue;
    // A complete word has no completion, so the completions without its last letter are used.
    const upTo = line.slice(0, index + name.length - 1);
    const found = await model.complete(upTo, upTo.length, new AbortController().signal).catch(() => undefined);
    const about = found?.candidates.find(({ text }) => text.replace(/=$/, '') === name)?.about ?? '';
    if (about !== '') explained.push({ word: name, about });
  }
  return explained;
}
