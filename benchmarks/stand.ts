import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import pg from 'pg'
import { Api } from './api.js'
import { start, type Measured } from './processes.js'

export type DatabaseKind = 'sqlite' | 'postgres'

/** The names of the databases in figures. */
export const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** The store of request counts: in memory, or the default without Redis. */
export type LimitStore = 'memory' | 'default'

/** The database of the PostgreSQL parts; **its public schema is emptied**. */
export const POSTGRES_URL = process.env.BENCH_DATABASE_URL ?? ''

/** SQLite's synchronous mode, for the service and the fair server alike. */
const SYNCHRONOUS = (process.env.BENCH_SYNCHRONOUS ?? 'full').toUpperCase()

const TYPESCRIPT = '--import=./bin/typescript.js'

/** Settings of the service, with limits out of the way. */
const SETTINGS = {
  NODE_ENV: 'production',
  LIMIT_PER_SECOND: '1000000',
  LIMIT_PER_DAY: '1000000000',
  REDIS_URL: '',
  SQLITE_SYNCHRONOUS: SYNCHRONOUS,
}

/** A home and an empty database of one measurement, and the servers started on them. */
export class Stand {
  readonly home = mkdtempSync(join(tmpdir(), 'tarmac-bench-'))
  readonly #servers: Measured[] = []

  private constructor(
    readonly database: DatabaseKind,
    private readonly limits: LimitStore
  ) {}

  /**
   * Runs work on a stand of its own, and removes the stand afterwards, also if the work fails.
   * Requests are counted in memory by default, as a single process serves them.
   */
  static async use<Result>(
    database: DatabaseKind,
    work: (stand: Stand) => Promise<Result>,
    limits: LimitStore = 'memory'
  ): Promise<Result> {
    const stand = new Stand(database, limits)
    try {
      if (database === 'postgres') await emptyPostgres()
      return await work(stand)
    } finally {
      for (const server of stand.#servers) await server.stop()
      rmSync(stand.home, { recursive: true, force: true })
    }
  }

  get sqliteFile(): string {
    return join(this.home, 'tarmac.sqlite')
  }

  /** The service itself, with limits out of the way. */
  async service(settings: Record<string, string> = {}): Promise<Measured> {
    const environment = { ...this.#environment, ...settings }
    return this.#kept(await start(['--max-semi-space-size=8', 'bin/start.js'], environment))
  }

  /**
   * Starts the service for the first time; answers it with its organization and first admin key.
   */
  async firstService(settings: Record<string, string> = {}) {
    const service = await this.service(settings)
    for (;;) {
      const key = /API key\s+(\S+)/.exec(service.printed())?.[1]
      const organizationId = /organization\s+(org_\S+)/.exec(service.printed())?.[1]
      if (key && organizationId) return { service, api: new Api(service.base, key), organizationId }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  /** Starts the bare or the fair server on the service's database, which must be migrated. */
  async reference(name: 'bare' | 'fair'): Promise<Measured> {
    const environment: Record<string, string> =
      this.database === 'sqlite'
        ? { BENCH_SQLITE_FILE: this.sqliteFile, BENCH_SYNCHRONOUS: SYNCHRONOUS }
        : { BENCH_SQLITE_FILE: '', BENCH_DATABASE_URL: POSTGRES_URL }
    const settings = { NODE_ENV: 'production', ...environment }
    return this.#kept(await start([TYPESCRIPT, `benchmarks/${name}_server.ts`], settings))
  }

  /** Starts a server that writes request bodies to files in the home of this stand. */
  stream(): Promise<Measured> {
    return this.#receiver('stream')
  }

  /** Starts a server of resumable uploads with its files in the home of this stand. */
  tus(): Promise<Measured> {
    return this.#receiver('tus')
  }

  async #receiver(name: 'stream' | 'tus'): Promise<Measured> {
    const settings = { NODE_ENV: 'production', BENCH_FOLDER: this.home }
    return this.#kept(await start([TYPESCRIPT, `benchmarks/${name}_server.ts`], settings))
  }

  /** Runs a console command; answers its document. */
  async console<Document>(...args: string[]): Promise<Document> {
    const env = { ...process.env, ...this.#environment }
    const command = ['ace.js', ...args, '--json']
    const { stdout } = await promisify(execFile)(process.execPath, command, { env })
    return JSON.parse(stdout) as Document
  }

  /** Runs a program of the benchmarks on this home; answers the JSON that it prints last. */
  async program<Document>(file: string): Promise<Document> {
    const env = { ...process.env, ...this.#environment }
    const options = { env, maxBuffer: 16 * 1024 * 1024 }
    const { stdout } = await promisify(execFile)(process.execPath, [TYPESCRIPT, file], options)
    return JSON.parse(stdout.trim().split('\n').at(-1)!) as Document
  }

  /** The number that a `select count(*)` answers. */
  async count(sql: string): Promise<number> {
    if (this.database === 'sqlite') {
      const file = new Database(this.sqliteFile, { readonly: true })
      const counted = file.prepare(sql).pluck().get() as number
      file.close()
      return counted
    }
    const client = await connected()
    const { rows } = await client.query(sql)
    await client.end()
    return Number(rows[0].count)
  }

  get #environment(): Record<string, string> {
    const DATABASE_URL = this.database === 'sqlite' ? '' : POSTGRES_URL
    const LIMIT_STORE = this.limits === 'default' ? '' : this.limits
    return { ...SETTINGS, LIMIT_STORE, TARMAC_HOME: this.home, DATABASE_URL }
  }

  #kept(server: Measured): Measured {
    this.#servers.push(server)
    return server
  }
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: POSTGRES_URL })
  await client.connect()
  return client
}

/** @throws unless the name of the database contains `bench` */
async function emptyPostgres(): Promise<void> {
  const client = await connected()
  if (!client.database?.includes('bench')) {
    await client.end()
    throw new Error(`The name of the PostgreSQL database must contain "bench": it is emptied.`)
  }
  await client.query('drop schema public cascade; create schema public')
  await client.end()
}
