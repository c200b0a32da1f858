import { goQuotedList } from '../../../meta/index.ts';
import type { FlagValues } from './flag-values.ts';

const validModes: readonly string[] = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'];
const modeFlags: readonly string[] = [
  'authorization-mode',
  'authorization-webhook-config-file',
  'authorization-webhook-version',
  'authorization-webhook-cache-authorized-ttl',
  'authorization-webhook-cache-unauthorized-ttl',
];

/** The modes; the flag defaults to Node,RBAC, and an empty list means the real server's default AlwaysAllow. */
export function authorizationModes(flags: FlagValues): readonly string[] {
  const modes = flags.list('authorization-mode');
  return modes.length > 0 ? modes : ['AlwaysAllow'];
}

/** Cf. upstream BuiltInAuthorizationOptions.Validate; the content of files is validated later. */
export function authorizationProblems(flags: FlagValues): readonly string[] {
  if (flags.text('authorization-config') !== '') {
    if (!modeFlags.some((name) => flags.isGiven(name))) return [];
    return ['--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined'];
  }
  const modes = authorizationModes(flags);
  const [policyFile, webhookFile] = [flags.text('authorization-policy-file'), flags.text('authorization-webhook-config-file')];
  return [
    ...modes.flatMap((mode) => [
      ...(validModes.includes(mode) ? [] : [`authorization-mode ${JSON.stringify(mode)} is not a valid mode`]),
      ...(mode === 'ABAC' && policyFile === '' ? ["authorization-mode ABAC's authorization policy file not passed"] : []),
      ...(mode === 'Webhook' && webhookFile === '' ? ["authorization-mode Webhook's authorization config file not passed"] : []),
    ]),
    ...(policyFile !== '' && !modes.includes('ABAC') ? ['cannot specify --authorization-policy-file without mode ABAC'] : []),
    ...(webhookFile !== '' && !modes.includes('Webhook')
      ? ['cannot specify --authorization-webhook-config-file without mode Webhook']
      : []),
    ...(new Set(modes).size < modes.length ? [`authorization-mode ${goQuotedList(modes)} has mode specified more than once`] : []),
  ];
}
