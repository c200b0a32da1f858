import { decodeKubeconfig } from '../../../client/kubeconfig/index.ts';
import { type Json, type JsonObject, textAt } from '../../../meta/index.ts';
import { type ConfigSection, entriesOf, entryOf, setEntry } from '../../kubeconfig/entries.ts';
import { bool, text } from '../../parse/flags.ts';
import { formatPrinter, plainFormats, unknownFormatError } from '../../printers/printer.ts';
import { alignColumns } from '../../printers/table-writer.ts';
import { type Call, type Command, type Subcommand, usageError } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { printYaml } from '../../yaml/printer.ts';
import { printHelp, unexpectedArgsError } from './help-error.ts';
import { setProperty, unsetProperty } from './properties.ts';
import { setCredentials } from './set-credentials.ts';
import { setCluster, setContext } from './set-entries.ts';

const view: Command = {
  flags: {
    'allow-missing-template-keys': bool(true),
    flatten: bool(),
    merge: bool(true),
    minify: bool(),
    output: text('yaml', 'o'),
    raw: bool(),
    'show-managed-fields': bool(),
    template: text(),
  },
  async run(call) {
    const { flags, out } = call;
    if (call.words.length > 0)
      throw new KubectlError(`unexpected arguments: [${call.words.join(' ')}]\nSee 'kubectl config view -h' for help and examples`);
    // The default format gives way to a template.
    const isTemplate = flags.text('template') !== '' && !flags.changed('output');
    const output = isTemplate ? 'go-template' : flags.text('output');
    const printer = await formatPrinter(call, output, true);
    if (!printer) throw unknownFormatError(output, plainFormats);
    if (!flags.bool('merge') && flags.text('kubeconfig') === '') throw new KubectlError('if merge==false a precise file must be specified');
    let config = await call.config.load();
    if (flags.bool('minify')) config = minifyConfig(call, config);
    const shown = decodeKubeconfig(flags.bool('raw') || flags.bool('flatten') ? config : redactConfig(config));
    out(output === 'yaml' ? printYaml(shown) : printer(shown));
    return 0;
  },
};

/** @throws KubectlError when there is no current context */
function minifyConfig({ flags }: Call, config: JsonObject): JsonObject {
  const name = flags.text('context') || textAt(config, 'current-context');
  if (name === '') throw new KubectlError('current-context must exist in order to minify');
  const context = entryOf(config, 'contexts', name);
  if (!context) throw new KubectlError(`cannot locate context ${name}`);
  const only = (section: ConfigSection, noun: 'cluster' | 'context' | 'user', wanted: string): Json => {
    if (wanted === '') return null;
    const found = entriesOf(config, section).filter((entry) => entry['name'] === wanted);
    if (found.length === 0) throw new KubectlError(`cannot locate ${noun} ${wanted}`);
    return found;
  };
  return {
    ...config,
    clusters: only('clusters', 'cluster', textAt(context, 'cluster')),
    contexts: only('contexts', 'context', name),
    'current-context': name,
    users: only('users', 'user', textAt(context, 'user')),
  };
}

const secrets = new Map([
  ['token', 'REDACTED'],
  ['password', 'REDACTED'],
  ['client-key-data', 'DATA+OMITTED'],
  ['client-certificate-data', 'DATA+OMITTED'],
  ['certificate-authority-data', 'DATA+OMITTED'],
]);

function redactConfig(config: JsonObject): JsonObject {
  const hide = (section: ConfigSection, body: string): Json => {
    const entries = entriesOf(config, section);
    if (entries.length === 0) return config[section] ?? null;
    return entries.map((entry) => {
      const inner = (entry[body] ?? {}) as JsonObject;
      return {
        ...entry,
        [body]: Object.fromEntries(
          Object.entries(inner).map(([name, value]) => [name, secrets.has(name) && value !== '' ? (secrets.get(name) ?? '') : value]),
        ),
      };
    });
  };
  return { ...config, clusters: hide('clusters', 'cluster'), users: hide('users', 'user') };
}

const currentContext: Command = {
  async run(call) {
    const name = textAt(await call.config.load(), 'current-context');
    if (name === '') throw new KubectlError('current-context is not set');
    call.out(`${name}\n`);
    return 0;
  },
};

const getContexts: Command = {
  flags: { 'no-headers': bool(), output: text('', 'o') },
  async run(call) {
    const { flags, words, out, err } = call;
    const output = flags.text('output');
    if (output !== '' && output !== 'name')
      throw new KubectlError(`--output ${output} is not available in kubectl config get-contexts; resetting to default output format`);
    const config = await call.config.load();
    const current = textAt(config, 'current-context');
    const all = entriesOf(config, 'contexts')
      .map((entry) => String(entry['name']))
      .sort();
    for (const word of words) if (!all.includes(word)) err(`error: context ${word} not found\n`);
    const wanted = words.length > 0 ? all.filter((name) => words.includes(name)) : all;
    if (output === 'name') out(wanted.map((name) => `${name}\n`).join(''));
    else {
      const header = flags.bool('no-headers') ? [] : [['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE']];
      const lines = wanted.map((name) => {
        const context = entryOf(config, 'contexts', name);
        return [name === current ? '*' : '', name, textAt(context, 'cluster'), textAt(context, 'user'), textAt(context, 'namespace')];
      });
      out(alignColumns([...header, ...lines]));
    }
    return words.some((word) => !all.includes(word)) ? 1 : 0;
  },
};

