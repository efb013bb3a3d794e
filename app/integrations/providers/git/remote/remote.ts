import type { PluginContext } from '#plugin-kit/context'
import { Redaction } from '#plugin-kit/port/redaction'
import { ProviderError, type ProviderErrorCode } from '#plugin-kit/provider_error'
import { GitFailure, protocolError, remoteError } from '../program/failures.js'
import { GitProgram, type Finished, type Running } from '../program/git_program.js'
import { openAccess, type Access } from './access.js'
import { addressOf, parseBase, type Base } from './base.js'
import { versionOf } from './folder_version.js'
import { requireNoHooks, requirePlain, findPathRepository } from './path_repository.js'

/** Environment of every run: no prompts, nothing of a repository is executed or followed. */
const ENVIRONMENT = {
  LC_ALL: 'C',
  HOME: '/nonexistent',
  XDG_CONFIG_HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_PROTOCOL_FROM_USER: '0',
}

const CONFIG = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'core.alternateRefsCommand=:',
  'core.protectHFS=true',
  'core.protectNTFS=true',
  'core.askPass=',
  'credential.helper=',
  'http.followRedirects=false',
  'http.sslVerify=true',
  // A server that says nothing is left after this many seconds, also when nobody is there to wait.
  'http.lowSpeedLimit=1',
  'http.lowSpeedTime=300',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'i18n.logOutputEncoding=UTF-8',
  'log.showSignature=false',
  'protocol.allow=never',
]

/** The same for git as the server of a folder on this machine, before the folder's own settings. */
const SERVER_CONFIG = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.alternateRefsCommand=:',
  'receive.denyCurrentBranch=refuse',
  'receive.autogc=false',
  'gc.auto=0',
]

/** The result of a push. */
export type Pushed = 'done' | 'stale'

/** A change of one ref: what it is meant to be now, null for absent, and what it becomes. */
export interface RefChange {
  ref: string
  from: string | null
  to: string
}

/** Refs of folders by query. */
const listed = new Map<string, { version: string; refs: ReadonlyMap<string, string> }>()
const MAX_LISTED = 1000

/** One repository at its server, as a connection gets at it. */
export class Remote {
  private constructor(
    private readonly ctx: PluginContext,
    readonly git: GitProgram,
    readonly address: string,
    private readonly access: Access,
    /** The folder of a repository on this machine. */
    private readonly folder: string | null,
    /** `ssh://git.acme.example:2222`; null for a folder. */
    private readonly origin: string | null,
    private readonly server: string
  ) {}

  /**
   * Opens the repository that the integration's data names.
   * @throws ProviderError `invalid`, `notFound`, `forbidden`
   */
  static async open(ctx: PluginContext, repoName: unknown): Promise<Remote> {
    const base = parseBase(String(ctx.connection.baseUrl ?? ''))
    const address = addressOf(base, typeof repoName === 'string' ? repoName : '')
    const folder = base.scheme === 'file' ? await findPathRepository(base.path, address) : null
    const access = await openAccess(ctx, base)
    const git = gitOf(ctx, base, access)
    if (folder !== null) await requirePlain(git, folder)
    const trusted = ctx.connection.trustOwners === true ? ['safe.directory=*'] : []
    const server = ['git', ...[...SERVER_CONFIG, ...trusted].flatMap((each) => ['-c', `'${each}'`])]
    const origin = base.scheme === 'file' ? null : base.origin
    return new Remote(ctx, git, folder ?? address, access, folder, origin, server.join(' '))
  }

  close(): Promise<void> {
    return this.access.close()
  }

  /**
   * Returns the version of a folder, if no change can be overlooked; null for other remotes. A
   * process with other access to the folder gets another version.
   */
  async version(): Promise<string | null> {
    const version = this.folder === null ? null : await versionOf(this.folder)
    return version?.isSettled ? `${this.server}\n${version.text}` : null
  }

  /**
   * Refs as they are now, with `^{}` for what annotated tags stand for.
   * @throws ProviderError
   */
  async refs(...wanted: string[]): Promise<Map<string, string>> {
    const version = await this.version()
    const key = [this.address, ...wanted].join('\0')
    const kept = listed.get(key)
    if (kept && kept.version === version) return new Map(kept.refs)
    const refs = await this.#list(wanted)
    if (listed.size >= MAX_LISTED) listed.clear()
    if (version !== null) listed.set(key, { version, refs: new Map(refs) })
    return refs
  }

