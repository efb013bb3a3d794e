import { args, flags } from '@adonisjs/core/ace'
import vine from '@vinejs/vine'
import { text } from '#foundation/api/operation/input'
import { UsageError } from '#foundation/console/usage_error'
import { credentialsBefore } from '../connections/credentials_before.js'
import { redirectUriOf } from '../oauth/answer_path.js'
import { beginBrowserConnection } from '../oauth/begin_browser_connection.js'
import { oauthScheme } from '../oauth/oauth_scheme.js'
import { isProviderError } from '#plugin-kit/provider_error'
import { findConnection } from '../queries/find_connection.js'
import { credentialsOption, pairsOption, pluginOption } from './options.js'
import { ProviderCommand } from './provider_command.js'

const authorizeOptions = vine.create({ alias: text(100).optional() })

export class ProviderAuthorize extends ProviderCommand {
  static override commandName = 'provider:authorize'
  static override description =
    'Connect with a provider in a browser: approve access (OAuth 2), or let it make a key'
  static override help =
    'It prints the address to open within ten minutes. With OAuth 2 the provider has to know `PUBLIC_URL/integrations/oauth/callback`.'

  @args.string({ description: 'Id or alias of the plugin; provider:plugins lists them' })
  declare plugin: string

  @flags.string({ description: 'Name by which configuration files may call it' })
  declare alias: string | undefined

  @flags.string({
    description: 'Id or alias of a connection to give new credentials, instead of a new one',
  })
  declare connection: string | undefined

  @flags.array({ flagName: 'set', description: 'A setting, as key=value; may be repeated' })
  declare settings: string[] | undefined

  @flags.array({
    flagName: 'credential',
    description:
      'A credential of the client registered at the provider: clientId=…, clientSecret=…',
  })
  declare credentials: string[] | undefined

  @flags.string({ description: 'A file with these credentials as one JSON object; - is stdin' })
  declare credentialsFile: string | undefined

  protected async work() {
    const { alias } = await this.checked(authorizeOptions, { alias: this.alias?.trim() })
    const plugin = pluginOption(this.plugin)
    const { manifest } = plugin
    if (!plugin.setup) oauthScheme(manifest)
    const principal = await this.organizationPrincipal()
    const existing = this.connection
      ? await findConnection(this.readScope(principal), this.connection)
      : null
    if (existing && existing.pluginId !== manifest.id) {
      throw new UsageError(`${existing.id} is not a connection of ${manifest.id}.`)
    }
    const given = { pairs: this.credentials, file: this.credentialsFile }
    const credentials = await credentialsOption(given, manifest.credentialSchema)
    const settings = existing
      ? existing.settings
      : pairsOption('set', this.settings ?? [], manifest.connectionSchema)
    const { unitOfWork } = this
    const secrets = await this.secrets()
    const version = existing
      ? (await credentialsBefore(this.readScope(principal), secrets, existing.id)).version
      : null
    const parts = { unitOfWork, secrets, caller: await this.caller() }
    const serviceUrl = this.app.config.get<string>('app.serviceUrl')
    const { url, expiresAt } = await beginBrowserConnection(parts, principal, plugin, {
      ...{ alias: alias ?? null, settings, credentials, connectionId: existing?.id ?? null },
      ...{ version, browser: null, serviceUrl },
    }).catch(throwUsageError)
    const lines = `Open this until ${expiresAt}:\n${url}`
    const document = { url, expiresAt }
    if (plugin.setup) return { document, text: lines }
    const redirectUri = redirectUriOf(serviceUrl)
    return {
      document: { ...document, redirectUri },
      text: `The provider has to know ${redirectUri}.\n${lines}`,
    }
  }
}

/**
 * Turns a provider's failure into a usage error: it says what to prepare at the provider first.
 * @throws UsageError
 */
function throwUsageError(error: unknown): never {
  throw isProviderError(error) ? new UsageError(error.message) : error
}
