/** The syntax tree of a shell line: the syntax that learners use (experience 1.3), not all of POSIX. */
export interface Script {
  readonly items: readonly ScriptItem[];
}

export interface ScriptItem {
  readonly chain: Chain;
  readonly background: boolean;
}

/** `a && b || c`. */
export interface Chain {
  readonly first: Pipeline;
  readonly rest: readonly { readonly operator: '&&' | '||'; readonly pipeline: Pipeline }[];
}

/** `! a | b`. */
export interface Pipeline {
  readonly negated: boolean;
  readonly commands: readonly ShellCommand[];
}

export type ShellCommand =
  | SimpleCommand
  | GroupCommand
  | ForCommand
  | CountCommand
  | LoopCommand
  | IfCommand
  | CaseCommand
  | ArithmeticCommand
  | ConditionCommand
  | FunctionCommand;

export interface SimpleCommand {
  readonly type: 'simple';
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
  /** `local x=1`: the command makes its assignments itself, after expansion. */
  readonly declares: boolean;
}

/** `name=…`, `name[index]=…`, `name+=…`. */
export interface Assignment {
  readonly name: string;
  readonly index: Word | undefined;
  readonly append: boolean;
  readonly value: Word | ElementList;
}

/** `(a b [key]=c)`. */
export interface ElementList {
  readonly elements: readonly { readonly index: Word | undefined; readonly value: Word }[];
}

export interface GroupCommand {
  readonly type: 'group';
  /** `( … )` instead of `{ …; }`: changes to variables and directory stay inside. */
  readonly subshell: boolean;
  readonly body: Script;
  readonly redirections: readonly Redirection[];
}

export interface ForCommand {
  readonly type: 'for';
  readonly variable: string;
  readonly words: readonly Word[];
  readonly body: Script;
  readonly redirections: readonly Redirection[];
}

/** `for ((i = 0; i < 3; i++))`. */
export interface CountCommand {
  readonly type: 'count';
  /** The text between the parentheses, with semicolons. */
  readonly header: Word;
  readonly body: Script;
  readonly redirections: readonly Redirection[];
}

export interface LoopCommand {
  readonly type: 'loop';
  /** `until` loops while the condition fails. */
  readonly until: boolean;
  readonly condition: Script;
  readonly body: Script;
  readonly redirections: readonly Redirection[];
}

export interface IfCommand {
  readonly type: 'if';
  readonly branches: readonly { readonly condition: Script; readonly body: Script }[];
  readonly otherwise: Script | undefined;
  readonly redirections: readonly Redirection[];
}

export interface CaseCommand {
  readonly type: 'case';
  readonly subject: Word;
  readonly branches: readonly { readonly patterns: readonly Word[]; readonly body: Script }[];
  readonly redirections: readonly Redirection[];
}

/** `(( … ))`. */
export interface ArithmeticCommand {
  readonly type: 'arithmetic';
  readonly expression: Word;
  readonly redirections: readonly Redirection[];
}

/** `[[ … ]]`: words and operators. */
export interface ConditionCommand {
  readonly type: 'condition';
  readonly tokens: readonly (Word | string)[];
  readonly redirections: readonly Redirection[];
}

export interface FunctionCommand {
  readonly type: 'function';
  readonly name: string;
  readonly body: ShellCommand;
}

export type Redirection =
  | { readonly type: 'file'; readonly descriptor: number; readonly mode: 'read' | 'write' | 'append'; readonly target: Word }
  | { readonly type: 'duplicate'; readonly descriptor: number; readonly from: number }
  | { readonly type: 'text'; readonly word: Word };

export type Word = readonly Part[];

export type Part =
  | { readonly type: 'text'; readonly text: string; readonly quoted: boolean }
  | Parameter
  | { readonly type: 'command'; readonly script: Script; readonly quoted: boolean }
  /** `<(…)`: a file with the script's output. */
  | { readonly type: 'process'; readonly script: Script; readonly quoted: boolean }
  | { readonly type: 'arithmetic'; readonly expression: Word; readonly quoted: boolean };

/** `$name`, `${name:-word}`, `${name[index]}`. */
export interface Parameter {
  readonly type: 'parameter';
  readonly name: string;
  readonly operator: string;
  readonly word: Word;
  readonly index?: Word;
  readonly quoted: boolean;
}
