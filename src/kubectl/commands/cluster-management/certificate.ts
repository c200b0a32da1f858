import type { JsonObject } from '../../../meta/index.ts';
import type { certificatesv1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { bool } from '../../parse/flags.ts';
import { createPrinter } from '../../printers/printer.ts';
import type { Call, Command } from '../../program/command.ts';
import { isStatus, KubectlError } from '../../program/errors.ts';
import { fileFlags, outputFlags } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { getObject, replaceObject } from '../../resources/changes.ts';
import type { Info } from '../../resources/info.ts';
import { requestFromFlags } from '../../resources/requests.ts';

const flags = { ...fileFlags, ...outputFlags, force: bool() };

function createDecisionCommand(type: 'Approved' | 'Denied', reason: string, message: string): Command {
  return { flags, run: (call) => addCondition(call, { type, reason, message }) };
}

async function addCondition(call: Call, condition: { type: string; reason: string; message: string }): Promise<number> {
  if (call.words.length === 0 && call.flags.list('filename').length === 0)
    throw new KubectlError('one or more CSRs must be specified as <name> or -f <filename>');
  const words = call.words.length === 0 ? [] : ['certificatesigningrequests', ...call.words];
  const builder = new Builder(call, await requestFromFlags(call, { words, continueOnError: true, latest: true }));
  await builder.visit(async (info) => {
    const changed = await addConditionTo(call, info, condition);
    call.out((await createPrinter(call, { operation: condition.type.toLowerCase() }))(changed));
  });
  return 0;
}

async function addConditionTo(call: Call, info: Info, condition: { type: string; reason: string; message: string }): Promise<JsonObject> {
  let current = info.object ?? {};
  for (let attempt = 0; ; attempt++) {
    const { status = {} }: Decoded<certificatesv1.CertificateSigningRequest> = current;
    const { conditions = [] } = status;
    const decided = conditions.find(({ type }) => type === 'Approved' || type === 'Denied');
    if (decided && decided.type !== condition.type)
      throw new KubectlError(`certificate signing request ${JSON.stringify(info.name)} is already ${decided.type}`);
    if (decided && !call.flags.bool('force')) return current;
    const stamp = new Date(Math.floor(call.shell.clock.nowMs() / 1000) * 1000).toISOString().replace('.000', '');
    const fresh = {
      type: condition.type,
      status: 'True',
      reason: condition.reason,
      message: condition.message,
      lastUpdateTime: stamp,
      lastTransitionTime: null,
    };
    const body = { ...current, status: { ...status, conditions: [...conditions.filter(({ type }) => type !== condition.type), fresh] } };
    try {
      return await replaceObject(call, info, body, { manager: '', dryRun: 'none', subresource: 'approval' });
    } catch (error) {
      if (!isStatus(error, 'Conflict') || attempt >= 10) throw error;
      current = await getObject(call, info);
    }
  }
}

export const certificate: Command = {
  help: { ok: true },
  subcommands: {
    approve: {
      about: 'Approve a certificate signing request',
      load: () =>
        Promise.resolve(createDecisionCommand('Approved', 'KubectlApprove', 'This CSR was approved by kubectl certificate approve.')),
    },
    deny: {
      about: 'Deny a certificate signing request',
      load: () => Promise.resolve(createDecisionCommand('Denied', 'KubectlDeny', 'This CSR was denied by kubectl certificate deny.')),
    },
  },
};
