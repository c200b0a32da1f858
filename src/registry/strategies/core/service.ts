import { type ApiObject, type JsonObject, recordAt } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { needsClusterIp } from '../../allocation/service-spec.ts';
import { withAllocatedValues, withBothAddressFields, withoutTypeDependentFields } from '../../allocation/service-update.ts';
import { type KindRow, withMembers } from '../kind-row.ts';

/**
 * The allocator (registry/allocation) allocates addresses and ports before these functions run. Both retain allocated values that an
 * update omits: a strategy without an allocator needs it too. Cf. upstream dropTypeDependentFields.
 */
export const service: KindRow = {
  createOnUpdate: true,
  storedDefaults: withoutInternalPolicy,
  create: (object) => withSpecPart(object, withBothAddressFields(recordAt(object, 'spec'), undefined)),
  update(next, old) {
    const [spec, before] = [recordAt(next, 'spec'), recordAt(old, 'spec')];
    const given = withBothAddressFields(withAllocatedValues(withOldFamilies(spec, before), before), before);
    return withSpecPart(next, withoutTypeDependentFields(given, before));
  },
};

/** A Service of another name has no internal policy when it is read. Cf. upstream defaultOnReadInternalTrafficPolicy. */
function withoutInternalPolicy(object: ApiObject): ApiObject {
  const { internalTrafficPolicy, ...spec }: Decoded<corev1.ServiceSpec> = recordAt(object, 'spec');
  return spec.type === 'ExternalName' && internalTrafficPolicy !== undefined ? { ...object, spec } : object;
}

function withOldFamilies(spec: Decoded<corev1.ServiceSpec>, old: Decoded<corev1.ServiceSpec>): JsonObject {
  if (!needsClusterIp(spec) || !needsClusterIp(old)) return spec;
  const { ipFamilies = old.ipFamilies, ipFamilyPolicy = old.ipFamilyPolicy } = spec;
  return withMembers(spec, { ipFamilies, ipFamilyPolicy });
}

function withSpecPart(object: ApiObject, spec: JsonObject): ApiObject {
  return object['spec'] === undefined ? object : { ...object, spec };
}
