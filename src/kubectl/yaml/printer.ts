/** Loaded with the first YAML that is printed. */
export { printYaml } from '../../codec/index.ts';
