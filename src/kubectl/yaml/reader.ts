/** Loaded with the first YAML that is not plain. */
export { parseYaml } from '../../codec/index.ts';
