import { array, bool, duration, type FlagSpecs, int, list, optional, text } from '../parse/flags.ts';

/** Flags of every command (`kubectl options`). */
export const globalFlags: FlagSpecs = {
  as: text(),
  'as-group': array(),
  'as-uid': text(),
  'cache-dir': text(),
  'certificate-authority': text(),
  'client-certificate': text(),
  'client-key': text(),
  cluster: text(),
  context: text(),
  'disable-compression': bool(),
  'insecure-skip-tls-verify': bool(),
  kubeconfig: text(),
  kuberc: text(),
  'log-flush-frequency': duration('5s'),
  'match-server-version': bool(),
  namespace: text('', 'n'),
  password: text(),
  profile: text('none'),
  'profile-output': text('profile.pprof'),
  'request-timeout': text('0'),
  server: text('', 's'),
  'tls-server-name': text(),
  token: text(),
  user: text(),
  username: text(),
  v: int(0, 'v'),
  vmodule: { kind: 'value' },
  'warnings-as-errors': bool(),
  help: bool(false, 'h'),
};

export const dryRunFlag: FlagSpecs = { 'dry-run': optional('none', 'unchanged') };
export const outputFlags: FlagSpecs = {
  output: text('', 'o'),
  template: text(),
  'allow-missing-template-keys': bool(true),
  'show-managed-fields': bool(),
};
export const selectorFlag: FlagSpecs = { selector: text('', 'l') };
export const fileFlags: FlagSpecs = {
  filename: list('f'),
  kustomize: text('', 'k'),
  recursive: bool(false, 'R'),
};
export const validateFlag: FlagSpecs = { validate: optional('strict', 'strict') };

export function managerFlag(initial: string): FlagSpecs {
  return { 'field-manager': text(initial) };
}

/** Writes the command line to the annotation of the change's cause. */
export const recordFlag: FlagSpecs = { record: { ...bool(), hidden: true, deprecated: '--record will be removed in the future' } };
