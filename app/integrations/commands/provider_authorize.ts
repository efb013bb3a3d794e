import { args, flags } from '@adonisjs/core/ace'
import vine from '@vinejs/vine'
import { text } from '#foundation/api/operation/input'
import { UsageError } from '#foundation/console/usage_error'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { ANSWER_PATH } from '../oauth/answer_path.js'
import { BeginAuthorization, oauthScheme, type Begun } from '../oauth/begin_authorization.js'
import { BrowserSetups } from '../oauth/browser_setup.js'
import { checkValue } from '#plugin-kit/check_value'
import type { PluginManifest } from '#plugin-kit/manifest'
import { isProviderError } from '#plugin-kit/provider_error'
import type { Credentials } from '../connections/credentials.js'
import { demandFitting } from '../connections/demand_fitting.js'
import { findConnection } from '../queries/find_connection.js'
import { credentialsOption, pairsOption, pluginOption } from './options.js'
import { ProviderCommand } from './provider_command.js'

const authorizeOptions = vine.create({ alias: text(100).optional() })

export class ProviderAuthorize extends ProviderCommand {
  static override commandName = 'provider:authorize'
  static override description =
    'Connect with a provider in a browser: agree to it (OAuth 2), or have it make a key'
  static override help =
    'It prints the address to open within ten minutes. With OAuth 2 the provider has to know `PUBLIC_URL/integrations/oauth/callback`.'

  @args.string({ description: 'Id or alias of the plugin; provider:plugins lists them' })
  declare plugin: string

  @flags.string({ description: 'What configuration files may call it' })
  declare alias: string | undefined

  @flags.string({ description: 'Id or alias of a connection that gets new credentials instead' })
  declare connection: string | undefined

  @flags.array({ flagName: 'set', description: 'A setting, as key=value; may be repeated' })
  declare settings: string[] | undefined

  @flags.array({
    flagName: 'credential',
    description: 'Of the client registered at the provider: clientId=…, clientSecret=…',
  })
  declare credentials: string[] | undefined

  @flags.string({ description: 'A file with them as one JSON object; - is stdin' })
  declare credentialsFile: string | undefined

  protected async work() {
    const { alias } = await this.checked(authorizeOptions, { alias: this.alias?.trim() })
    const plugin = pluginOption(this.plugin)
    const { manifest } = plugin
    if (!plugin.setup) oauthScheme(manifest)
    const of = await this.ofOrganization()
    const again = this.connection ? await findConnection(this.readScope(of), this.connection) : null
    if (again && again.pluginId !== manifest.id) {
      throw new UsageError(`${again.id} is no connection of ${manifest.id}.`)
    }
    const given = { pairs: this.credentials, file: this.credentialsFile }
    const credentials = await credentialsOption(given, manifest.credentialSchema)
    const settings = again
      ? again.settings
      : pairsOption('set', this.settings ?? [], manifest.connectionSchema)
    const input = {
      alias: alias ?? null,
      settings,
      credentials,
      connectionId: again?.id ?? null,
    }
    const secrets = await this.secrets()
    if (plugin.setup) {
      demandFitting(manifest, { settings, credentials: {} })
      const caller = await this.caller()
      const inTransaction = <Result>(work: (scope: Scope) => Promise<Result>) =>
        this.inTransaction(of, work)
      const setups = new BrowserSetups({ caller, secrets, inTransaction })
      return led(await setups.begin(of, plugin, input).catch(demandBegun))
    }
    demandClient(manifest, credentials, settings)
    const redirectUri = `${this.app.config.get<string>('app.serviceUrl')}${ANSWER_PATH}`
    const begun = await this.inTransaction(of, (scope) =>
      new BeginAuthorization(scope, secrets).handle({ ...input, manifest, redirectUri })
    )
    const { document, text: lines } = led(begun)
    return {
      document: { ...document, redirectUri },
      text: `The provider has to know ${redirectUri}.\n${lines}`,
    }
  }
}

/** What a provider needs before it can be connected is for whoever began. @throws UsageError */
function demandBegun(error: unknown): never {
  throw isProviderError(error) ? new UsageError(error.message) : error
}

const led = (begun: Begun) => ({
  document: { ...begun },
  text: `Open this until ${begun.expiresAt}:\n${begun.url}`,
})

/** The refresh token is what is being got. @throws invalid_input */
function demandClient(
  { credentialSchema, connectionSchema }: PluginManifest,
  credentials: Credentials,
  settings: Record<string, unknown>
): void {
  const problems = [
    ...checkValue(credentialSchema, credentials).filter(({ path }) => path[0] !== 'refreshToken'),
    ...checkValue(connectionSchema, settings),
  ]
  const errors = problems.map(({ path, message }) => ({
    path: path.join('.'),
    code: 'invalid',
    message: `${path.join('.')} ${message}`,
  }))
  if (!credentials.clientId) {
    errors.push({ path: 'clientId', code: 'required', message: 'clientId is missing' })
  }
  if (errors.length > 0) {
    throw refuse('invalid_input', {
      detail: 'The values do not match the schema of the plugin.',
      errors,
    })
  }
}
