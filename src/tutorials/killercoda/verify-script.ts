import { parseComparison, splitConjunction } from '../checks/comparison.ts';
import type { Check } from '../lesson.ts';

/** The script of a step, and the expressions that have no equivalent in kubectl commands. */
export interface VerifyScript {
  readonly text: string;
  readonly untranslated: readonly string[];
}

/** Translates the checks of a step to a script that exits with 0 when all of them pass. Optional checks are left out. */
export function verifyScript(checks: readonly Check[]): VerifyScript {
  const untranslated: string[] = [];
  const lines = checks
    .filter(({ optional }) => !optional)
    .flatMap(({ language, source, message }) => {
      const commands = language === 'sh' ? [`( ${source.trimEnd()}\n)`] : splitConjunction(source).map(commandOf);
      const missing = commands.includes(undefined);
      if (missing) untranslated.push(source);
      const failure = `{ echo ${quote(message)}; exit 1; }`;
      const known = commands.filter((command) => command !== undefined).map((command) => `${command} || ${failure}`);
      return missing ? [...known, `# Not translated: ${source}`] : known;
    });
  return { text: ['#!/bin/bash', ...lines, ''].join('\n'), untranslated };
}

/** A call with literal arguments, and the text behind it. */
interface Call {
  readonly name: string;
  readonly args: readonly string[];
  readonly rest: string;
}

/** Reads `get("v1", "Pod", "default", "web").spec`; undefined for every other expression. */
function readCall(text: string): Call | undefined {
  const [start = '', name = ''] = /^(get|can)\(/.exec(text) ?? [];
  if (start === '') return undefined;
  const argument = /\s*"((?:[^"\\]|\\.)*)"\s*([,)])/y;
  argument.lastIndex = start.length;
  const args: string[] = [];
  for (let found = argument.exec(text); found; found = argument.exec(text)) {
    args.push(unescapeText(found[1] ?? ''));
    if (found[2] === ')') return { name, args, rest: text.slice(argument.lastIndex) };
  }
  return undefined;
}

/** A command that exits with 0 when a term is true. */
function commandOf(term: string): string | undefined {
  const isNegated = term.startsWith('!');
  const [, inner] = /^!?has\((.*)\)$/.exec(term) ?? [];
  const call = readCall(inner ?? term.replace(/^!/, ''));
  if (call?.rest !== '') return comparisonCommand(term);
  const command = call.name === 'get' ? `${getCommand(call.args)} >/dev/null 2>&1` : accessCommand(call.args);
  return isNegated ? `! ${command}` : command;
}

function accessCommand([user = '', verb = '', resource = '', namespace = '']: readonly string[]): string {
  const inNamespace = namespace === '' ? '--all-namespaces' : `-n ${quote(namespace)}`;
  return `kubectl auth can-i ${verb} ${resource} ${inNamespace} --as=${quote(user)} >/dev/null`;
}

function comparisonCommand(term: string): string | undefined {
  const comparison = parseComparison(term);
  if (comparison?.operator !== '==') return undefined;
  const call = readCall(comparison.left);
  const expected = literalText(comparison.right);
  if (call?.name !== 'get' || expected === undefined || !/^(?:\.\w+|\[\d+\]|\["[^"]*"\])+$/.test(call.rest)) return undefined;
  return `[ "$(${getCommand(call.args)} -o jsonpath=${quote(`{${jsonPath(call.rest)}}`)})" = ${quote(expected)} ]`;
}

/** `deployment.v1.apps`: a type with its version, so that kinds of the same name in other groups do not matter. */
function getCommand([apiVersion = '', kind = '', namespace = '', name = '']: readonly string[]): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const type = group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${version}.${group}`;
  return `kubectl get ${type} ${quote(name)}${namespace === '' ? '' : ` -n ${quote(namespace)}`}`;
}

/** `.data["a.b"]` in CEL is `.data.a\.b` in kubectl. */
function jsonPath(path: string): string {
  return path.replace(/\["([^"]*)"\]/g, (_, key: string) => `.${key.replaceAll('.', '\\.')}`);
}

/** The text that kubectl prints for a string, a number or a boolean. */
function literalText(cel: string): string | undefined {
  const [, text] = /^"((?:[^"\\]|\\.)*)"$/.exec(cel) ?? [];
  if (text !== undefined) return unescapeText(text);
  return /^(?:-?\d+|true|false)$/.test(cel) ? cel : undefined;
}

function unescapeText(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
