import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import pg from 'pg'

export type Database = 'sqlite' | 'postgres'

/** The home and the database that one test process has for itself. */
export type Place = { TARMAC_HOME: string; DATABASE_URL: string; TEST_TEMPLATE?: string }

const HOME = process.env.TARMAC_HOME ?? 'tmp/test'

/** The databases of the workers, which are copies of a template that is migrated once. */
export class Databases {
  #made = new Set<string>()

  /**
   * @param postgres URL of a database whose server gets those of the workers; null for SQLite alone
   */
  constructor(private postgres: string | null) {}

  /** Migrates the template, of which each part gets a copy. */
  async prepare(database: Database): Promise<void> {
    if (database === 'postgres') await this.#make('template', null)
    const place = this.#place(database, 'template')
    rmSync(place.TARMAC_HOME, { recursive: true, force: true })
    const args = ['--import=./bin/typescript.js', 'tests/runner/prepare.ts']
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...place },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error('The database of the tests could not be migrated.')
  }

  /** Makes a fresh copy of the template for a worker. */
  async fresh(database: Database, worker: number): Promise<Place> {
    if (database === 'postgres') await this.#make(String(worker), 'template')
    const place = this.#place(database, String(worker))
    return { ...place, TEST_TEMPLATE: this.#place(database, 'template').TARMAC_HOME }
  }

  /** Returns the place of a worker for the suite `rules`, which needs no database. */
  none(worker: number): Place {
    return { TARMAC_HOME: `${HOME}-${worker}`, DATABASE_URL: '' }
  }

  async close(): Promise<void> {
    for (const each of ['template-sqlite', 'template-postgres']) {
      rmSync(`${HOME}-${each}`, { recursive: true, force: true })
    }
    await this.#ask([...this.#made].map((name) => `drop database if exists ${name} with (force)`))
  }

  #place(database: Database, use: string): Place {
    const TARMAC_HOME = use === 'template' ? `${HOME}-${use}-${database}` : `${HOME}-${use}`
    if (database === 'sqlite') return { TARMAC_HOME, DATABASE_URL: '' }
    const url = new URL(this.postgres!)
    url.pathname += `_${use}`
    return { TARMAC_HOME, DATABASE_URL: url.href }
  }

  async #make(use: string, template: string | null) {
    const name = this.#name(use)
    this.#made.add(name)
    await this.#ask([
      `drop database if exists ${name} with (force)`,
      `create database ${name}${template ? ` template ${this.#name(template)}` : ''}`,
    ])
  }

  #name(use: string): string {
    const name = decodeURIComponent(new URL(this.postgres!).pathname.slice(1))
    return pg.escapeIdentifier(`${name}_${use}`)
  }

  async #ask(statements: string[]) {
    if (statements.length === 0) return
    const client = new pg.Client({ connectionString: this.postgres! })
    await client.connect()
    try {
      for (const each of statements) await client.query(each)
    } finally {
      await client.end()
    }
  }
}

/** Returns why no server answers at an address; null if one does. */
export async function whyUnreachable(url: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    await client.end()
    return null
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code ?? message
  }
}