function listNames(section: ConfigSection): Command {
  return {
    async run(call) {
      const names = entriesOf(await call.config.load(), section).map((entry) => String(entry['name']));
      call.out(
        `NAME\n${names
          .sort()
          .map((name) => `${name}\n`)
          .join('')}`,
      );
      return 0;
    },
  };
}

const useContext: Command = {
  async run(call) {
    const [name] = call.words;
    if (name === undefined || call.words.length !== 1) throw await unexpectedArgsError(call);
    const config = await call.config.load();
    if (!entryOf(config, 'contexts', name)) throw new KubectlError(`no context exists with the name: ${JSON.stringify(name)}`);
    await call.config.save({ ...config, 'current-context': name });
    call.out(`Switched to context ${JSON.stringify(name)}.\n`);
    return 0;
  },
};

const renameContext: Command = {
  async run(call) {
    const [from, to] = call.words;
    if (from === undefined || to === undefined || call.words.length !== 2) throw await unexpectedArgsError(call);
    const config = await call.config.load();
    const context = entryOf(config, 'contexts', from);
    if (!context) throw new KubectlError(`cannot rename the context ${JSON.stringify(from)}, it's not in ${call.config.file}`);
    if (entryOf(config, 'contexts', to))
      throw new KubectlError(
        `cannot rename the context ${JSON.stringify(from)}, the context ${JSON.stringify(to)} already exists in ${call.config.file}`,
      );
    const moved = setEntry(setEntry(config, 'contexts', from, undefined), 'contexts', to, context);
    await call.config.save(textAt(config, 'current-context') === from ? { ...moved, 'current-context': to } : moved);
    call.out(`Context ${JSON.stringify(from)} renamed to ${JSON.stringify(to)}.\n`);
    return 0;
  },
};

function deleteEntry(section: ConfigSection, noun: string): Command {
  const command: Command = {
    async run(call) {
      const [name] = call.words;
      if (section === 'users' && call.words.length !== 1) throw usageError(call, 'user to delete is required');
      if (name === undefined || call.words.length !== 1) {
        await printHelp(call);
        return 0;
      }
      const config = await call.config.load();
      if (!entryOf(config, section, name)) throw new KubectlError(`cannot delete ${noun} ${name}, not in ${call.config.file}`);
      if (section === 'contexts' && textAt(config, 'current-context') === name) {
        call.err('warning: this removed your active context, use "kubectl config use-context" to select a different one\n');
      }
      await call.config.save(setEntry(config, section, name, undefined));
      call.out(`deleted ${noun} ${name} from ${call.config.file}\n`);
      return 0;
    },
  };
  return command;
}

function createSubcommand(about: string, command: Command, ...aliases: readonly string[]): Subcommand {
  return { about, aliases, load: () => Promise.resolve(command) };
}

export const config: Command = {
  subcommands: {
    'current-context': createSubcommand('Display the current-context', currentContext),
    'delete-cluster': createSubcommand('Delete the specified cluster from the kubeconfig', deleteEntry('clusters', 'cluster')),
    'delete-context': createSubcommand('Delete the specified context from the kubeconfig', deleteEntry('contexts', 'context')),
    'delete-user': createSubcommand('Delete the specified user from the kubeconfig', deleteEntry('users', 'user')),
    'get-clusters': createSubcommand('Display clusters defined in the kubeconfig', listNames('clusters')),
    'get-contexts': createSubcommand('Describe one or many contexts', getContexts),
    'get-users': createSubcommand('Display users defined in the kubeconfig', listNames('users')),
    'rename-context': createSubcommand('Rename a context from the kubeconfig file', renameContext),
    set: createSubcommand('Set an individual value in a kubeconfig file', setProperty),
    'set-cluster': createSubcommand('Set a cluster entry in kubeconfig', setCluster),
    'set-context': createSubcommand('Set a context entry in kubeconfig', setContext),
    'set-credentials': createSubcommand('Set a user entry in kubeconfig', setCredentials),
    unset: createSubcommand('Unset an individual value in a kubeconfig file', unsetProperty),
    'use-context': createSubcommand('Set the current-context in a kubeconfig file', useContext, 'use'),
    view: createSubcommand('Display merged kubeconfig settings or a specified kubeconfig file', view),
  },
};