  async #list(wanted: readonly string[]): Promise<Map<string, string>> {
    const command = ['ls-remote', '--quiet', ...this.#uploadPack(), '--end-of-options']
    try {
      const { stdout } = await this.#ask('LIST', [...command, this.address, ...wanted])
      const lines = stdout.toString('utf8').split('\n').filter(Boolean)
      return new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.split('\t')[0]]))
    } catch (error) {
      throw reported(error)
    }
  }

  /**
   * Brings all branches and tags into a mirror.
   * @throws GitFailure when nothing known was said, ProviderError
   */
  async fetchInto(mirror: string): Promise<void> {
    const flags = ['--quiet', '--prune', '--force', '--no-tags', '--no-write-fetch-head']
    const refs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']
    const command = ['fetch', ...flags, '--no-auto-maintenance', '--recurse-submodules=no']
    try {
      await this.#ask(
        'FETCH',
        [...command, ...this.#uploadPack(), '--end-of-options', this.address, ...refs],
        { env: { GIT_DIR: mirror } }
      )
    } catch (error) {
      throw (error instanceof GitFailure && remoteError(error, 'notApplied')) || error
    }
  }

  /**
   * Changes one ref if it still is what it is meant to be. A push whose answer is lost is looked
   * at again: `stale` and `done` are what the remote says.
   * @throws ProviderError; `unknown` when the remote does not answer any more
   */
  async push(mirror: string, change: RefChange): Promise<Pushed> {
    if (this.folder !== null) await requireNoHooks(this.git, this.folder)
    const { ref, from, to } = change
    const flags = ['--porcelain', '--atomic', '--no-verify', '--no-signed', '--no-follow-tags']
    const lease = `--force-with-lease=${ref}:${from ?? ''}`
    const command = ['push', ...flags, '--recurse-submodules=no', lease, ...this.#receivePack()]
    try {
      const { code, stdout, stderr } = await this.#ask(
        'PUSH',
        [...command, '--end-of-options', this.address, `${to}:${ref}`],
        { env: { GIT_DIR: mirror }, outcome: 'unknown', expected: [0, 1] }
      )
      const result = this.git.redact(stdout.toString('utf8'))
      if (code === 0) return 'done'
      if (/^!\t[^\n]*\[rejected\] \((stale info|fetch first|non-fast-forward)\)/m.test(result)) {
        return 'stale'
      }
      const said = /^!\t[^\n]*\[remote rejected\] \(([^\n]*)\)/m.exec(result)?.[1]
      if (said !== undefined) return await this.#afterRefusal(change, said)
      throw new GitFailure('push', code, `${stderr}\n${result}`)
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error
      return this.#afterFailure(change, error)
    }
  }

  /**
   * Returns whether the remote would accept a push, without pushing.
   * @param folder an empty one, for a repository to push from
   */
  async mayPush(folder: string): Promise<boolean> {
    const flags = ['--quiet', '--bare', '--template=', '--initial-branch=main']
    const nothing = ':refs/heads/tarmac-probe'
    const command = ['push', '--dry-run', '--porcelain', ...this.#receivePack()]
    try {
      if (this.folder !== null) await requireNoHooks(this.git, this.folder)
      await this.git.run(['init', ...flags, '--end-of-options', folder])
      await this.#ask('PUSH', [...command, '--end-of-options', this.address, nothing], {
        env: { GIT_DIR: folder },
        // It exits with 1 if there is no such branch to remove, which was the question.
        expected: [0, 1],
      })
      return true
    } catch (error) {
      const failure = reported(error)
      if (failure instanceof ProviderError && failure.code === 'forbidden') return false
      throw failure
    }
  }

  /** The remote rejected the push; somebody may have been faster than the lease could show. */
  async #afterRefusal({ ref, from, to }: RefChange, said: string): Promise<Pushed> {
    const now = (await this.refs(ref)).get(ref) ?? null
    if (now === to) return 'done'
    if (now !== from) return 'stale'
    const message = `The remote refuses ${ref}: ${said.replace(/[\p{Cc}\p{Cf}]/gu, ' ')}`
    throw new ProviderError('forbidden', message.slice(0, 300), {
      outcome: 'notApplied',
      reason: 'refused',
    })
  }

  /** Nobody knows whether a push that failed came through: the ref itself is asked. */
  async #afterFailure({ ref, to }: RefChange, failure: GitFailure): Promise<Pushed> {
    const error = remoteError(failure, 'unknown') ?? protocolError(failure, 'unknown')
    if (['unauthorized', 'forbidden', 'notFound', 'preconditionFailed'].includes(error.code)) {
      throw new ProviderError(error.code, error.message, { ...error.detail, outcome: 'notApplied' })
    }
    const now = await this.refs(ref).catch(() => null)
    if (now?.get(ref) === to) return 'done'
    throw error
  }

  /** Runs git where it connects to a server: to addresses that were checked. */
  #ask(method: string, args: readonly string[], running: Running = {}): Promise<Finished> {
    if (this.origin === null) return this.git.run(args, running)
    const to = { origin: this.origin, method, path: '/{repository}', codeOf }
    return this.ctx.reach(to, (addresses) =>
      this.git.with(this.access.pinned(addresses)).run(args, running)
    )
  }

  #uploadPack(): string[] {
    return this.folder === null ? [] : [`--upload-pack=${this.server} upload-pack --strict`]
  }

  #receivePack(): string[] {
    return this.folder === null ? [] : [`--receive-pack=${this.server} receive-pack`]
  }
}

/**
 * Returns the program git for a connection. Its signal is the caller's: what hangs is ended as a
 * group.
 */
export function gitOf(ctx: PluginContext, base: Base, access: Access): GitProgram {
  return new GitProgram({
    signal: ctx.signal,
    redact: new Redaction({ token: ctx.secret('token'), sshKey: ctx.secret('sshKey') }).redact,
    // The search path of programs is the only variable taken from the machine.
    env: {
      ...ENVIRONMENT,
      PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
      GIT_ALLOW_PROTOCOL: base.scheme,
      ...access.env,
    },
    config: [...CONFIG, `protocol.${base.scheme}.allow=always`, ...access.config],
  })
}

function codeOf(error: unknown): ProviderErrorCode | null {
  if (error instanceof GitFailure) return remoteError(error, 'unknown')?.code ?? null
  return error instanceof ProviderError ? error.code : null
}

/** Translates any error of a read into an error of the provider. */
function reported(error: unknown): unknown {
  if (!(error instanceof GitFailure)) return error
  return remoteError(error, 'notApplied') ?? protocolError(error, 'notApplied')
}
