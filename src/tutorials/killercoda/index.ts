/** Scenarios of Killercoda: `index.json` with Markdown steps and scripts, converted to lessons and back. */
export { type ExportedScenario, exportScenario } from './export-scenario.ts';
export { type ImportedScenario, importScenario, isScenario } from './import-scenario.ts';
