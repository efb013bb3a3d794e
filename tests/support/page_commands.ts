import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { collect, freePort } from './processes.js'

/*
 * Runs the commands of a page of docs as a reader would: in a folder that looks like a clone, with
 * a home of its own, against a fresh service with the default settings. The page marks its blocks:
 *
 * - `sh run`: commands for the shell, in order; the page fails if one of them does
 * - `sh service`: runs in the background of the others
 * - `text expect`: lines that the block before prints, in this order; `…` matches any text
 *
 * Ports that a page names (4001, …) are replaced by free ones, so that pages can run in parallel.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

interface Block {
  kind: 'run' | 'service' | 'expect'
  text: string
}

const FENCE = /^( *)```(?:sh|text) (run|service|expect)\n([^]*?)^\1```$/gm

/** Returns the marked blocks of a page. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(FENCE)].map(([, margin, kind, text]) => ({
    kind: kind as Block['kind'],
    text: text.replace(new RegExp(`^${margin}`, 'gm'), ''),
  }))
}

const readPage = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** The page with the preparations of others, which link to its heading. */
const PREPARED = 'docs/how-to/README.md'
const IS_PREPARED = /README\.md#before-you-begin\)/
/** A link of a page that needs a running service alone. */
const IS_STARTED = /\(first-release\.md#1-start\)/
const START: Block = { kind: 'service', text: 'npm start' }

/** Returns the blocks to run for a page: the preparations that it refers to, then its own. */
function wholeOf(path: string): Block[] {
  const page = readPage(path)
  const own = blocksOf(page)
  if (path === PREPARED) return [START, ...own]
  if (IS_STARTED.test(page)) return [START, ...own]
  return IS_PREPARED.test(page) ? [START, ...blocksOf(readPage(PREPARED)), ...own] : own
}

/** Runs a page. @throws if a block fails or an expected line is missing */
export const runPage = (path: string): Promise<void> => runBlocks(wholeOf(path))

/** Runs blocks in a folder and a home of their own. */
export async function runBlocks(blocks: readonly Block[]): Promise<void> {
  const around = mkdtempSync(join(tmpdir(), 'tarmac-page-'))
  const folder = join(around, 'tarmac')
  const home = join(folder, 'storage')
  mkdirSync(home, { recursive: true })
  // The files of a clone; commands write beside them.
  for (const name of readdirSync(ROOT)) {
    if (!['.git', '.env', 'storage', 'tmp', 'build'].includes(name)) {
      symlinkSync(join(ROOT, name), join(folder, name))
    }
  }
  const reader = new Reader(folder, { TARMAC_HOME: home, PORT: String(await freePort()) })
  try {
    await reader.read(await withFreePorts(blocks))
  } finally {
    await reader.end()
    rmSync(around, { recursive: true })
  }
}

/** Replaces the ports that a page names by free ones. */
async function withFreePorts(blocks: readonly Block[]): Promise<Block[]> {
  const PORT = /\b400\d\b/g
  const free = new Map<string, number>()
  for (const port of blocks.flatMap(({ text }) => text.match(PORT) ?? [])) {
    if (!free.has(port)) free.set(port, await freePort())
  }
  return blocks.map((block) => ({
    ...block,
    text: block.text.replace(PORT, (port) => String(free.get(port))),
  }))
}

class Reader {
  readonly #folder: string
  readonly #env: Record<string, string>
  #end: () => Promise<void> = async () => {}

  constructor(folder: string, settings: Record<string, string>) {
    this.#folder = folder
    this.#env = {
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      HOME: process.env.HOME ?? folder,
      ...settings,
    }
  }

  end = () => this.#end()

  /** Runs blocks in order: one shell for those before the service starts, one for those after. */
  async read(blocks: readonly Block[]): Promise<void> {
    const begin = blocks.findIndex(({ kind }) => kind === 'service')
    await this.#run(blocks.slice(0, Math.max(begin, 0)))
    if (begin >= 0) await this.#serve(blocks[begin].text)
    await this.#run(blocks.slice(begin + 1))
  }

  #spawn(script: string) {
    const child = spawn('bash', ['-c', script], {
      cwd: this.#folder,
      env: this.#env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return { child, output: collect(child), closed: once(child, 'close') }
  }

  async #run(blocks: readonly Block[]): Promise<void> {
    if (blocks.length === 0) return
    const END = '\u001e'
    const commands = blocks.filter(({ kind }) => kind === 'run')
    const script = commands.map(({ text }) => `${text}\nprintf '${END}'\n`).join('')
    const { output, closed } = this.#spawn(`set -eo pipefail\n${script}`)
    const [code] = (await closed) as [number]
    const printed = output.stdout.split(END)
    if (code !== 0) {
      const { text } = commands[printed.length - 1]
      throw new Error([`This fails (${code}):`, text, printed.at(-1), output.stderr].join('\n'))
    }
    let at = -1
    for (const block of blocks) {
      if (block.kind === 'run') at++
      else requireLines(block.text, printed[at])
    }
  }

  /** Starts the service, and takes the organization and the key from what it prints. */
  async #serve(command: string): Promise<void> {
    const { child, output, closed } = this.#spawn(command)
    this.#end = async () => {
      process.kill(-child.pid!, 'SIGTERM')
      await closed
    }
    for (let attempt = 0; attempt < 600; attempt++) {
      const [, org] = /organization +(org_\S+)/.exec(output.stdout) ?? []
      const [, key] = /API key +(tarmac_\S+)/.exec(output.stdout) ?? []
      if (org && key && /The reference page/.test(output.stdout)) {
        const tarmac = `http://127.0.0.1:${this.#env.PORT}`
        return void Object.assign(this.#env, { ORG: org, KEY: key, TARMAC: tarmac })
      }
      if (child.exitCode !== null) break
      await sleep(100)
    }
    throw new Error(`The service did not start: ${output.stderr}`)
  }
}

/** @throws unless a text has the wanted lines in their order */
function requireLines(wanted: string, text: string): void {
  const lines = text.split('\n')
  for (const line of wanted.trimEnd().split('\n')) {
    const pattern = new RegExp(`^${line.split('…').map(RegExp.escape).join('.*')}$`)
    const at = lines.findIndex((each) => pattern.test(each))
    if (at < 0) throw new Error(`No line is "${line}" in what was printed:\n${text}`)
    lines.splice(0, at + 1)
  }
}
