import type { Product } from '../../meta/index.ts';

/** The default audit policy: request metadata without bodies, so that no secrets are recorded. */
export function defaultAuditPolicy(product: Product): string {
  return product.rename(`# Who did what to which object, without its content.
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
# What the cluster's own controllers read.
- level: None
  users: ["system:apiserver"]
  verbs: [get, list, watch]
- level: None
  resources:
  - group: ""
    resources: [events]
  - group: events.k8s.io
    resources: [events]
  - group: coordination.k8s.io
    resources: [leases]
# Discovery, documents and health.
- level: None
  nonResourceURLs: ["*"]
- level: Metadata
`);
}
