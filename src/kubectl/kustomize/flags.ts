import { array, bool, type FlagSpecs, text } from '../parse/flags.ts';

export const loadRestrictionsNone = 'LoadRestrictionsNone';

/** Flags of `kubectl kustomize`. */
export const kustomizeFlags: FlagSpecs = {
  'as-current-user': bool(),
  'enable-alpha-plugins': bool(),
  'enable-helm': bool(),
  'enable-managedby-label': {
    ...bool(),
    hidden: true,
    deprecated:
      'The flag `enable-managedby-label` has been deprecated. Use the `managedByLabel` option in the `buildMetadata` field instead.',
  },
  env: array('e'),
  'helm-api-versions': array(),
  'helm-command': text('helm'),
  'helm-debug': bool(),
  'helm-kube-version': text(),
  'load-restrictor': text('LoadRestrictionsRootOnly'),
  mount: array(),
  network: bool(),
  'network-name': text('bridge'),
  output: text('', 'o'),
  reorder: { ...text('legacy'), hidden: true, deprecated: "use the new 'sortOptions' field in kustomization.yaml instead." },
};
