/** The names of the tools, whose code is loaded when one of them is run. */
export const toolNames: readonly string[] = ['gunzip', 'gzip', 'zcat'];
