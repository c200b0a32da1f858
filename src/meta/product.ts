/**
 * Product differences: the names that differ between the neutral product of the specification (`svc`) and the real one (`kubernetes`), and
 * the switches where the specification deviates from the real server (docs/decisions). Other code does not check which product it is.
 */

/** The names of a cluster: the neutral ones of the specification, or the real ones. */
export type ProductName = 'svc' | 'kubernetes';

export const productNames: readonly ProductName[] = ['svc', 'kubernetes'];

export function isProductName(name: unknown): name is ProductName {
  return name === 'svc' || name === 'kubernetes';
}

export interface Product {
  readonly name: ProductName;
  readonly names: ProductNames;
  readonly switches: ProductSwitches;
  /** Rewrites a text with the names of `kubernetes` (catalog data, bootstrap objects) to this product's names. */
  rename(text: string): string;
}

/** The real server's names; `rules` rewrite them for `svc`. */
const kubernetesNames = {
  systemNamespace: 'kube-system',
  publicNamespace: 'kube-public',
  nodeLeaseNamespace: 'kube-node-lease',
  /** The service in front of the API servers, in namespace `default`. */
  apiServiceName: 'kubernetes',
  /** The finalizer in a namespace's spec. */
  namespaceFinalizer: 'kubernetes',
  metaGroup: 'meta.k8s.io',
  namespaceNameLabel: 'kubernetes.io/metadata.name',
  protobufMediaType: 'application/vnd.kubernetes.protobuf',
  openApiExtensionPrefix: 'x-kubernetes-',
  flowSchemaHeader: 'x-kubernetes-pf-flowschema-uid',
  priorityLevelHeader: 'x-kubernetes-pf-prioritylevel-uid',
  openApiTypePrefix: 'io.k8s.',
  initialEventsEndAnnotation: 'k8s.io/initial-events-end',
  decisionAuditAnnotation: 'authorization.k8s.io/decision',
  reasonAuditAnnotation: 'authorization.k8s.io/reason',
  deprecatedAuditAnnotation: 'k8s.io/deprecated',
  removedReleaseAuditAnnotation: 'k8s.io/removed-release',
  lastAppliedAnnotation: 'kubectl.kubernetes.io/last-applied-configuration',
} as const;

export type ProductNames = { readonly [key in keyof typeof kubernetesNames]: string };

export interface ProductSwitches {
  /** Parts 4.3, 4.10: `dryRun` without a value means All. The real server: 422, only All. */
  readonly bareDryRunMeansAll: boolean;
  /** Part 4.6 rule 8: an empty managedFields list does not reset. The real server: it resets. */
  readonly emptyManagedFieldsReset: boolean;
  /** Part 4.6 rule 8: reset first, then the requester owns the other changed fields. The real server: nothing is owned. */
  readonly resetRetainsOtherChanges: boolean;
  /** Part 5.6 rule 4: HEAD is get or list. The real server: 405. */
  readonly headIsGet: boolean;
  /** Part 4.3: `watch` on an item watches it. The real server: a plain get. */
  readonly watchOnItem: boolean;
  /** Part 6 rule 2, part 7: a watch from a compacted version fails with HTTP 410. The real server: 200 with an ERROR event. */
  readonly expiredWatchIsHttp410: boolean;
  /** Parts 4.3, 7: fieldValidation governs apply too. The real server: unknown fields in an apply are 500. */
  readonly fieldValidationGovernsApply: boolean;
  /** Part 7: an object that only lacks required fields gets 400. The real server: 422. */
  readonly missingRequiredIs400: boolean;
  /** Part 2.3: `continue` is an empty string when a list is complete. The real server leaves it out, except for custom resources. */
  readonly emptyContinue: boolean;
  /** Part 5.2: cluster-info is signed with the full token as shared key. The real server: with the token's secret alone. */
  readonly signsWithFullToken: boolean;
  /** Part 5.2: all further columns of a token file are group names. The real server: only the fourth is. */
  readonly furtherColumnsAreGroups: boolean;
  /** Part 5.2: service account keys fall back to `--tls-private-key-file`. The real server requires a separate key. */
  readonly accountKeysFallBackToTls: boolean;
  /**
   * Part 5.6 rule 1: 403 when no authorizer allows the request, also when a webhook fails. The real server: 500 with the webhook's error.
   */
  readonly failedAuthorizationIs403: boolean;
}

/** Applied in this order; the same table as test/conformance/names.json. */
const rules: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/kubernetes\.io\/bootstrapping/g, 'bootstrapping.svc'],
  [/x-kubernetes-/g, 'x-svc-'],
  [/vnd\.kubernetes\./g, 'vnd.svc.'],
  [/KUBERNETES_EXEC_INFO/g, 'SVC_EXEC_INFO'],
  [/\bkubernetes\.default\.svc/g, 'svc.default.svc'],
  [/\bio\.k8s\./g, 'io.svc.'],
  [/\bkubernetes\.(Quantity|IP|CIDR|URL|Semver|NamedFormat|authorization)/g, 'svc.$1'],
  [/([a-z0-9-])\.(?:k8s|kubernetes)\.io\b/g, '$1.svc'],
  [/\b(?:k8s|kubernetes)\.io\//g, 'svc/'],
  [/"kubernetes\.io"/g, '"svc"'],
  [/\bkube-(system|public|node-lease|apiserver|scheduler|controller-manager|proxy|dns)\b/g, 'svc-$1'],
  [/\bkubernetes-service-cidr-controller\b/g, 'svc-service-cidr-controller'],
  [/(\/services\/|\/endpoints\/|\/endpointslices\/|\/servicecidrs\/)kubernetes\b/g, '$1svc'],
  [/"kubernetes"/g, '"svc"'],
];

const toSvc = (text: string): string => rules.reduce((at, [pattern, replacement]) => at.replace(pattern, replacement), text);

const products: Readonly<Record<ProductName, Product>> = {
  svc: {
    name: 'svc',
    names: JSON.parse(toSvc(JSON.stringify(kubernetesNames))),
    switches: {
      bareDryRunMeansAll: true,
      emptyManagedFieldsReset: false,
      resetRetainsOtherChanges: true,
      headIsGet: true,
      watchOnItem: true,
      expiredWatchIsHttp410: true,
      fieldValidationGovernsApply: true,
      missingRequiredIs400: true,
      emptyContinue: true,
      signsWithFullToken: true,
      furtherColumnsAreGroups: true,
      accountKeysFallBackToTls: true,
      failedAuthorizationIs403: true,
    },
    rename: toSvc,
  },
  kubernetes: {
    name: 'kubernetes',
    names: kubernetesNames,
    switches: {
      bareDryRunMeansAll: false,
      emptyManagedFieldsReset: true,
      resetRetainsOtherChanges: false,
      headIsGet: false,
      watchOnItem: false,
      expiredWatchIsHttp410: false,
      fieldValidationGovernsApply: false,
      missingRequiredIs400: false,
      emptyContinue: false,
      signsWithFullToken: false,
      furtherColumnsAreGroups: false,
      accountKeysFallBackToTls: false,
      failedAuthorizationIs403: false,
    },
    rename: (text) => text,
  },
};

export function productByName(name: ProductName): Product {
  return products[name];
}
