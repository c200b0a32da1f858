import { rootCommand } from '../commands/index.ts';
import { flagText, parseTexts } from '../help/texts.ts';
import { entriesOf } from '../kubeconfig/entries.ts';
import type { FlagSpecs } from '../parse/flags.ts';
import type { Command } from '../program/command.ts';
import { globalFlags } from '../program/global-flags.ts';
import {
  type Candidate,
  type CandidateList,
  type Completion,
  type CompletionContext,
  completeFiles,
  completeNames,
  discoverTypes,
  loadConfig,
  toCandidates,
} from './completion-context.ts';
import { completeFieldPath, completeFlagValue } from './flag-values.ts';

/** Completes subcommands, flags, flag values, types, names, namespaces and files at the cursor. */
export async function completeLine(context: CompletionContext, line: string, cursor: number): Promise<Completion> {
  const before = line.slice(0, cursor);
  const start = Math.max(...['|', ';', '&', '(', '\n'].map((mark) => before.lastIndexOf(mark))) + 1;
  const words = before.slice(start).trimStart().split(/\s+/);
  const current = words.pop() ?? '';
  const found = await findCandidates(context, words, current);
  const [prefix, offset] = found.offset === undefined ? [current, 0] : [current.slice(found.offset), found.offset];
  const candidates = found.candidates.filter(({ text }) => text.startsWith(prefix) && text !== prefix);
  return { from: cursor - current.length + offset, candidates: candidates.slice(0, 200) };
}

async function findCandidates(context: CompletionContext, words: readonly string[], current: string): Promise<CandidateList> {
  const { state, services } = context.shell;
  const [first] = words;
  if (first === undefined) return { candidates: toCandidates([...services.programNames, ...state.aliases.keys()]) };
  const name = state.aliases.get(first)?.split(/\s+/, 1)[0] ?? first;
  if (name !== 'kubectl' && name !== 'k') return completeFiles(context, current);
  const { command, path, rest } = await resolveCommand(words.slice(1));
  const specs: FlagSpecs = { ...globalFlags, ...command.flags };
  const inline = /^--([\w-]+)=/.exec(current);
  if (inline)
    return shiftOffset(await completeFlagValue(context, inline[1] ?? '', words, rest, current.slice(inline[0].length)), inline[0].length);
  const previous = words.at(-1) ?? '';
  const flag = findFlag(previous, specs);
  if (flag !== undefined && specs[flag]?.bare === undefined) return completeFlagValue(context, flag, words, rest, current);
  if (current.startsWith('-')) return { candidates: flagCandidates(specs, path) };
  if (command.subcommands && rest.length === 0) {
    const subcommands = Object.entries(command.subcommands).map(([text, { about }]) => ({ text, about }));
    if (!command.run) return { candidates: subcommands };
  }
  return completeObjects(context, words, rest, current);
}

function flagCandidates(specs: FlagSpecs, path: string): Candidate[] {
  const texts = parseTexts();
  return Object.entries(specs).flatMap(([name, { about = flagText(texts, path, name) ?? '', hidden }]) =>
    hidden ? [] : [{ text: `--${name}`, about }],
  );
}

async function resolveCommand(words: readonly string[]): Promise<{ command: Command; path: string; rest: readonly string[] }> {
  let command = rootCommand;
  const path: string[] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word.startsWith('-')) continue;
    const found = Object.entries(command.subcommands ?? {}).find(([name, { aliases }]) => name === word || aliases?.includes(word));
    if (!found) break;
    path.push(found[0]);
    command = await found[1].load();
  }
  const specs: FlagSpecs = { ...globalFlags, ...command.flags };
  const rest = words.slice(at).filter((word, index, all) => !word.startsWith('-') && findFlag(all[index - 1] ?? '', specs) === undefined);
  return { command, path: path.join(' '), rest };
}

function findFlag(word: string, specs: FlagSpecs): string | undefined {
  if (word.startsWith('--') && !word.includes('=')) return Object.hasOwn(specs, word.slice(2)) ? word.slice(2) : undefined;
  return /^-[a-zA-Z]$/.test(word) ? Object.entries(specs).find(([, { short }]) => short === word[1])?.[0] : undefined;
}

async function completeObjects(
  context: CompletionContext,
  words: readonly string[],
  rest: readonly string[],
  current: string,
): Promise<CandidateList> {
  const verb = words.slice(1).find((word) => !word.startsWith('-')) ?? '';
  if (verb === 'explain' && current.includes('.')) return completeFieldPath(context, words, current);
  if (verb === 'config')
    return { candidates: toCandidates(entriesOf(await loadConfig(context), 'contexts').map((entry) => String(entry['name']))) };
  if (['logs', 'exec', 'attach', 'port-forward', 'debug', 'cp'].includes(verb) && !current.includes('/'))
    return { candidates: await completeNames(context, words, 'pods') };
  if (['cordon', 'uncordon', 'drain'].includes(verb)) return { candidates: await completeNames(context, words, 'nodes') };
  const slash = current.indexOf('/');
  if (slash > 0) return { candidates: await completeNames(context, words, current.slice(0, slash)), offset: slash + 1 };
  const [type] = rest;
  if (type !== undefined && !type.includes('/')) return { candidates: await completeNames(context, words, type) };
  const known = await discoverTypes(context, words);
  return {
    candidates: known
      .filter(({ preferred }) => preferred)
      .flatMap((one) => [{ text: one.name, about: one.kind }, ...toCandidates(one.shortNames)]),
  };
}

/** Shifts candidates found for a part of the word to their offset in the whole word. */
function shiftOffset(found: CandidateList, by: number): CandidateList {
  return { ...found, offset: by + (found.offset ?? 0) };
}
