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
 * a home of its own, against a fresh service. The page marks its blocks:
 *
 * - `sh run`: run by the shell, one after the other; a failure is one of the page
 * - `sh service`: goes on while the others run
 * - `text expect`: lines that the block before prints, in this order; `…` stands for anything
 *
 * Ports that a page chooses (4001, …) are others here, so that pages can be run side by side.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

interface Block {
  kind: 'run' | 'service' | 'expect'
  text: string
}

const FENCE = /^( *)```(?:sh|text) (run|service|expect)\n([^]*?)^\1```$/gm

/** The blocks of a page that are marked. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(FENCE)].map(([, margin, kind, text]) => ({
    kind: kind as Block['kind'],
    text: text.replace(new RegExp(`^${margin}`, 'gm'), ''),
  }))
}

const readPage = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** The page that others take their preparations from, by a link to its heading. */
const PREPARED = 'docs/how-to/README.md'
const IS_PREPARED = /README\.md#before-you-begin\)/
const START: Block = { kind: 'service', text: 'npm start' }

/** The blocks that a page needs to be run: its own after those that it refers to. */
function wholeOf(path: string): Block[] {
  const page = readPage(path)
  const own = blocksOf(page)
  if (path === PREPARED) return [START, ...own]
  return IS_PREPARED.test(page) ? [START, ...blocksOf(readPage(PREPARED)), ...own] : own
}

/** Runs a page. @throws for a block that fails, and for a line that is missing */
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
    await reader.read(await elsewhere(blocks))
  } finally {
    await reader.end()
    rmSync(around, { recursive: true })
  }
}

/** Blocks with free ports in the place of those that a page chooses. */
async function elsewhere(blocks: readonly Block[]): Promise<Block[]> {
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
      LIMIT_PER_SECOND: '1000',
      ...settings,
    }
  }

  end = () => this.#end()

  /** Runs blocks in their order, in one shell before the service is started and one after it. */
  async read(blocks: readonly Block[]): Promise<void> {
    const begin = blocks.findIndex(({ kind }) => kind === 'service')
    await this.#run(blocks.slice(0, Math.max(begin, 0)))
    if (begin >= 0) await this.#serve(blocks[begin].text)
    await this.#run(blocks.slice(begin + 1))
  }

  #spawn(script: string) {
    const child = spawn('bash', ['-c', script], {
      ...{ cwd: this.#folder, env: this.#env, detached: true },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return { child, said: collect(child), closed: once(child, 'close') }
  }

  async #run(blocks: readonly Block[]): Promise<void> {
    if (blocks.length === 0) return
    const END = '\u001e'
    const commands = blocks.filter(({ kind }) => kind === 'run')
    const script = commands.map(({ text }) => `${text}\nprintf '${END}'\n`).join('')
    const { said, closed } = this.#spawn(`set -eo pipefail\n${script}`)
    const [code] = (await closed) as [number]
    const printed = said.stdout.split(END)
    if (code !== 0) {
      const { text } = commands[printed.length - 1]
      throw new Error([`This fails (${code}):`, text, printed.at(-1), said.stderr].join('\n'))
    }
    let at = -1
    for (const block of blocks) {
      if (block.kind === 'run') at++
      else demandLines(block.text, printed[at])
    }
  }

  /** Starts the service, and takes the organization and the key from what it prints. */
  async #serve(command: string): Promise<void> {
    const { child, said, closed } = this.#spawn(command)
    this.#end = async () => {
      process.kill(-child.pid!, 'SIGTERM')
      await closed
    }
    for (let attempt = 0; attempt < 600; attempt++) {
      const [, org] = /organization +(org_\S+)/.exec(said.stdout) ?? []
      const [, key] = /API key +(tarmac_\S+)/.exec(said.stdout) ?? []
      if (org && key && /The reference page/.test(said.stdout)) {
        const tarmac = `http://127.0.0.1:${this.#env.PORT}`
        return void Object.assign(this.#env, { ORG: org, KEY: key, TARMAC: tarmac })
      }
      if (child.exitCode !== null) break
      await sleep(100)
    }
    throw new Error(`The service did not start: ${said.stderr}`)
  }
}

/** @throws where a text does not have lines in their order */
function demandLines(wanted: string, text: string): void {
  const lines = text.split('\n')
  for (const line of wanted.trimEnd().split('\n')) {
    const pattern = new RegExp(`^${line.split('…').map(RegExp.escape).join('.*')}$`)
    const at = lines.findIndex((each) => pattern.test(each))
    if (at < 0) throw new Error(`No line is "${line}" in what was printed:\n${text}`)
    lines.splice(0, at + 1)
  }
}
