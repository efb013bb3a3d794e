import app from '@adonisjs/core/services/app'
import { created, NO_STORE, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { unitOfWork } from '#foundation/core/services'
import type { Plugin } from '#plugin-kit/plugin'
import { isProviderError } from '#plugin-kit/provider_error'
import { ConnectProvider } from '../actions/connect_provider.js'
import { DisconnectProvider } from '../actions/disconnect_provider.js'
import { IssueHookSecret } from '../actions/issue_hook_secret.js'
import { RotateCredentials } from '../actions/rotate_credentials.js'
import { callbackUrl, type CallbackAddress } from '../callbacks/callback_url.js'
import type { Credentials } from '../connections/credentials.js'
import {
  credentialsBefore,
  requireOthers,
  mergedCredentials,
} from '../connections/credentials_before.js'
import {
  requireValidConnection,
  throwIfAny,
  schemaErrors,
  browserConnectionErrors,
  operatorOnlyErrors,
} from '../connections/connection_errors.js'
import { findAtProvider } from '../connections/find_at_provider.js'
import { tryConnection } from '../connections/try_connection.js'
import { redirectUriOf } from '../oauth/answer_path.js'
import { beginBrowserConnection } from '../oauth/begin_browser_connection.js'
import type { AuthorizationStart } from '../oauth/begin_authorization.js'
import Connection from '../models/connection.js'
import type { CheckResult } from '../plugins/plugin_caller.js'
import {
  connectionDetails,
  connectionEntities,
  connectionEntity,
} from '../queries/connections_shown.js'
import { pluginOfConnection } from '../queries/find_connection.js'
import { listCalls } from '../queries/list_calls.js'
import { findPlugin, listPlugins, pluginDetails } from '../queries/provider_plugins.js'
import type {
  BrowserAnswer,
  BrowserConnection,
  ChannelsQuery,
  DisconnectQuery,
  NewConnection,
  RotatedCredentials,
} from '../validators/connection_input.js'

/** Credentials that were tried before the transaction, with the result. */
export interface Tried {
  check: CheckResult
  credentials: Credentials
}

const CALLS_SHOWN = 30

/** Time limit of a search at a provider, in milliseconds. */
const FIND_MS = 15_000

const secretBox = () => app.container.make('integrations.secrets')
const pageFolders = () => app.container.make('integrations.pageFolders')
const pluginCaller = () => app.container.make('integrations.caller')

/** Serves connections with providers to the pages. */
export class ConnectionsController {
  async plugins() {
    return ok(listPlugins())
  }

  async plugin({ params, origin }: Call) {
    return ok(await pluginDetails(params.pluginId, origin.baseUrl))
  }

  async index({ scope }: Call) {
    return ok(await connectionEntities(scope))
  }

  async show({ scope, params }: Call) {
    return ok(await connectionDetails(scope, await secretBox(), params.connectionId))
  }

  async calls({ scope, params }: Call) {
    const { id } = await connectionById(scope, params)
    const calls = await listCalls(scope, { connectionId: id, limit: CALLS_SHOWN })
    return ok(
      calls.map(({ calledAt, method, host, path, status, milliseconds, attempt, code }) => ({
        ...{ calledAt, method, host, path, status, milliseconds, attempt, code },
      }))
    )
  }

  /** As a read, it holds no transaction while the provider answers. */
  async channels({ scope, params, query }: Call<undefined, ChannelsQuery>) {
    const connection = await connectionById(scope, params)
    const parts = { secrets: await secretBox(), caller: await pluginCaller() }
    const { found, hasMore } = await findAtProvider(parts, scope, connection, {
      ...{ what: 'channels', query: query.search ?? '', data: {} },
      signal: AbortSignal.timeout(FIND_MS),
    })
    return ok({ channels: found.map(({ id, label: name }) => ({ id, name })), hasMore })
  }

  async checkNew({ params, body }: Call<PartiallyValid<NewConnection>>, errors: InputErrors) {
    errors.add(...(await newConnectionErrors(findPlugin(params.pluginId), body)))
  }

  async checkBeginning(
    { params, body }: Call<PartiallyValid<BrowserConnection>>,
    errors: InputErrors
  ) {
    // An existing connection supplies what is not given.
    if (body.connectionId) return
    const { settings = {}, credentials = {} } = body
    const plugin = findPlugin(params.pluginId)
    errors.add(
      ...browserConnectionErrors(plugin, { settings, credentials }),
      ...(await operatorOnlyErrors(plugin.manifest, settings, await pageFolders()))
    )
  }

  /** Tries the credentials of a new connection, unless they violate the plugin's schemas. */
  async tryNew({ scope, params, body }: Call<NewConnection>): Promise<Tried | undefined> {
    const plugin = findPlugin(params.pluginId)
    if ((await newConnectionErrors(plugin, body)).length > 0) return undefined
    const { settings = {}, credentials = {} } = body
    const { organization } = scope
    return (await pluginCaller()).tryOut(plugin, { organization, settings, credentials })
  }

  async connect({ scope, params, body, prefetched }: Call<NewConnection, undefined, Tried>) {
    const plugin = findPlugin(params.pluginId)
    throwIfAny(await newConnectionErrors(plugin, body))
    const { manifest } = plugin
    const { alias = null, settings = {} } = body
    const secrets = await secretBox()
    const { id } = await new ConnectProvider(scope, secrets).handle({
      ...{ manifest, alias, settings },
      credentials: prefetched?.credentials ?? body.credentials ?? {},
      check: prefetched?.check ?? null,
    })
    const location = `/org/${scope.organization.id}/integration/${id}`
    return created(await connectionDetails(scope, secrets, id), location)
  }

  async check({ scope, params }: Call) {
    const connection = await connectionById(scope, params)
    const parts = { unitOfWork, secrets: await secretBox(), caller: await pluginCaller() }
    const { check } = await tryConnection(parts, scope, connection)
    const isWorking = check.ok && check.missingPermissions.length === 0
    return ok({
      ...(await connectionEntity(unitOfWork.readScope(scope), connection.id)),
      isWorking,
    })
  }

  /** The provider is called before anything is stored, outside of any transaction. */
  async rotate({ scope, params, body }: Call<RotatedCredentials>) {
    const connection = await connectionById(scope, params)
    const { id, settings } = connection
    const plugin = pluginOfConnection(connection)
    const secrets = await secretBox()
    const before = await credentialsBefore(scope, secrets, id)
    const credentials = mergedCredentials(before.credentials, body.credentials ?? {})
    requireValidConnection(plugin.manifest, { credentials })
    requireOthers(before.credentials, credentials)
    const { organization } = scope
    const tried = await (
      await pluginCaller()
    ).tryOut(plugin, { organization, settings, credentials })
    const entity = await unitOfWork.inTransaction(scope, async (writing) => {
      const rotate = new RotateCredentials(writing, secrets)
      await rotate.handle(id, tried.credentials, tried.check, { before })
      return connectionEntity(writing, id)
    })
    return ok(entity)
  }

  async disconnect({ scope, params, query }: Call<undefined, DisconnectQuery>) {
    const { id } = await connectionById(scope, params)
    const { force = false, ofApp } = query
    return ok(await new DisconnectProvider(scope).handle(id, force && (ofApp ?? true)))
  }

  async issueSecret({ scope, params }: Call) {
    const connection = await connectionById(scope, params)
    const address: CallbackAddress = { of: 'connection', id: connection.id }
    const issued = new IssueHookSecret(scope, await secretBox())
    const secret = await issued.handle(address, connection)
    return ok({ url: callbackUrl(address), secret }, NO_STORE)
  }

  async authorize({ scope, params, body, origin }: Call<BrowserConnection>) {
    const plugin = findPlugin(params.pluginId)
    const { alias = null, browser, connectionId = null } = body
    const existing = connectionId === null ? null : await connectionById(scope, { connectionId })
    if (existing && existing.pluginId !== plugin.manifest.id) throw refuse('not_found')
    const secrets = await secretBox()
    const before = existing && (await credentialsBefore(scope, secrets, existing.id))
    const credentials = mergedCredentials(before?.credentials ?? null, body.credentials ?? {})
    const settings = existing?.settings ?? body.settings ?? {}
    if (!existing) {
      throwIfAny(await operatorOnlyErrors(plugin.manifest, settings, await pageFolders()))
    }
    const parts = { unitOfWork, secrets, caller: await pluginCaller() }
    const begun = await beginBrowserConnection(parts, scope, plugin, {
      ...{
        alias: existing ? null : alias,
        settings,
        credentials,
        connectionId: existing?.id ?? null,
      },
      ...{ version: before?.version ?? null, browser, serviceUrl: origin.baseUrl },
    }).catch(requirePrepared)
    return ok(begunEntity(begun, origin.baseUrl))
  }

  async complete({ scope, params, body, origin }: Call<BrowserAnswer>) {
    const finish = await app.container.make('integrations.authorizations')
    const { browser, installationId, setupAction, ...result } = body
    const done = await finish.handle(
      {
        ...{ ...result, state: params.authorizationState },
        ...{ installation_id: installationId, setup_action: setupAction },
      },
      { principal: scope, browser }
    )
    if ('url' in done) {
      return ok({ connection: null, next: begunEntity(done, origin.baseUrl) })
    }
    return ok({
      connection: await connectionEntity(unitOfWork.readScope(scope), done.id),
      next: null,
    })
  }
}

/** Returns the errors of a new connection, with settings that only the operator may give. */
const newConnectionErrors = async (
  { manifest }: Plugin,
  { settings = {}, credentials = {} }: PartiallyValid<NewConnection>
) => [
  ...schemaErrors(manifest, { settings, credentials }),
  ...(await operatorOnlyErrors(manifest, settings, await pageFolders())),
]

/** Finds a connection by its id only, not by its alias. @throws not_found */
async function connectionById(scope: Scope, { connectionId }: Record<string, string>) {
  const connection = await scope.query(Connection).where('id', connectionId).first()
  if (connection) return connection
  throw refuse('not_found')
}

/** Turns a provider's failure into invalid input: it says what to prepare at the provider first. */
function requirePrepared(error: unknown): never {
  if (!isProviderError(error)) throw error
  throw refuse('invalid_input', { detail: error.detail.reason ?? error.message })
}

const begunEntity = ({ name, url, page, expiresAt }: AuthorizationStart, serviceUrl: string) => ({
  name,
  url: page?.url ?? url,
  form: page?.form ?? null,
  redirectUri: redirectUriOf(serviceUrl),
  expiresAt,
})
