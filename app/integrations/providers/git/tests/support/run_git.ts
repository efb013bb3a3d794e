import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Around {
  /** The whole environment. */
  env?: Readonly<Record<string, string | undefined>>
  cwd?: string
  input?: string | Buffer
}

/** Returns a word for the shell. */
const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`

/**
 * One small shell for each process of tests: a large process that begins a program has its page
 * tables copied, which takes longer than most git commands here. The shell reads commands from one
 * named pipe, reports their exit by another, and ends with this process.
 */
class Shell {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tarmac-shell-'))
  readonly #asking: number
  readonly #answers: number

  constructor() {
    const [asking, results] = [this.#path('asking'), this.#path('answers')]
    spawnSync('mkfifo', [asking, results])
    spawn('sh', [asking], { env: {}, cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] }).unref()
    this.#asking = openSync(asking, 'w')
    writeFileSync(this.#asking, `exec 3>${quoted(results)}\n`)
    this.#answers = openSync(results, 'r')
    process.once('exit', () => rmSync(this.#folder, { recursive: true, force: true }))
  }

  /** Runs a program to its end. */
  run(words: readonly string[], around: Around) {
    const { env = { PATH: process.env.PATH }, cwd = '/', input } = around
    const [stdin, stdout, stderr] = ['stdin', 'stdout', 'stderr'].map((name) => this.#path(name))
    if (input !== undefined) writeFileSync(stdin, input)
    const given = Object.entries(env).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${quoted(value)}`]
    )
    const from = input === undefined ? '/dev/null' : stdin
    const streams = `<${quoted(from)} >${quoted(stdout)} 2>${quoted(stderr)} 3>&-`
    const command = [...given, ...words.map(quoted)].join(' ')
    writeFileSync(this.#asking, `{ cd ${quoted(cwd)} && ${command}; } ${streams}; echo $? >&3\n`)
    const result = Buffer.alloc(16)
    const length = readSync(this.#answers, result)
    if (length === 0) throw new Error(`The shell of the tests ended at ${words.join(' ')}`)
    const status = Number(result.toString('latin1', 0, length))
    return { status, stdout: readFileSync(stdout), stderr: readFileSync(stderr) }
  }

  #path(name: string): string {
    return join(this.#folder, name)
  }
}

let shell: Shell | undefined

/** Runs git and waits for it, as `spawnSync` does; a signal is 128 and its number. */
export function runGit(words: readonly string[], around: Around = {}) {
  return (shell ??= new Shell()).run(['git', ...words], around)
}
