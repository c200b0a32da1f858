import type { ConsoleModel } from '../model/console-model.ts';

export interface ExplainedWord {
  readonly word: string;
  readonly about: string;
}

/** What the words of a line mean, from the grammar that completes them; words that it has nothing to say of are left out. */
export async function explainWords(line: string, model: ConsoleModel): Promise<readonly ExplainedWord[]> {
  const explained: ExplainedWord[] = [];
  for (const { 0: word, index } of line.matchAll(/[^\s|;&()]+/g)) {
    const name = word.replace(/=.*$/s, '');
    if (!/^[-\w]+$/.test(name) || explained.some((one) => one.word === name)) continue;
    // A word that stands whole completes nothing: what it could have been without its last letter tells of it.
    const upTo = line.slice(0, index + name.length - 1);
    const found = await model.complete(upTo, upTo.length, new AbortController().signal).catch(() => undefined);
    const about = found?.candidates.find(({ text }) => text.replace(/=$/, '') === name)?.about ?? '';
    if (about !== '') explained.push({ word: name, about });
  }
  return explained;
}
