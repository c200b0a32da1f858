import { type ApiObject, type Json, sameJson, withMetadata } from '../../meta/index.ts';
import type { Resource } from '../../schema/index.ts';
import type { Strategy } from '../strategy.ts';

/** Objects of a definition's making: all but metadata and status counts for the generation. Cf. upstream customResourceStrategy. */
export function customStrategy(resource: Resource): Strategy {
  const hasStatus = resource.subresources.has('status');
  return {
    leavesMetadata: false,
    createOnUpdate: false,
    unconditionalUpdate: false,
    orphansByDefault: false,
    deleteReturnsObject: resource.deleteReturnsObject,
    prepareForCreate(object) {
      return withMetadata(hasStatus ? withStatus(object, undefined) : object, { generation: 1 });
    },
    prepareForUpdate(next, old, { subresource }) {
      if (subresource === 'status') {
        const { managedFields } = next.metadata;
        return withStatus(withMetadata(old, { managedFields }), next['status']);
      }
      const kept = hasStatus ? withStatus(next, old['status']) : next;
      const changed = !sameJson(counted(kept), counted(old));
      return changed ? withMetadata(kept, { generation: (old.metadata.generation ?? 0) + 1 }) : kept;
    },
    validate: () => [],
    validateUpdate: () => [],
    resetFields(subresource) {
      if (!hasStatus) return [];
      return subresource === 'status' ? [['spec']] : [['status']];
    },
  };
}

function counted({ metadata: _, ...rest }: ApiObject): Json {
  return rest as Json;
}

function withStatus(object: ApiObject, status: Json | undefined): ApiObject {
  const { status: _, ...rest } = object;
  return (status === undefined ? rest : { ...rest, status }) as ApiObject;
}
