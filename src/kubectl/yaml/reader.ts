/** Loaded when the first YAML text needs it. */
export { parseYaml } from '../../codec/index.ts';
