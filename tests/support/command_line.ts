import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { VERSION } from '../../packages/cli/version.js'
import { finished, serviceUrl, type Finished } from './processes.js'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

type Environment = Record<string, string | undefined>

/** The command line as users have it: unpacked from its tarball where nothing else is installed. */
export class CommandLine {
  private constructor(readonly folder: string) {}

  /** Builds, packs and unpacks it. */
  static async install(): Promise<CommandLine> {
    const folder = mkdtempSync(join(tmpdir(), 'tarmac-cli-'))
    await run(process.execPath, ['packages/cli/build.js'], { cwd: ROOT })
    const packing = ['pack', '--silent', '-w', 'packages/cli', '--pack-destination', folder]
    const { stdout } = await run('npm', packing, { cwd: ROOT })
    await run('tar', ['xzf', join(folder, stdout.trim()), '-C', folder])
    return new CommandLine(folder)
  }

  /** Path of the tarball. */
  get packed(): string {
    return join(this.folder, `tarmac-cli-${VERSION}.tgz`)
  }

  get program(): string {
    return join(this.folder, 'package/build/tarmac.js')
  }

  get credentials(): string {
    return join(this.folder, 'config/tarmac/credentials.json')
  }

  /** Deletes it with its configuration and state. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Deletes its configuration (who is signed in) and state (what has begun). */
  forget(): void {
    for (const each of ['config', 'state'])
      rmSync(join(this.folder, each), { recursive: true, force: true })
  }

  /** Its environment: only `PATH` comes from the machine. */
  env(settings: Environment = {}): Record<string, string> {
    const { PATH } = process.env
    const own = { TARMAC_URL: serviceUrl(), ...settings }
    const folders = {
      HOME: this.folder,
      XDG_CONFIG_HOME: join(this.folder, 'config'),
      XDG_STATE_HOME: join(this.folder, 'state'),
    }
    return Object.fromEntries(
      Object.entries({ PATH, ...folders, ...own }).filter((each): each is [string, string] =>
        Boolean(each[1])
      )
    )
  }

  start(args: readonly string[], settings?: Environment): ChildProcess {
    return spawn(process.execPath, [this.program, ...args], {
      cwd: this.folder,
      env: this.env(settings),
    })
  }

  /** Runs it and waits for its end. */
  async run(args: readonly string[], settings?: Environment): Promise<Finished> {
    return finished(this.start(args, settings))
  }

  /** Runs it in a terminal; answers what that shows. */
  async inTerminal(args: readonly string[], settings?: Environment): Promise<string> {
    const line = [process.execPath, this.program, ...args].map((each) => `'${each}'`).join(' ')
    const env = { ...this.env(settings), TERM: 'xterm-256color' }
    const { stdout } = await run('script', ['-qec', line, '/dev/null'], { cwd: this.folder, env })
    return stdout
  }
}

/** Waits until the output of a process matches a pattern; answers the match. */
export function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk) => {
        const [found] = pattern.exec((text += chunk)) ?? []
        if (found !== undefined) resolve(found)
      })
    }
    child.on('close', () => reject(new Error(`It printed nothing like ${pattern}: ${text}`)))
  })
}
