import type { Connection } from '../../network/index.ts';
import { globToRegExp } from '../../shell/index.ts';
import { dataCommands, hasArity, takeFrom } from './commands.ts';
import { CommandFailure } from './database.ts';
import type { RedisInstance, Subscriber } from './redis-instance.ts';
import { bytesOf, ErrorReply, formatReply, ok, ProtocolError, type Reply, RespReader, SimpleString } from './resp.ts';
import { serverInfo } from './server-info.ts';
import { redisVersion } from './version.ts';

/** `undefined`: the reply was sent, or none is due. */
type SessionReply = Reply | undefined | Promise<Reply | undefined>;

/** A connection of a client. */
export class ClientSession implements Subscriber {
  readonly #connection: Connection;
  readonly #instance: RedisInstance;
  readonly #channels = new Set<string>();
  readonly #patterns = new Set<string>();
  #isAuthenticated: boolean;
  #database = 0;
  #name = '';
  /** The commands after MULTI. */
  #queue: (readonly string[])[] | undefined;
  #isOpen = true;

  constructor(connection: Connection, instance: RedisInstance) {
    this.#connection = connection;
    this.#instance = instance;
    this.#isAuthenticated = instance.config.get('requirepass') === '';
  }

  /** Serves until one of both ends closes the connection. */
  async serve(): Promise<void> {
    const instance = this.#instance;
    instance.clients.add(this);
    instance.connectionsReceived++;
    const reader = new RespReader(this.#connection.source);
    try {
      for (let words = await reader.command(); words && this.#isOpen; words = await reader.command()) {
        if (words.length === 0) continue;
        const reply = await this.#reply(words);
        if (reply !== undefined) await this.#send(reply);
        await instance.process.container.pause();
        if (!this.#isOpen) break;
      }
    } catch (error) {
      if (error instanceof ProtocolError) await this.#send(new ErrorReply(`ERR ${error.message}`)).catch(() => {});
      // Otherwise the client has closed the connection.
    } finally {
      this.#isOpen = false;
      instance.clients.delete(this);
      instance.subscribers.delete(this);
      await this.#connection.sink.close();
    }
  }

  /** Sends a message of a channel, if this client is subscribed. */
  deliver(channel: string, message: string): boolean {
    const pattern = [...this.#patterns].find((one) => globToRegExp(one).test(channel));
    if (this.#channels.has(channel)) void this.#send(['message', channel, message]).catch(() => {});
    if (pattern !== undefined) void this.#send(['pmessage', pattern, channel, message]).catch(() => {});
    return pattern !== undefined || this.#channels.has(channel);
  }

  #send(reply: Reply): Promise<void> {
    return this.#connection.sink.write(bytesOf(formatReply(reply)));
  }

  async #reply([word = '', ...args]: readonly string[]): Promise<Reply | undefined> {
    const name = word.toUpperCase();
    this.#instance.commandsProcessed++;
    if (!this.#isAuthenticated && !/^(?:AUTH|HELLO|QUIT)$/.test(name)) return new ErrorReply('NOAUTH Authentication required.');
    const isControl = /^(?:MULTI|EXEC|DISCARD|QUIT)$/.test(name);
    if (this.#queue && !isControl) {
      this.#queue.push([word, ...args]);
      return new SimpleString('QUEUED');
    }
    return this.#run(name, word, args);
  }

  async #run(name: string, word: string, args: readonly string[]): Promise<Reply | undefined> {
    try {
      const own = Object.hasOwn(this.#commands, name) ? this.#commands[name] : undefined;
      if (own) return await own(args);
      const command = Object.hasOwn(dataCommands, name) ? dataCommands[name] : undefined;
      if (!command) {
        const shown = args.map((arg) => `'${arg}' `).join('');
        return new ErrorReply(`ERR unknown command '${word}', with args beginning with: ${shown}`);
      }
      if (!hasArity(command.arity, args)) return new ErrorReply(`ERR wrong number of arguments for '${name.toLowerCase()}' command`);
      const { env } = this.#instance.process.container;
      const reply = command.run(args, {
        database: this.#data,
        nowMs: this.#instance.nowMs,
        random: (limit) => env.random.integer(Math.max(1, limit)),
      });
      if (command.writes) this.#instance.changed();
      return reply;
    } catch (error) {
      if (error instanceof CommandFailure) return error.reply;
      throw error;
    }
  }

  get #data() {
    const database = this.#instance.database(this.#database);
    if (!database) throw new CommandFailure('ERR DB index is out of range');
    return database;
  }

  /** The commands of connections and of the server. */
  readonly #commands: Readonly<Record<string, (args: readonly string[]) => SessionReply>> = {
    PING: ([text]) => text ?? new SimpleString('PONG'),
    ECHO: ([text = '']) => text,
    AUTH: (args) => this.#authenticate(args),
    HELLO: ([version = '2']) =>
      version === '2'
        ? ['server', 'redis', 'version', redisVersion, 'proto', 2, 'id', 1, 'mode', 'standalone', 'role', 'master', 'modules', []]
        : new ErrorReply('NOPROTO unsupported protocol version'),
    SELECT: ([index]) => {
      if (!this.#instance.database(Number(index))) return new ErrorReply('ERR DB index is out of range');
      this.#database = Number(index);
      return ok;
    },
    QUIT: () => {
      this.#isOpen = false;
      return ok;
    },
    MULTI: () => {
      if (this.#queue) return new ErrorReply('ERR MULTI calls can not be nested');
      this.#queue = [];
      return ok;
    },
    EXEC: () => this.#execute(),
    DISCARD: () => {
      if (!this.#queue) return new ErrorReply('ERR DISCARD without MULTI');
      this.#queue = undefined;
      return ok;
    },
    CLIENT: ([action = '', value = '']) => this.#client(action.toUpperCase(), value),
    COMMAND: ([action]) => (action?.toUpperCase() === 'COUNT' ? Object.keys(dataCommands).length : []),
    CONFIG: (args) => this.#configure(args),
    INFO: ([section = '']) => serverInfo(this.#instance, section.toLowerCase()),
    ROLE: () => ['master', 0, []],
    TIME: () => [String(Math.floor(this.#instance.nowMs / 1_000)), String((this.#instance.nowMs % 1_000) * 1_000)],
    FLUSHALL: () => {
      this.#instance.clear();
      this.#instance.changed();
      return ok;
    },
    SAVE: () => this.#save(ok),
    BGSAVE: () => this.#save(new SimpleString('Background saving started')),
    LASTSAVE: () => Math.floor(this.#instance.lastSaveMs / 1_000),
    SHUTDOWN: () => {
      this.#instance.onShutdown();
      return undefined;
    },
    PUBLISH: ([channel = '', message = '']) => this.#instance.publish(channel, message),
    SUBSCRIBE: (channels) => this.#subscribe('subscribe', channels, (one) => this.#channels.add(one)),
    PSUBSCRIBE: (patterns) => this.#subscribe('psubscribe', patterns, (one) => this.#patterns.add(one)),
    UNSUBSCRIBE: (channels) =>
      this.#subscribe('unsubscribe', channels.length > 0 ? channels : [...this.#channels], (one) => this.#channels.delete(one)),
    PUNSUBSCRIBE: (patterns) =>
      this.#subscribe('punsubscribe', patterns.length > 0 ? patterns : [...this.#patterns], (one) => this.#patterns.delete(one)),
    BLPOP: (args) => this.#blockingPop('left', args),
    BRPOP: (args) => this.#blockingPop('right', args),
  };

  #authenticate(args: readonly string[]): Reply {
    const password = this.#instance.config.get('requirepass');
    if (args.length < 1 || args.length > 2) return new ErrorReply("ERR wrong number of arguments for 'auth' command");
    if (password === '' && args.length === 1)
      return new ErrorReply(
        'ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?',
      );
    const [user, given] = args.length === 2 ? args : ['default', args[0]];
    if (user !== 'default' || (password !== '' && given !== password))
      return new ErrorReply('WRONGPASS invalid username-password pair or user is disabled.');
    this.#isAuthenticated = true;
    return ok;
  }

  async #execute(): Promise<Reply> {
    const queue = this.#queue;
    if (!queue) return new ErrorReply('ERR EXEC without MULTI');
    this.#queue = undefined;
    const replies: Reply[] = [];
    for (const [word = '', ...args] of queue) replies.push((await this.#run(word.toUpperCase(), word, args)) ?? null);
    return replies;
  }

  #client(action: string, value: string): Reply {
    if (action === 'GETNAME') return this.#name === '' ? null : this.#name;
    if (action === 'ID') return [...this.#instance.clients].indexOf(this) + 1;
    if (action === 'LIST') {
      const { address, port } = this.#connection.remote;
      return `id=1 addr=${address}:${port} name=${this.#name} db=${this.#database}\n`;
    }
    if (action === 'SETNAME') this.#name = value;
    return ok;
  }

  #configure([action = '', ...args]: readonly string[]): Reply {
    const { config } = this.#instance;
    if (action.toUpperCase() === 'GET') {
      const patterns = args.map((arg) => globToRegExp(arg.toLowerCase()));
      return [...config].filter(([name]) => patterns.some((pattern) => pattern.test(name))).flat();
    }
    if (action.toUpperCase() !== 'SET') return ok;
    const [name = '', value = ''] = args;
    if (!config.has(name.toLowerCase())) return new ErrorReply(`ERR Unknown option or number of arguments for CONFIG SET - '${name}'`);
    config.set(name.toLowerCase(), value);
    return ok;
  }

  #save(done: Reply): Reply {
    return this.#instance.save() === undefined ? done : new ErrorReply('ERR');
  }

  /** One reply for each channel, with the number of subscriptions after it. */
  async #subscribe(kind: string, names: readonly string[], change: (name: string) => void): Promise<undefined> {
    for (const name of names) {
      change(name);
      const size = this.#channels.size + this.#patterns.size;
      if (size === 0) this.#instance.subscribers.delete(this);
      else this.#instance.subscribers.add(this);
      await this.#send([kind, name, size]);
    }
    return undefined;
  }

  /** Takes an element of the first list that has one, and waits for it until the timeout in seconds is over; 0: for ever. */
  #blockingPop(end: 'left' | 'right', args: readonly string[]): Promise<Reply> {
    const [keys, seconds] = [args.slice(0, -1), Number(args.at(-1))];
    if (keys.length === 0)
      return Promise.resolve(new ErrorReply(`ERR wrong number of arguments for '${end === 'left' ? 'blpop' : 'brpop'}' command`));
    if (!Number.isFinite(seconds) || seconds < 0) return Promise.resolve(new ErrorReply('ERR timeout is not a float or out of range'));
    const { process } = this.#instance;
    const database = this.#data;
    return new Promise((resolve) => {
      const attempt = (): boolean => {
        const key = keys.find((one) => database.typeOf(one) === 'list');
        if (key !== undefined) resolve([key, ...takeFrom(end, key, 1, database)]);
        return key !== undefined || !this.#isOpen;
      };
      if (attempt()) return;
      const stop = this.#instance.wait(attempt);
      if (seconds > 0)
        process.container.env.clock.schedule(seconds * 1_000, () => {
          stop();
          resolve(null);
        });
    });
  }
}
