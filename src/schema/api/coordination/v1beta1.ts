// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

export interface LeaseCandidate {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: LeaseCandidateSpec;
}

export interface LeaseCandidateSpec {
  readonly leaseName: string;
  readonly pingTime?: string;
  readonly renewTime?: string;
  readonly binaryVersion: string;
  readonly emulationVersion?: string;
  readonly strategy?: string;
}
