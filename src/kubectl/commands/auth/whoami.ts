import type { authenticationv1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { createPrinter } from '../../printers/printer.ts';
import { alignColumns } from '../../printers/table-writer.ts';
import type { Command } from '../../program/command.ts';
import { isStatus, KubectlError } from '../../program/errors.ts';
import { outputFlags } from '../../program/global-flags.ts';

export const whoami: Command = {
  flags: outputFlags,
  async run(call) {
    await call.cluster();
    // Without -o, a template has no effect.
    const printer = call.flags.text('output') === '' ? undefined : await createPrinter(call, { operation: '', typed: true });
    const body = {
      kind: 'SelfSubjectReview',
      apiVersion: call.product.rename('authentication.k8s.io/v1'),
      metadata: {},
      status: { userInfo: {} },
    };
    const client = await call.api();
    const review = await client.read('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { body }).catch((error: unknown) => {
      if (isStatus(error, 'Forbidden'))
        throw new KubectlError('the selfsubjectreviews API is not enabled in the cluster or you do not have permission to call it');
      throw error;
    });
    const { status }: Decoded<authenticationv1.SelfSubjectReview> = review;
    call.out(printer ? printer(review) : formatTable(status?.userInfo ?? {}));
    return 0;
  },
};

function formatTable({ username, uid, groups = [], extra = {} }: Decoded<authenticationv1.UserInfo>): string {
  const rows = [
    ['ATTRIBUTE', 'VALUE'],
    ...(username ? [['Username', username]] : []),
    ...(uid ? [['UID', uid]] : []),
    ...(groups.length > 0 ? [['Groups', `[${groups.join(' ')}]`]] : []),
    ...Object.keys(extra)
      .sort()
      .map((key) => [`Extra: ${key}`, `[${(extra[key] ?? []).join(' ')}]`]),
  ];
  return alignColumns(rows);
}
