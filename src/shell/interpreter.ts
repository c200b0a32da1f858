import { concatBytes } from '../meta/index.ts';
import type { Assignment, Chain, Pipeline, Redirection, Script, ShellCommand, SimpleCommand } from './ast.ts';
import { copyState, type Expander, type Invocation, type Program, type ShellServices, type ShellState, type Streams } from './context.ts';
import { CommandError, ControlTransfer } from './errors.ts';
import { expandPattern, expandText, expandWords } from './expand.ts';
import { FileError, fileMessages, resolvePath } from './files.ts';
import { parseScript } from './parser.ts';
import { Pipe, type Write } from './streams.ts';

/** The folder of files for `<(…)`. */
const processFileFolder = '/dev/fd';

/** How deep functions may call each other, as in dash. */
const maxFunctionDepth = 1000;

/** Executes syntax trees. `find` looks up the program of a command name. */
export class Interpreter {
  readonly #shell: ShellServices;
  readonly #find: (name: string) => Promise<Program | undefined>;

  constructor(shell: ShellServices, find: (name: string) => Promise<Program | undefined>) {
    this.#shell = shell;
    this.#find = find;
  }

  /** @throws ControlTransfer */
  async runScript(script: Script, state: ShellState, streams: Streams): Promise<number> {
    for (const { chain, background } of script.items) {
      if (streams.signal.aborted) return 130;
      const pause = this.#shell.beforeCommand?.(state, streams);
      if (pause) await pause;
      if (background) {
        state.jobs.push(this.#runIsolated(() => this.#runChain(chain, copyState(state), streams), streams));
        state.status = 0;
      } else {
        state.status = await this.#runChain(chain, state, streams);
        if (state.exitOnError && state.status !== 0 && chain.rest.length === 0 && !chain.first.negated) {
          throw new ControlTransfer('exit', state.status);
        }
      }
    }
    return state.status;
  }

  /** A failure of a condition does not end the script. */
  async #runConditionScript(condition: Script, state: ShellState, streams: Streams): Promise<boolean> {
    const before = state.exitOnError ?? false;
    state.exitOnError = false;
    const status = await this.runScript(condition, state, streams);
    state.exitOnError = before;
    return status === 0;
  }

