import { createPace } from '../../env/index.ts';
import type { Json } from '../../meta/index.ts';
import { readInputFile } from '../builtins/input-files.ts';
import type { Invocation } from '../context.ts';
import { Evaluator } from './evaluate.ts';
import { createNativeFunctions, HaltSignal } from './functions.ts';
import { InputError, type Inputs, openJsonInputs, readValues } from './inputs.ts';
import { type JqOptions, parseArguments, UsageError } from './options.ts';
import { parseDefinitions, parseFilter } from './parser.ts';
import { preludeSource } from './prelude.ts';
import { printOutput } from './print.ts';
import { CompileError, type Filter, FilterError } from './syntax.ts';
import { isTrue } from './values.ts';

/** `jq`: filters and prints JSON, as jq 1.6 does. */
export async function jq(call: Invocation): Promise<number> {
  try {
    const options = parseArguments(call.args);
    if (options.print === undefined) return await runFilter(call, options);
    call.out(options.print);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    call.err(error.message);
    return 2;
  }
}

async function runFilter(call: Invocation, options: JqOptions): Promise<number> {
  const source = options.filterFile === undefined ? options.filter : await readFile(call, options.filterFile);
  try {
    const filter = parseFilter(source);
    const inputs = await openJsonInputs(call, options);
    if (inputs === undefined) return 2;
    const evaluator = new Evaluator({
      natives: createNativeFunctions(() => call.shell.clock.nowMs() / 1000, call.environment),
      variables: await readVariables(call, options),
      prelude: parseDefinitions(preludeSource),
      nextInput: () => inputs.next(),
      debug: (text) => call.err(`${text}\n`),
    });
    return await applyToInputs(call, options, { filter, inputs, evaluator });
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    call.err(`jq: error: ${error.message} at <top-level>, line 1:\n${source}\njq: 1 compile error\n`);
    return 3;
  }
}

interface Work {
  readonly filter: Filter;
  readonly inputs: Inputs;
  readonly evaluator: Evaluator;
}

/** Applies the filter to each input. An error ends the outputs of that input only. */
async function applyToInputs(call: Invocation, options: JqOptions, { filter, inputs, evaluator }: Work): Promise<number> {
  let [code, last]: [number, Json | undefined] = [0, undefined];
  const nextInput = options.isNullInput ? singleNull() : (): Json | undefined => inputs.next();
  const pace = createPace(call.shell.clock);
  try {
    for (let input = nextInput(); input !== undefined; input = nextInput()) {
      try {
        for (const output of evaluator.evaluate(filter, input)) {
          last = output;
          call.out(printOutput(output, options));
          await pace();
          call.signal.throwIfAborted();
        }
      } catch (error) {
        if (!(error instanceof FilterError)) throw error;
        call.err(`jq: error (at ${inputs.place})${error.message}\n`);
        code = 5;
      }
      await pace();
    }
  } catch (error) {
    if (error instanceof HaltSignal) {
      call.err(error.text);
      return error.code;
    }
    if (!(error instanceof InputError)) throw error;
    call.err(`parse error: ${error.message}\n`);
    return 2;
  }
  if (code !== 0 || !options.hasExitStatus) return code;
  return last === undefined ? 4 : isTrue(last) ? 0 : 1;
}

/** The only input of `-n`. */
function singleNull(): () => Json | undefined {
  const inputs: Json[] = [null];
  return () => inputs.pop();
}

async function readFile(call: Invocation, name: string): Promise<string> {
  const content = await readInputFile(call, name);
  // Its absence has been reported.
  if (content === undefined) throw new UsageError('');
  return new TextDecoder().decode(content);
}

async function readVariables(call: Invocation, { named, namedFiles, positional }: JqOptions): Promise<ReadonlyMap<string, Json>> {
  const all: Record<string, Json> = { ...named };
  for (const [name, file, isRaw] of namedFiles) {
    const text = await readFile(call, file);
    all[name] = isRaw ? text : [...readValues(text)].map(({ value }) => value);
  }
  return new Map<string, Json>([
    ['ENV', Object.fromEntries(call.environment)],
    ...Object.entries(all),
    ['ARGS', { positional, named: all }],
  ]);
}
