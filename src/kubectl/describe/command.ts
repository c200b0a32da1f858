import { bool, int } from '../parse/flags.ts';
import type { Call, Command } from '../program/command.ts';
import { isStatus, KubectlError, messageOf, throwAggregated } from '../program/errors.ts';
import { fileFlags, selectorFlag } from '../program/global-flags.ts';
import { Builder } from '../resources/builder.ts';
import type { Info } from '../resources/info.ts';
import { requestFromFlags } from '../resources/requests.ts';
import { describeObject } from './describers.ts';

export const describe: Command = {
  flags: {
    ...fileFlags,
    ...selectorFlag,
    'all-namespaces': bool(false, 'A'),
    'chunk-size': int(500),
    'show-events': bool(true),
  },
  run: runDescribe,
};

async function runDescribe(call: Call): Promise<number> {
  const { flags, words, err } = call;
  if (words.length === 0 && flags.list('filename').length === 0 && flags.text('kustomize') === '') {
    throw new KubectlError(
      'You must specify the type of resource to describe. Use "kubectl api-resources" for a complete list of supported resources.',
    );
  }
  const request = await requestFromFlags(call, {
    typeMeansAll: true,
    continueOnError: true,
    chunkSize: flags.int('chunk-size'),
  });
  const { infos, error } = await new Builder(call, request).infos();
  if (error !== undefined && isStatus(error, 'NotFound') && words.length === 2 && flags.list('filename').length === 0)
    return describeMatching(call, error);
  const errors: unknown[] = error === undefined ? [] : [error];
  await printAll(call, infos, errors, '\n\n');
  if (infos.length === 0 && errors.length === 0) {
    const { name } = await call.namespace();
    err(flags.bool('all-namespaces') ? 'No resources found\n' : `No resources found in ${name} namespace.\n`);
  }
  throwAggregated(errors);
  return 0;
}

async function printAll(call: Call, infos: readonly Info[], errors: unknown[], separator: string): Promise<void> {
  const reportedMessages = new Set<string>();
  for (const [index, info] of infos.entries()) {
    try {
      const text = await describeObject(call, info);
      call.out(index === 0 ? text : separator + text);
    } catch (failure) {
      if (!reportedMessages.has(messageOf(failure))) errors.push(failure);
      reportedMessages.add(messageOf(failure));
    }
  }
}

/** Describes all objects whose names have the prefix, when no object has the exact name. */
async function describeMatching(call: Call, original: unknown): Promise<number> {
  const [type = '', prefix = ''] = call.words;
  const request = await requestFromFlags(call, { words: [type], typeMeansAll: true, continueOnError: true, latest: true });
  const { infos } = await new Builder(call, request).infos();
  const matching = infos.filter(({ name }) => name.startsWith(prefix));
  if (matching.length === 0) throw original;
  for (const info of matching) call.out(`${await describeObject(call, info)}\n`);
  return 0;
}
