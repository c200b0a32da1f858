import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import { rootCommand } from '../commands/index.ts';
import type { Command } from '../program/command.ts';
import { globalFlags } from '../program/global-flags.ts';
import { createSession } from '../scripted-api.test-support.ts';
import { helpText } from './help.ts';
import { flagText, parseTexts } from './texts.ts';

interface Found {
  readonly path: string;
  readonly about: string;
  readonly command: Command;
}

async function allCommands(command: Command, path = '', about = ''): Promise<Found[]> {
  const found: Found[] = [{ path, about, command }];
  for (const [name, entry] of Object.entries(command.subcommands ?? {}))
    found.push(...(await allCommands(await entry.load(), path === '' ? name : `${path} ${name}`, entry.about)));
  return found;
}

const withoutTexts = ['alpha'];

test('every command has a help text', async () => {
  const { commands } = parseTexts();
  const found = (await allCommands(rootCommand)).map(({ path }) => path);
  expect(found.filter((path) => commands[path] === undefined)).toEqual(withoutTexts);
  expect(Object.keys(commands).filter((path) => !found.includes(path))).toEqual([]);
});

test('every flag of every command has a description', async () => {
  const texts = parseTexts();
  const missing = (await allCommands(rootCommand)).flatMap(({ path, command }) =>
    Object.entries({ ...globalFlags, ...command.flags })
      .filter(([name, { hidden }]) => !hidden && name !== 'help' && (flagText(texts, path, name) ?? '') === '')
      .map(([name]) => `${path} --${name}`),
  );
  expect(missing).toEqual([]);
});

test('the help of a command has its description, examples, options and usage', async () => {
  const { run } = createSession();
  const { out, code } = await run('kubectl create quota --help');
  expect(code).toBe(0);
  expect(out).toMatch(
    /^Create a resource quota with the specified name, hard limits, and optional scopes\.\n\nAliases:\nquota, resourcequota\n\n/,
  );
  expect(out).toContain('Examples:\n  # Create a new resource quota named my-quota\n');
  expect(out).toContain("\n    --hard='':\n\tA comma-delimited set of resource=quantity pairs that define a hard limit.\n\n");
  expect(out).toContain('\nUsage:\n  kubectl create quota NAME [--hard=key1=value1,key2=value2]');
  expect(out).toMatch(/Use "kubectl options" for a list of global command-line options \(applies to all commands\)\.\n$/);
});

test('the help of kubectl lists the commands in groups', async () => {
  const { run } = createSession();
  const { out } = await run('kubectl');
  expect(out).toContain('Basic Commands (Beginner):\n  create          Create a resource from a file or from stdin\n');
  expect(out).toContain('\n\nSubcommands provided by plugins:\n\nOther Commands:\n  api-resources   ');
  expect(out).not.toContain('No alpha');
  expect((await run('kubectl help nosuch')).err).toMatch(/^Unknown help topic \[`nosuch`\]\n\n\nBasic Commands/);
});

test('help has the names of the product', async () => {
  const text = await helpText({ root: rootCommand, path: 'api-resources', product: productByName('svc') });
  expect(text).toContain('--api-group=rbac.authorization.svc\n');
});

test('completion prints the script of the shell', async () => {
  const { run } = createSession();
  expect((await run('kubectl completion bash | tail -1')).out).toContain('# ex: ts=4 sw=4 et filetype=sh');
  expect((await run('kubectl completion tcsh')).err).toBe(
    'error: Unsupported shell type "tcsh".\nSee \'kubectl completion -h\' for help and examples\n',
  );
});

test('plugin list searches the path', async () => {
  const { run } = createSession({ '/bin/kubectl-owners': '#!/bin/sh\n', '/bin/kubectl-get': '#!/bin/sh\n' });
  expect((await run('kubectl plugin list')).err).toBe('error: unable to find any kubectl plugins in your PATH\n');
  const { out, err, code } = await run('PATH=/bin:/nosuch kubectl plugin list --name-only');
  expect(out).toBe('The following compatible plugins are available:\n\nkubectl-get\nkubectl-owners\n');
  expect(err).toContain('  - warning: kubectl-get overwrites existing command: "kubectl get"\n');
  expect(err).toContain('Unable to read directory "/nosuch" from your PATH: open /nosuch: no such file or directory. Skipping...\n');
  expect(code).toBe(1);
});
