import { isJsonObject, type Json, type JsonObject, objectsAt } from '../../meta/index.ts';
import { withMembers } from '../strategies/kind-row.ts';

/** Behaviour in an annotation is the JSON of Go's internal struct: capitalised names, null for unset members. */
export function toInternalBehavior(behavior: JsonObject): JsonObject {
  return { ScaleUp: toInternalRules(behavior['scaleUp']), ScaleDown: toInternalRules(behavior['scaleDown']) };
}

export function fromInternalBehavior(behavior: JsonObject): JsonObject {
  return withMembers({}, { scaleUp: fromInternalRules(behavior['ScaleUp']), scaleDown: fromInternalRules(behavior['ScaleDown']) });
}

function toInternalRules(rules: Json | undefined): Json {
  if (!isJsonObject(rules)) return null;
  const policies = objectsAt(rules, 'policies').map(({ type = '', value = 0, periodSeconds = 0 }) => ({
    Type: type,
    Value: value,
    PeriodSeconds: periodSeconds,
  }));
  return {
    StabilizationWindowSeconds: rules['stabilizationWindowSeconds'] ?? null,
    SelectPolicy: rules['selectPolicy'] ?? null,
    Policies: policies.length > 0 ? policies : null,
    Tolerance: rules['tolerance'] ?? null,
  };
}

function fromInternalRules(rules: Json | undefined): Json | undefined {
  if (!isJsonObject(rules)) return undefined;
  const policies = objectsAt(rules, 'Policies').map(({ Type = '', Value = 0, PeriodSeconds = 0 }) => ({
    type: Type,
    value: Value,
    periodSeconds: PeriodSeconds,
  }));
  return withMembers(
    {},
    {
      stabilizationWindowSeconds: rules['StabilizationWindowSeconds'] ?? undefined,
      selectPolicy: rules['SelectPolicy'] ?? undefined,
      policies: policies.length > 0 ? policies : undefined,
      tolerance: rules['Tolerance'] ?? undefined,
    },
  );
}
