import { compileExpression } from '../expression.ts';
import type { Functions } from '../functions/functions.ts';
import { quantities } from '../functions/quantities.ts';
import { semvers } from '../functions/semvers.ts';
import { EntriesMap, type MapValue } from '../values/map.ts';
import { Failure, type Result, type Value } from '../values/value.ts';
import { deviceEnvironment } from './device-selector.ts';

/** A device of a ResourceSlice, as selectors see it. */
export interface SelectableDevice {
  readonly driver: string;
  readonly attributes?: Readonly<Record<string, DeviceAttribute>>;
  readonly capacity?: Readonly<Record<string, { readonly value: string }>>;
}

interface DeviceAttribute {
  readonly int?: number;
  readonly bool?: boolean;
  readonly string?: string;
  readonly version?: string;
}

/** Whether a device matches. @throws Error with the message of the evaluation */
export type DeviceMatcher = (device: SelectableDevice) => boolean;

/** Compiles a CEL device selector. Cf. k8s.io/dynamic-resource-allocation cel. @throws CompileError, ProgramError */
export function compileDeviceSelector(source: string): DeviceMatcher {
  const expression = compileExpression(source, deviceEnvironment());
  return (device) => {
    const value = deviceValue(device);
    const { result } = expression.evaluate((name) => (name === 'device' ? value : undefined));
    if (result instanceof Failure) throw new Error(result.message);
    if (typeof result !== 'boolean') throw new Error('CEL result could not be converted to bool');
    return result;
  };
}

function deviceValue({ driver, attributes = {}, capacity = {} }: SelectableDevice): MapValue {
  const quantityOf = ({ value }: { readonly value: string }): Result => call(quantities, 'quantity', value);
  return EntriesMap.of([
    ['driver', driver],
    ['attributes', byDomain(driver, attributes, attributeValue)],
    ['capacity', byDomain(driver, capacity, quantityOf)],
  ]);
}

function attributeValue({ int, bool, string, version }: DeviceAttribute): Result {
  if (int !== undefined) return BigInt(int);
  if (bool !== undefined) return bool;
  if (string !== undefined) return string;
  return call(semvers, 'semver', version ?? '');
}

function call(functions: Functions, name: string, text: string): Result {
  return (functions[name] as ((text: string) => Result) | undefined)?.(text) ?? null;
}

/** Values by domain and identifier. A name without a domain has that of the driver. */
function byDomain<T>(driver: string, values: Readonly<Record<string, T>>, read: (value: T) => Result): MapValue {
  const domains = new DomainMap();
  for (const [name, value] of Object.entries(values)) {
    const slash = name.indexOf('/');
    domains.add(slash < 0 ? driver : name.slice(0, slash), name.slice(slash + 1), read(value));
  }
  return domains;
}

/** Unknown domains have no values, which is no error. Cf. newStringInterfaceMapWithDefault. */
class DomainMap extends EntriesMap {
  override find(key: Value): Result | undefined {
    return super.find(key) ?? (typeof key === 'string' ? new EntriesMap() : undefined);
  }

  override contained(key: Value): Result | undefined {
    return super.find(key);
  }

  add(domain: string, name: string, value: Result): void {
    const known = super.find(domain);
    const values = known instanceof EntriesMap ? known : new EntriesMap();
    values.set(name, value);
    this.set(domain, values);
  }
}
