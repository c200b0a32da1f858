// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** A class of parameters that can be changed while a volume is used, such as its throughput. */
export interface VolumeAttributesClass {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Name of the CSI driver. Immutable. */
  readonly driverName: string;
  /** Parameters for the driver, from 1 to 512. Immutable. */
  readonly parameters?: Readonly<Record<string, string>>;
}
