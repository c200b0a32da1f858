import type { JsonObject } from '../../../meta/index.ts';
import { builtInResource } from '../../api/discovery.ts';
import { array, duration, text } from '../../parse/flags.ts';
import { createPrinter } from '../../printers/printer.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError, mapMessage } from '../../program/errors.ts';
import { outputFlags } from '../../program/global-flags.ts';
import { createObject } from '../../resources/changes.ts';
import { nameArgument } from './create-object.ts';

const accounts = builtInResource('v1', 'serviceaccounts', 'ServiceAccount');

export const token: Command = {
  flags: {
    ...outputFlags,
    audience: array(),
    'bound-object-kind': text(),
    'bound-object-name': text(),
    'bound-object-uid': text(),
    duration: duration(),
  },
  async run(call) {
    const { flags, out } = call;
    const name = nameArgument(call);
    const { name: namespace } = await call.namespace();
    await call.cluster();
    const output = flags.text('output');
    const print = await createPrinter(call, { operation: '', typed: true });
    const kind = flags.text('bound-object-kind');
    validateFlags(call, kind);
    const bound =
      kind === ''
        ? {}
        : { boundObjectRef: { kind, apiVersion: 'v1', name: flags.text('bound-object-name'), ...uidOf(flags.text('bound-object-uid')) } };
    const seconds = Math.trunc(flags.duration('duration') / 1000);
    const spec = {
      audiences: flags.list('audience').length > 0 ? flags.list('audience') : null,
      expirationSeconds: seconds > 0 ? seconds : null,
      ...bound,
    };
    const request = { kind: 'TokenRequest', apiVersion: call.product.rename('authentication.k8s.io/v1'), metadata: {}, spec };
    let made: JsonObject;
    try {
      made = await createObject(call, { resource: accounts, namespace, name }, request, {
        manager: '',
        dryRun: 'none',
        subresource: 'token',
      });
    } catch (error) {
      throw error instanceof Error ? mapMessage(new Error(error.message), (message) => `failed to create token: ${message}`) : error;
    }
    out(output !== '' ? print(made) : `${String((made['status'] as JsonObject | undefined)?.['token'] ?? '')}`);
    return 0;
  },
};

/** @throws KubectlError */
function validateFlags({ flags }: Call, kind: string): void {
  if (flags.duration('duration') < 0) throw new KubectlError('--duration must be greater than or equal to 0');
  if (flags.duration('duration') % 1000 !== 0) throw new KubectlError('--duration cannot be expressed in units less than seconds');
  if (flags.list('audience').includes('')) throw new KubectlError('--audience must not be an empty string');
  if (kind === '') {
    for (const flag of ['bound-object-name', 'bound-object-uid'])
      if (flags.text(flag) !== '') throw new KubectlError(`--${flag} can only be set if --bound-object-kind is provided`);
    return;
  }
  if (!['Node', 'Pod', 'Secret'].includes(kind)) throw new KubectlError('supported --bound-object-kind values are Node, Pod, Secret');
  if (flags.text('bound-object-name') === '') throw new KubectlError('--bound-object-name is required if --bound-object-kind is provided');
}

function uidOf(uid: string): JsonObject {
  return uid === '' ? {} : { uid };
}