  async #runChain({ first, rest }: Chain, state: ShellState, streams: Streams): Promise<number> {
    state.status = await this.#runPipeline(first, state, streams);
    for (const { operator, pipeline } of rest) {
      if ((state.status === 0) === (operator === '&&')) state.status = await this.#runPipeline(pipeline, state, streams);
    }
    return state.status;
  }

  async #runPipeline({ negated, commands }: Pipeline, state: ShellState, streams: Streams): Promise<number> {
    const [only] = commands;
    const status =
      only && commands.length === 1 ? await this.#runCommand(only, state, streams) : await this.#runPipe(commands, state, streams);
    return negated ? (status === 0 ? 1 : 0) : status;
  }

  /** Runs all commands concurrently, connected by pipes. The last exit code counts. */
  async #runPipe(commands: readonly ShellCommand[], state: ShellState, streams: Streams): Promise<number> {
    let input = streams.input;
    const running: Promise<number>[] = [];
    for (const [index, command] of commands.entries()) {
      const { signal, abort, release } = childOf(streams.signal);
      const pipe = index < commands.length - 1 ? new Pipe(() => abort(new Error('broken pipe'))) : undefined;
      const from = input;
      const own: Streams = { input: from, out: pipe?.write ?? streams.out, err: streams.err, signal };
      running.push(
        this.#runIsolated(() => this.#runCommand(command, copyState(state), own), own).finally(() => {
          release();
          pipe?.end();
          if (from !== streams.input) from.close();
        }),
      );
      if (pipe) input = pipe;
    }
    return (await Promise.all(running)).at(-1) ?? 0;
  }

  /** `exit` in a subshell leaves only the subshell. */
  async #runIsolated(run: () => Promise<number>, streams: Streams): Promise<number> {
    let end = (): void => {};
    try {
      return await reportError(streams, () => {
        end = this.#shell.startSubshell?.() ?? end;
        return run();
      });
    } catch (error) {
      if (error instanceof ControlTransfer) return error.kind === 'exit' || error.kind === 'return' ? error.value : 0;
      if (streams.signal.aborted) return 130;
      throw error;
    } finally {
      end();
    }
  }

  async #runCommand(command: ShellCommand, state: ShellState, streams: Streams): Promise<number> {
    if (command.type === 'function') {
      state.functions.set(command.name, command.body);
      return 0;
    }
    return reportError(streams, () =>
      this.#withRedirections(command.redirections, state, streams, (own) =>
        reportError(own, () => this.#dispatchCommand(command, state, own)),
      ),
    );
  }

  async #dispatchCommand(command: Exclude<ShellCommand, { type: 'function' }>, state: ShellState, streams: Streams): Promise<number> {
    switch (command.type) {
      case 'simple':
        return this.#runSimple(command, state, streams);
      case 'group':
        if (!command.subshell) return this.runScript(command.body, state, streams);
        return this.#runIsolated(() => this.runScript(command.body, copyState(state), streams), streams);
      case 'for':
        return this.#runLoop(await this.#expand(command.words, state, streams), command.body, state, streams, command.variable);
      case 'count': {
        const { createLoopCondition } = await import('./arithmetic-commands.ts');
        return this.#runLoop(await createLoopCondition(command.header, this.#createExpander(state, streams)), command.body, state, streams);
      }
      case 'loop': {
        const continues = async (): Promise<boolean> =>
          (await this.#runConditionScript(command.condition, state, streams)) !== command.until;
        return this.#runLoop(continues, command.body, state, streams);
      }
      case 'arithmetic':
        return (await import('./arithmetic-commands.ts')).runArithmetic(command.expression, this.#createExpander(state, streams));
      case 'condition':
        return (await import('./condition.ts')).runCondition(command.tokens, this.#createExpander(state, streams));
      case 'if':
        for (const { condition, body } of command.branches) {
          if (await this.#runConditionScript(condition, state, streams)) return this.runScript(body, state, streams);
        }
        return command.otherwise ? this.runScript(command.otherwise, state, streams) : 0;
      case 'case': {
        const expander = this.#createExpander(state, streams);
        const subject = await expander.text(command.subject);
        for (const { patterns, body } of command.branches) {
          for (const pattern of patterns) if ((await expander.pattern(pattern)).test(subject)) return this.runScript(body, state, streams);
        }
        return 0;
      }
      default:
        return command satisfies never;
    }
  }

  async #runLoop(
    over: readonly string[] | (() => Promise<boolean>),
    body: Script,
    state: ShellState,
    streams: Streams,
    variable = '',
  ): Promise<number> {
    let status = 0;
    for (let turn = 0; !streams.signal.aborted; turn++) {
      if (typeof over === 'function') {
        if (!(await over())) break;
      } else {
        const value = over[turn];
        if (value === undefined) break;
        state.variables.set(variable, value);
      }
      try {
        status = await this.runScript(body, state, streams);
      } catch (error) {
        if (!(error instanceof ControlTransfer) || (error.kind !== 'break' && error.kind !== 'continue')) throw error;
        if (error.value > 1) throw new ControlTransfer(error.kind, error.value - 1);
        if (error.kind === 'break') break;
      }
    }
    return streams.signal.aborted ? 130 : status;
  }

  async #runSimple(command: SimpleCommand, state: ShellState, streams: Streams): Promise<number> {
    const expander = this.#createExpander(state, streams);
    const words = await expander.words(command.words);
    if (command.declares) return this.#runDeclaration(command, words, expander, streams);
    if (words.length === 0) {
      for (const one of command.assignments) await abortLineOnError(assignInPlace(one, expander), streams);
      // The exit code of a command substitution is that of the assignment: `x=$(false)` fails.
      return command.words.length + command.assignments.length > 0 ? state.status : 0;
    }
    const assigned = new Map<string, string>();
    for (const { name, value } of command.assignments) if (!('elements' in value)) assigned.set(name, await expander.text(value));
    const [first] = command.words;
    const alias = first?.length === 1 && first[0]?.type === 'text' && !first[0].quoted ? state.aliases.get(words[0] ?? '') : undefined;
    if (alias !== undefined) words.splice(0, 1, ...(await this.#expandAlias(alias, state, streams)));
    return this.runWords(words, state, streams, assigned);
  }

  /** Expands the assignments before the command runs and makes them afterwards: `local x=$x`. */
  async #runDeclaration({ assignments }: SimpleCommand, words: readonly string[], expander: Expander, streams: Streams): Promise<number> {
    const { assign, expandAssignment } = await import('./variables.ts');
    const found = [];
    for (const one of assignments) found.push(await expandAssignment(one, expander));
    const status = await this.runWords(words, expander.state, streams);
    if (status === 0) for (const one of found) assign(one, expander.state);
    if (words[0] === 'readonly') for (const { name } of found) expander.state.readonlyNames.add(name);
    return status;
  }

  async #expandAlias(alias: string, state: ShellState, streams: Streams): Promise<string[]> {
    const command = parseScript(alias).items[0]?.chain.first.commands[0];
    return command?.type === 'simple' ? this.#expand(command.words, state, streams) : [];
  }

  async runWords(
    words: readonly string[],
    state: ShellState,
    streams: Streams,
    assigned: ReadonlyMap<string, string> = new Map(),
  ): Promise<number> {
    const [name = '', ...args] = words;
    const body = state.functions.get(name);
    if (body) return this.#callFunction(body, args, state, streams);
    const program = await this.#find(name);
    if (!program) {
      streams.err(`${this.#shell.dialect.notFound(name)}\n`);
      return 127;
    }
    const invocation: Invocation = {
      ...streams,
      name,
      args,
      state,
      shell: this.#shell,
      environment: new Map([...[...state.exported].map((of) => [of, state.variables.get(of) ?? ''] as const), ...assigned]),
      path: (path) => resolvePath(state.directory, path),
    };
    try {
      return await program(invocation);
    } catch (error) {
      if (streams.signal.aborted && !(error instanceof ControlTransfer)) return 130;
      if (error instanceof FileError)
        throw new CommandError(`${name}: ${error.code === 'other' ? error.message : fileMessages[error.code]}`);
      throw error;
    }
  }

  async #callFunction(body: ShellCommand, args: readonly string[], state: ShellState, streams: Streams): Promise<number> {
    const before = state.positional;
    const outer = state.outerVariables;
    const depth = state.functionDepth ?? 0;
    if (depth >= maxFunctionDepth) {
      streams.err(`sh: Maximum function recursion depth (${maxFunctionDepth}) reached\n`);
      throw new ControlTransfer('exit', 2);
    }
    state.functionDepth = depth + 1;
    state.positional = args;
    state.outerVariables = new Map();
    try {
      return await this.#runCommand(body, state, streams);
    } catch (error) {
      if (error instanceof ControlTransfer && error.kind === 'return') return error.value;
      throw error;
    } finally {
      state.functionDepth = depth;
      state.positional = before;
      for (const [name, { text, array }] of state.outerVariables) {
        setOrDelete(state.variables, name, text);
        setOrDelete(state.arrays, name, array);
      }
      state.outerVariables = outer;
    }
  }

  #expand(words: SimpleCommand['words'], state: ShellState, streams: Streams): Promise<string[]> {
    return this.#createExpander(state, streams).words(words);
  }

  #createExpander(state: ShellState, streams: Streams): Expander {
    const expander: Expander = {
      state,
      shell: this.#shell,
      text: (word) => abortLineOnError(expandText(word, expander), streams),
      words: (words) => abortLineOnError(expandWords(words, expander), streams),
      pattern: (word) => abortLineOnError(expandPattern(word, expander), streams),
      capture: async (script) => {
        const chunks: Uint8Array[] = [];
        const encoder = new TextEncoder();
        const out: Write = (chunk) => chunks.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
        state.status = await this.#runIsolated(() => this.runScript(script, copyState(state), { ...streams, out }), streams);
        return new TextDecoder().decode(concatBytes(chunks));
      },
      createProcessFile: async (script) => {
        const status = state.status;
        const path = `${processFileFolder}/${63 - state.processFiles.length}`;
        state.processFiles.push(path);
        const text = await expander.capture(script);
        state.status = status;
        await this.#shell.files.makeDirectory(processFileFolder);
        await this.#shell.files.write(path, new TextEncoder().encode(text));
        return path;
      },
    };
    return expander;
  }

  async #withRedirections(
    redirections: readonly Redirection[],
    state: ShellState,
    streams: Streams,
    run: (streams: Streams) => Promise<number>,
  ): Promise<number> {
    if (redirections.length === 0) return run(streams);
    const expander = this.#createExpander(state, streams);
    const closing: (() => Promise<void>)[] = [];
    let own = streams;
    const { applyRedirection } = await import('./redirections.ts');
    for (const redirection of redirections) own = await applyRedirection(redirection, own, expander, closing);
    try {
      return await run(own);
    } finally {
      for (const close of closing) await close();
    }
  }
}

