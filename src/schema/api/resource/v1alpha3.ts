// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** CELDeviceSelector is a condition on a device as a CEL expression. */
export interface CELDeviceSelector {
  /** CEL expression of type bool, with device.driver, device.attributes and device.capacity, such as device.driver == "gpu.example.com". At most 10 KiB. */
  readonly expression: string;
}

/** DeviceSelector is a condition on a device. */
export interface DeviceSelector {
  /** Condition as a CEL expression. Required. */
  readonly cel?: CELDeviceSelector;
}

/** DeviceTaint repels claims that do not tolerate it from a device. */
export interface DeviceTaint {
  /** Key of the taint, such as example.com/unhealthy. */
  readonly key: string;
  /** Value of the taint. May be empty. */
  readonly value?: string;
  /** NoSchedule prevents allocation, NoExecute also evicts pods that use the device. */
  readonly effect: string;
  /** Time at which the taint was added. Default: now. */
  readonly timeAdded?: string;
}

/** Adds a taint to devices. */
export interface DeviceTaintRule {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: DeviceTaintRuleSpec;
}

/** Specification of a rule. */
export interface DeviceTaintRuleSpec {
  /** Devices that get the taint. Not set: none; empty: all. */
  readonly deviceSelector?: DeviceTaintSelector;
  /** The taint that the selected devices get. */
  readonly taint: DeviceTaint;
}

/** DeviceTaintSelector selects devices. All fields that are set must match. */
export interface DeviceTaintSelector {
  /** Selects devices of this device class. */
  readonly deviceClassName?: string;
  /** Selects devices of this driver. */
  readonly driver?: string;
  /** Selects devices of this pool. */
  readonly pool?: string;
  /** Name of the device. Combine it with driver and pool for a single device. */
  readonly device?: string;
  /** Conditions that each device must fulfil, all of them. */
  readonly selectors?: readonly DeviceSelector[];
}
