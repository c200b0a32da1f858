import type { Product } from '../meta/index.ts';

/** What a cluster tells whose user has said nothing: who did what to which object, without bodies, so that no secret is kept. */
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
