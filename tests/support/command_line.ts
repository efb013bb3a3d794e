import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpackPacked } from './packed.js'
import { finished, serviceUrl, type Finished } from './processes.js'

type Environment = Record<string, string | undefined>

/** The command line as users have it: unpacked from its tarball, in a folder without other code. */
export class CommandLine {
  private constructor(
    readonly folder: string,
    /** The path of the tarball. */
    readonly tarball: string
  ) {}

  /** Builds, packs and unpacks the command line in a new folder. */
  static async install(): Promise<CommandLine> {
    const folder = mkdtempSync(join(tmpdir(), 'tarmac-cli-'))
    const unpacked = join(folder, 'package')
    mkdirSync(unpacked)
    const tarball = await unpackPacked('cli', folder, unpacked)
    return new CommandLine(folder, tarball)
  }

  /** The path of the unpacked program. */
  get program(): string {
    return join(this.folder, 'package/build/tarmac.js')
  }

  /** The path of the file with the keys of those who signed in. */
  get credentials(): string {
    return join(this.folder, 'config/tarmac/credentials.json')
  }

  /** Deletes the folder, with the configuration and state in it. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Deletes the configuration (who is signed in) and the state (uploads that have begun). */
  forget(): void {
    for (const each of ['config', 'state'])
      rmSync(join(this.folder, each), { recursive: true, force: true })
  }

  /** Returns the environment of the process: only `PATH` comes from the machine. */
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

  /** Starts the command line with arguments. */
  start(args: readonly string[], settings?: Environment): ChildProcess {
    return spawn(process.execPath, [this.program, ...args], {
      cwd: this.folder,
      env: this.env(settings),
    })
  }

  /** Runs the command line until it ends. */
  async run(args: readonly string[], settings?: Environment): Promise<Finished> {
    return finished(this.start(args, settings))
  }

  /** Starts the command line in a terminal; its standard output is what the terminal shows. */
  startInTerminal(args: readonly string[], settings?: Environment): ChildProcess {
    const line = [process.execPath, this.program, ...args].map((each) => `'${each}'`).join(' ')
    const env = { ...this.env(settings), TERM: 'xterm-256color' }
    return spawn('script', ['-qec', line, '/dev/null'], { cwd: this.folder, env })
  }

  /**
   * Runs the command line in a terminal, and returns what the terminal shows.
   * @throws if it fails
   */
  async inTerminal(args: readonly string[], settings?: Environment): Promise<string> {
    const { code, stdout } = await finished(this.startInTerminal(args, settings))
    if (code !== 0) throw new Error(`It exited with ${code}: ${stdout}`)
    return stdout
  }
}

/** Waits until the output of a process matches a pattern, and returns the match. */
export function waitForOutput(child: ChildProcess, pattern: RegExp): Promise<string> {
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
