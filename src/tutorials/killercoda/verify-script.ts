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

const literal = String.raw`"((?:[^"\\]|\\.)*)"`;
const comma = String.raw`\s*,\s*`;
const objectCall = String.raw`get\(\s*${literal}${comma}${literal}${comma}${literal}${comma}${literal}\s*\)`;
const existence = new RegExp(String.raw`^(!?)has\(\s*${objectCall}\s*\)$`);
const field = new RegExp(String.raw`^${objectCall}((?:\.\w+|\[\d+\]|\["[^"]*"\])+)$`);
const access = new RegExp(String.raw`^(!?)can\(\s*${literal}${comma}${literal}${comma}${literal}${comma}${literal}\s*\)$`);

/** A command that exits with 0 when a term is true. */
function commandOf(term: string): string | undefined {
  const [exists, not = '', ...object] = existence.exec(term) ?? [];
  if (exists !== undefined) return `${not === '' ? '' : '! '}${getCommand(object)} >/dev/null 2>&1`;
  const [allowed, denied = '', user = '', verb = '', resource = '', namespace = ''] = access.exec(term) ?? [];
  if (allowed !== undefined) {
    const inNamespace = namespace === '' ? '--all-namespaces' : `-n ${quote(namespace)}`;
    return `${denied === '' ? '' : '! '}kubectl auth can-i ${verb} ${resource} ${inNamespace} --as=${quote(user)} >/dev/null`;
  }
  return comparisonCommand(term);
}

function comparisonCommand(term: string): string | undefined {
  const comparison = parseComparison(term);
  if (comparison?.operator !== '==') return undefined;
  const [, apiVersion = '', kind = '', namespace = '', name = '', path] = field.exec(comparison.left) ?? [];
  const expected = literalText(comparison.right);
  if (path === undefined || expected === undefined) return undefined;
  return `[ "$(${getCommand([apiVersion, kind, namespace, name])} -o jsonpath=${quote(`{${jsonPath(path)}}`)})" = ${quote(expected)} ]`;
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
  const [, text] = new RegExp(`^${literal}$`).exec(cel) ?? [];
  if (text !== undefined) return text.replace(/\\(.)/g, '$1');
  return /^(?:-?\d+|true|false)$/.test(cel) ? cel : undefined;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
