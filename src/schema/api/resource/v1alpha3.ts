// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

export interface CELDeviceSelector {
  readonly expression: string;
}

export interface DeviceSelector {
  readonly cel?: CELDeviceSelector;
}

export interface DeviceTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

export interface DeviceTaintRule {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: DeviceTaintRuleSpec;
}

export interface DeviceTaintRuleSpec {
  readonly deviceSelector?: DeviceTaintSelector;
  readonly taint: DeviceTaint;
}

export interface DeviceTaintSelector {
  readonly deviceClassName?: string;
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
  readonly selectors?: readonly DeviceSelector[];
}
