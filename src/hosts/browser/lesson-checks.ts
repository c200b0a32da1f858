import { type ApiHandler, isJsonObject, type Product } from '../../meta/index.ts';
import { evaluateChecks } from '../../tutorials/checks/index.ts';
import type { CheckResults, StepFacts } from '../../tutorials/index.ts';
import { adminToken, pageUsers } from './users.ts';

/** A request to evaluate a lesson's checks. They are CEL expressions, and the page does not include the CEL interpreter. */
export interface CheckRequest {
  readonly cels: readonly string[];
  readonly facts: StepFacts;
}

/** Parses a check request; undefined when it is invalid. */
export function parseCheckRequest(text: string): CheckRequest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const { cels, facts } = isJsonObject(value) ? value : {};
    if (!Array.isArray(cels) || !cels.every((cel) => typeof cel === 'string') || !isJsonObject(facts)) return undefined;
    const given = facts as unknown as Partial<StepFacts>;
    return { cels, facts: { commands: [], requests: [], files: {}, step: { started: '' }, ...given } };
  } catch {
    // Invalid JSON.
    return undefined;
  }
}

/** Evaluates checks as admin, so that they have access to the whole cluster. */
export function evaluateChecksAsAdmin(
  { cels, facts }: CheckRequest,
  handle: ApiHandler,
  product: Product,
  signal: AbortSignal,
): Promise<CheckResults> {
  const api: ApiHandler = (request) => handle({ ...request, headers: withAdmin(request.headers) });
  return evaluateChecks(cels, facts, { api, product, groupsOf, signal });
}

function withAdmin(headers: Iterable<readonly [string, string]>): Headers {
  const named = new Headers(Array.from(headers, ([name, value]): [string, string] => [name, value]));
  named.set('authorization', `Bearer ${adminToken}`);
  return named;
}

function groupsOf(user: string): readonly string[] {
  return [...pageUsers.values()].find(({ username }) => username === user)?.groups ?? [];
}
