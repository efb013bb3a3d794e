import { join } from 'node:path'
import { KEEPS_NOTHING } from '#integrations/connections/kept_values'
import type { PluginContext } from '#plugin-kit/context'
import { ProviderError } from '#plugin-kit/provider_error'
import GitVersionControl from '../../capabilities/version_control.js'
import { manifest } from '../../manifest.js'

export interface Given {
  /** Base of repositories. */
  baseUrl: string
  /** Folder of the connection. */
  home: string
  repoName?: string
  settings?: Record<string, unknown>
  secrets?: Record<string, unknown>
  signal?: AbortSignal
}

/** Accesses past HTTP, in all tests of a process. */
export const reached: string[] = []

function unused(): never {
  throw new Error('The plugin git asks nobody over HTTP')
}

/** Returns the context of the plugin. */
export function contextOf(given: Given, logged: unknown[] = []): PluginContext {
  const { baseUrl, home, repoName = 'app.git', settings = {}, secrets = {} } = given
  return {
    manifest,
    connection: { baseUrl, ...settings },
    data: { repoName },
    app: { id: 'app', repository: repoName },
    folder: join(home, 'git-1'),
    kept: KEEPS_NOTHING,
    secret: (name) => secrets[name],
    log: {
      info: (...all) => void logged.push(all),
      warn: (...all) => void logged.push(all),
    },
    // Git is no HTTP.
    http: { send: unused, download: unused, permits: async () => null, client: unused },
    fetch: unused,
    // Names lead nowhere in tests; ssh is another program anyway.
    reach: async ({ origin, method }, work) => {
      reached.push(`${method} ${origin}`)
      return work(origin.includes('localhost') ? ['127.0.0.1', '::1'] : ['192.0.2.1'])
    },
    now: () => new Date('2026-11-20T10:00:00.000Z'),
    pause: async () => {},
    signal: given.signal ?? new AbortController().signal,
  }
}

export const versionControl = (given: Given, logged?: unknown[]) =>
  new GitVersionControl(contextOf(given, logged))

/** A key of a request, and no other. */
let keys = 0
export const mutation = (idempotencyKey = `key-${++keys}`) => ({ idempotencyKey })

/** Returns the error of a failing call, or a text if it succeeded. */
export async function failure(call: Promise<unknown>): Promise<ProviderError> {
  const error = await call.then(
    (result) => new Error(`It did not fail: ${JSON.stringify(result)}`),
    (each: unknown) => each
  )
  if (error instanceof ProviderError) return error
  throw error
}

/** Returns the same in short: code, reason, outcome. */
export async function reported(call: Promise<unknown>): Promise<string> {
  const { code, detail } = await failure(call)
  return [code, detail.reason, detail.outcome].join(' ')
}
