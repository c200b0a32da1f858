/** Plugins of generators of documentation. */
export { type BlockElement, elementOf } from '../markdown/block-kind.ts';
export { tabplaneExamples } from './markdown-it.ts';
export { remarkTabplane } from './remark.ts';
