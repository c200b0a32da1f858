import type { Scenario } from './scenario.d.mts';

export function bySpecification(scenario: Scenario): Scenario;
