/**
 * Loads what the shell otherwise loads on first use. For hosts with a virtual clock, whose time must not pass while a module is loaded.
 */
export async function loadPrograms(): Promise<void> {
  await Promise.all([
    import('./arithmetic-commands.ts'),
    import('./builtins/basic.ts'),
    import('./builtins/curl.ts'),
    import('./builtins/file-tools.ts'),
    import('./builtins/system-tools.ts'),
    import('./builtins/text-tools.ts'),
    import('./condition.ts'),
    import('./parameters.ts'),
    import('./redirections.ts'),
    import('./variables.ts'),
  ]);
}
