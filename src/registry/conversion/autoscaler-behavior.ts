import { isJsonObject, type Json, type JsonObject, objectsAt, tryParseJson } from '../../meta/index.ts';
import { withMembers } from '../strategies/kind-row.ts';

/** Behaviour in an annotation is the JSON of Go's internal struct: capitalised names, null for unset members. */
export function toInternalBehavior(behavior: JsonObject): JsonObject {
  return { ScaleUp: toInternalRules(behavior['scaleUp']), ScaleDown: toInternalRules(behavior['scaleDown']) };
}

/** Returns undefined for a text that is no such JSON, or has no rules. Like Go's decoder, it ignores the case of names. */
export function fromInternalBehavior(text: string): JsonObject | undefined {
  const value = tryParseJson(text);
  const behavior = isJsonObject(value) ? withLowerCaseNames(value) : {};
  const behaviors = withMembers(
    {},
    { scaleUp: fromInternalRules(behavior['scaleup']), scaleDown: fromInternalRules(behavior['scaledown']) },
  );
  return Object.keys(behaviors).length > 0 ? behaviors : undefined;
}

function withLowerCaseNames(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]));
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

function fromInternalRules(value: Json | undefined): Json | undefined {
  if (!isJsonObject(value)) return undefined;
  const rules = withLowerCaseNames(value);
  const policies = objectsAt(rules, 'policies')
    .map(withLowerCaseNames)
    .map(({ type = '', value: amount = 0, periodseconds = 0 }) => ({ type, value: amount, periodSeconds: periodseconds }));
  return withMembers(
    {},
    {
      stabilizationWindowSeconds: rules['stabilizationwindowseconds'] ?? undefined,
      selectPolicy: rules['selectpolicy'] ?? undefined,
      policies: policies.length > 0 ? policies : undefined,
      tolerance: rules['tolerance'] ?? undefined,
    },
  );
}
