import { array, bool, type FlagSpecs, optional, text } from '../parse/flags.ts';

/** Flags of every command (`kubectl options`). */
export const globalFlags: FlagSpecs = {
  as: text('', undefined, 'Username to impersonate'),
  'as-group': array(undefined, 'Group to impersonate'),
  'as-uid': text('', undefined, 'UID to impersonate'),
  'cache-dir': text(),
  'certificate-authority': text(),
  'client-certificate': text(),
  'client-key': text(),
  cluster: text('', undefined, 'The kubeconfig cluster to use'),
  context: text('', undefined, 'The kubeconfig context to use'),
  'disable-compression': bool(),
  'insecure-skip-tls-verify': bool(),
  kubeconfig: text('', undefined, 'Path to the kubeconfig file'),
  'log-flush-frequency': text('5s'),
  'match-server-version': bool(),
  namespace: text('', 'n', 'The namespace to work in'),
  password: text(),
  profile: text('none'),
  'profile-output': text('profile.pprof'),
  'request-timeout': text('0', undefined, 'How long to wait for one answer'),
  server: text('', 's', 'The address of the API server'),
  'tls-server-name': text(),
  token: text('', undefined, 'Bearer token'),
  user: text('', undefined, 'The kubeconfig user to use'),
  username: text(),
  v: { kind: 'int', short: 'v', initial: '0', about: 'Number for the log level verbosity' },
  vmodule: text(),
  'warnings-as-errors': bool(false, undefined, 'Exit 1 when the server warned'),
  help: bool(false, 'h'),
};

export const dryRunFlag: FlagSpecs = { 'dry-run': optional('none', 'unchanged', 'none, client or server') };
export const outputFlags: FlagSpecs = {
  output: text('', 'o', 'How to print'),
  template: text(),
  'allow-missing-template-keys': bool(true),
  'show-managed-fields': bool(),
};
export const selectorFlag: FlagSpecs = { selector: text('', 'l', 'Labels to select by') };
export const fileFlags: FlagSpecs = {
  filename: { kind: 'list', short: 'f', about: 'Files, directories or -' },
  kustomize: text('', 'k'),
  recursive: bool(false, 'R'),
};
export const validateFlag: FlagSpecs = { validate: optional('strict', 'strict', 'strict, warn or ignore') };

export function managerFlag(initial: string): FlagSpecs {
  return { 'field-manager': text(initial) };
}
