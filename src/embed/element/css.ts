/** The text of a style sheet. The build removes the white space that only readers of the source need (build/compact-templates.ts). */
export const css: typeof String.raw = String.raw;
