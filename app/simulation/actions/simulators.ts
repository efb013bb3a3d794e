import { Problem, refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import { ConnectProvider } from '#integrations/actions/connect_provider'
import { RotateCredentials } from '#integrations/actions/rotate_credentials'
import { openCredentials } from '#integrations/connections/credentials'
import Connection from '#integrations/models/connection'
import appStore from '../provider/app_store/plugin.js'
import gitHost from '../provider/git_host/plugin.js'
import googlePlay from '../provider/google_play/plugin.js'
import worldPlugin from '../provider/plugin.js'
import { simulatedWorlds } from '../tables.js'
import { hashOf, isTokenOf, newToken } from '../token.js'
import { SIMULATORS } from '../vocabulary.js'

/** The plugins of a world, with the suffix of their connections' aliases. */
const PLUGINS = [
  { manifest: worldPlugin.manifest, suffix: '' },
  { manifest: appStore.manifest, suffix: ' App Store' },
  { manifest: googlePlay.manifest, suffix: ' Google Play' },
  { manifest: gitHost.manifest, suffix: ' git host' },
]

interface Options {
  /** Alias of the connections in configuration files. */
  alias: string | null
  /** Folder with git repositories for the git host; null to leave the git host as it is. */
  repositories: string | null
}

/** The connections of an organization with its world: one per plugin; the git host is optional. */
export class Simulators {
  constructor(
    private readonly scope: Scope,
    private readonly secrets: SecretBox
  ) {}

  /**
   * Connects what is missing, was disconnected, or is refused by the world.
   * @param token the token of the world
   * @returns the new connections
   * @throws conflict when nothing is missing, or the git host has another folder; name_taken
   */
  async complete(token: string, { alias, repositories }: Options): Promise<Connection[]> {
    const { scope, secrets } = this
    const existing = await this.#connections()
    const name =
      alias ?? existing.find(({ pluginId }) => pluginId === worldPlugin.manifest.id)?.alias
    const connected: Connection[] = []
    for (const { manifest, suffix } of PLUGINS) {
      const isHost = manifest === gitHost.manifest
      const folder = isHost && repositories !== null ? { baseUrl: repositories } : null
      const own = existing.filter(({ pluginId }) => pluginId === manifest.id)
      if (folder) requireSame(own, folder.baseUrl)
      for (const { id } of own.filter(isLost)) {
        const rotate = new RotateCredentials(scope, secrets)
        connected.push((await rotate.handle(id, { token }, null, { settings: folder })).connection)
      }
      if (own.length > 0 || (isHost && !folder)) continue
      const connection = await new ConnectProvider(scope, secrets).handle({
        manifest,
        alias: name ? `${name}${suffix}` : null,
        settings: folder ?? {},
        credentials: { token },
        check: null,
      })
      connected.push(connection)
    }
    if (connected.length > 0) return connected
    throw refuse('conflict', {
      detail:
        'The organization has a simulated world, and is connected with it; sim:reset restarts it.',
    })
  }

  /**
   * Returns the token of an existing world. Only the credentials of its connections store it: if
   * none can be read, the world and its connections get a new token.
   */
  async token(worldId: string, tokenHash: string): Promise<string> {
    const { scope, secrets } = this
    const live = (await this.#connections()).filter(({ status }) => status !== 'disconnected')
    for (const { id } of live) {
      const opened = await openCredentials(scope, secrets, id).catch(unreadable)
      const token = opened?.credentials.token
      if (typeof token === 'string' && isTokenOf(token, tokenHash)) return token
    }
    const token = newToken(scope.organization.id)
    await scope.update(simulatedWorlds, { id: worldId }, { tokenHash: hashOf(token) })
    for (const { id } of live) {
      await new RotateCredentials(scope, secrets).handle(id, { token }, null)
    }
    return token
  }

  #connections(): Promise<Connection[]> {
    const all = this.scope.query(Connection).whereIn('pluginId', [...SIMULATORS])
    return all.orderBy('createdAt').orderBy('id')
  }
}

/** Treats credentials that cannot be opened as missing. */
function unreadable(error: unknown): null {
  if (error instanceof Problem) return null
  throw error
}

const isLost = ({ status }: Connection) => status === 'disconnected' || status === 'needs_reauth'

/** @throws conflict for a git host that is connected with another folder */
function requireSame(hosts: readonly Connection[], folder: string): void {
  const other = hosts.find((each) => !isLost(each) && each.settings.baseUrl !== folder)
  if (!other) return
  throw refuse('conflict', {
    detail: `The git host is connected with ${String(other.settings.baseUrl)}; disconnect ${other.id} first.`,
  })
}
