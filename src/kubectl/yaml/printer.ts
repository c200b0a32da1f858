/** Loaded when YAML is printed for the first time. */
export { printYaml } from '../../codec/index.ts';
