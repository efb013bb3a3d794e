import app from '@adonisjs/core/services/app'
import { ok, type OperationResponse } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { of, select } from '#foundation/core/database/statement'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { unitOfWork } from '#foundation/core/services'
import { RotateCredentials } from '../actions/rotate_credentials.js'
import { checkStoreCredentials, storeCredentials } from '../connections/store_credentials.js'
import { integrationEntities } from '../queries/app_integrations.js'
import { findConnection, pluginOfConnection } from '../queries/find_connection.js'
import { integrations } from '../tables.js'
import type { AuthUpdate } from '../validators/auth_update.js'

const INTEGRATION = select(
  of(integrations, 'i', ['kind', 'type', 'connectionId']),
  `from integrations i
  where i.organization_id = :org and i.app_id = :appId and i.id = :id`
)
const USES = select(
  of(integrations, 'i', ['appId']),
  'from integrations i where i.organization_id = :org and i.connection_id = :connectionId'
)

/** Updates the credentials of stores. */
export class CredentialsController {
  /** The provider is called before anything is stored, outside of any transaction. */
  async update({ scope, params, body }: Call<AuthUpdate>): Promise<OperationResponse> {
    const { appId, integrationInstallationId: id } = params
    const { connection, plugin } = await storeOf(scope, params)
    const { credentials: entered, keyHint } = storeCredentials(plugin.manifest, body)
    const caller = await app.container.make('integrations.caller')
    const { organization } = scope
    const { settings } = connection
    const checked = await caller.tryOut(plugin, { organization, settings, credentials: entered })
    const secrets = await app.container.make('integrations.secrets')
    const entity = await unitOfWork.inTransaction(scope, async (writeScope) => {
      const rotate = new RotateCredentials(writeScope, secrets)
      const changed = await rotate.handle(connection.id, checked.credentials, checked.check)
      const shown = await integrationEntities(writeScope, appId)
      const found = shown.find((each) => each.id === id)
      // The integration was removed meanwhile. The refusal rolls the change back.
      if (!found) throw refuse('not_found')
      return { ...found, updatedAt: changed.connection.updatedAt, keyHint }
    })
    return ok(entity)
  }

  async check(
    { scope, params, body }: Call<PartiallyValid<AuthUpdate>>,
    errors: InputErrors
  ): Promise<void> {
    const { plugin } = await storeOf(scope, params)
    checkStoreCredentials(plugin.manifest, body, errors)
  }
}

/** Returns the connection and the plugin of an integration with a store. @throws not_found, conflict, app_scope_missing */
async function storeOf(scope: Scope, params: Record<string, string>) {
  const { appId, integrationInstallationId: id } = params
  const [integration] = await scope.rows(INTEGRATION, { appId, id })
  if (!integration) throw refuse('not_found')
  if (!['appStore', 'betaTesting'].includes(integration.kind)) {
    throw refuse('conflict', {
      detail: `The integration is of type ${integration.type}. Only credentials of stores can be changed here.`,
    })
  }
  const connection = await findConnection(scope, integration.connectionId)
  await requireAllApps(scope, connection.id)
  return { connection, plugin: pluginOfConnection(connection) }
}

/** Requires access to every app that uses the connection. @throws app_scope_missing */
async function requireAllApps(scope: Scope, connectionId: string): Promise<void> {
  const uses = await scope.rows(USES, { connectionId })
  if (uses.every(({ appId }) => scope.sees(appId))) return
  throw refuse('app_scope_missing', {
    detail: 'Other apps, outside the app scopes of the key, use the same connection.',
  })
}
