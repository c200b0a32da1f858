import { formatTime, type JsonObject } from '../../../meta/index.ts';
import type { certificatesv1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { formatGroupKind } from '../../api/discovery.ts';
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

const createDecisionCommand = (decision: Decision): Command => ({ flags, run: (call) => decide(call, decision) });

interface Decision {
  readonly type: 'Approved' | 'Denied';
  readonly reason: string;
  readonly message: string;
}

/** Cf. kubectl cmd/certificates modifyCertificateCondition. */
async function decide(call: Call, decision: Decision): Promise<number> {
  const print = await createPrinter(call, { operation: decision.type.toLowerCase() });
  await call.cluster();
  if (call.words.length === 0 && call.flags.list('filename').length === 0 && call.flags.text('kustomize') === '')
    throw new KubectlError('one or more CSRs must be specified as <name> or -f <filename>');
  const selection = { continueOnError: true, latest: true, namespace: '', explicit: false, defaultType: 'certificatesigningrequests' };
  let found = 0;
  const builder = new Builder(call, await requestFromFlags(call, selection));
  await builder.visit(async (info) => {
    const shown = await addCondition(call, info, decision);
    found++;
    call.out(print(shown));
  });
  if (found === 0) call.out('No resources found\n');
  return 0;
}

/** Returns the object as it was before the decision, which kubectl prints. */
async function addCondition(call: Call, info: Info, { type, reason, message }: Decision): Promise<JsonObject> {
  const { group, kind } = info.resource;
  if (kind !== 'CertificateSigningRequest')
    throw new KubectlError(
      `can only handle CertificateSigningRequest.certificates.k8s.io objects, got ${formatGroupKind({ group, kind })}`,
    );
  let shown = info.object ?? {};
  for (let attempt = 0; ; attempt++) {
    const current = await getObject(call, info);
    const { status = {} }: Decoded<certificatesv1.CertificateSigningRequest> = current;
    const { conditions = [] } = status;
    const other = conditions.find((condition) => condition.type === (type === 'Approved' ? 'Denied' : 'Approved'));
    if (other) throw new KubectlError(`certificate signing request ${JSON.stringify(info.name)} is already ${other.type}`);
    const isDecided = conditions.some((condition) => condition.type === type);
    if (isDecided && !call.flags.bool('force')) return shown;
    const lastUpdateTime = formatTime(call.shell.clock.nowMs());
    const added = isDecided ? [] : [{ type, status: 'True', reason, message, lastUpdateTime, lastTransitionTime: null }];
    const body = { ...current, status: { ...status, conditions: [...conditions, ...added] } };
    try {
      await replaceObject(call, info, body, { manager: '', dryRun: 'none', subresource: 'approval' });
      return shown;
    } catch (error) {
      if (!isStatus(error, 'Conflict') || attempt >= 10) throw error;
      shown = await getObject(call, info);
    }
  }
}

export const certificate: Command = {
  help: { ok: true },
  subcommands: {
    approve: {
      about: 'Approve a certificate signing request',
      load: () =>
        Promise.resolve(
          createDecisionCommand({
            type: 'Approved',
            reason: 'KubectlApprove',
            message: 'This CSR was approved by kubectl certificate approve.',
          }),
        ),
    },
    deny: {
      about: 'Deny a certificate signing request',
      load: () =>
        Promise.resolve(
          createDecisionCommand({ type: 'Denied', reason: 'KubectlDeny', message: 'This CSR was denied by kubectl certificate deny.' }),
        ),
    },
  },
};
