/** Scenarios of Killercoda: `index.json` with Markdown steps and scripts, converted to lessons and back. */
export { exportScenario } from './export-scenario.ts';
export { importScenario } from './import-scenario.ts';