interface ChildSignal {
  readonly signal: AbortSignal;
  readonly abort: (reason: unknown) => void;
  /** Stops following the parent. */
  readonly release: () => void;
}

/**
 * A signal that follows its parent and can be aborted by itself. `AbortSignal.any` collects the sources of all ancestors, which makes pipes
 * that are nested thousands deep too slow.
 */
function childOf(parent: AbortSignal): ChildSignal {
  const controller = new AbortController();
  const follow = (): void => controller.abort(parent.reason);
  if (parent.aborted) follow();
  parent.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => parent.removeEventListener('abort', follow),
  };
}

/** Prints the error of a failed command, which may be redirected. */
async function reportError({ err }: Streams, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    err(`${error.message}\n`);
    return error.code;
  }
}

/** A failed expansion or assignment aborts the whole line, as in every shell; a failed command does not. */
async function abortLineOnError<Found>(expanding: Promise<Found>, streams: Streams): Promise<Found> {
  try {
    return await expanding;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    streams.err(`${error.message}\n`);
    throw new ControlTransfer('exit', error.code);
  }
}

async function assignInPlace(assignment: Assignment, expander: Expander): Promise<void> {
  const { name, index, append, value } = assignment;
  const { variables, arrays, readonlyNames } = expander.state;
  if (index || append || 'elements' in value || arrays.has(name) || readonlyNames.has(name)) {
    // Loaded on demand: arrays are rare.
    const { assign, expandAssignment } = await import('./variables.ts');
    assign(await expandAssignment(assignment, expander), expander.state);
  } else {
    variables.set(name, await expander.text(value));
  }
}

function setOrDelete<Value>(map: Map<string, Value>, name: string, value: Value | undefined): void {
  if (value === undefined) map.delete(name);
  else map.set(name, value);
}
