import { args, flags } from '@adonisjs/core/ace'
import vine from '@vinejs/vine'
import { text } from '#foundation/api/operation/input'
import { ConnectProvider } from '../actions/connect_provider.js'
import { requireValidConnection } from '../connections/connection_errors.js'
import type { CheckResult } from '../plugins/plugin_caller.js'
import { askForConnection, type EnteredConnection } from './asked_connection.js'
import { missingSentence } from './lacking.js'
import { credentialsOption, pairsOption, pluginOption } from './options.js'
import { ProviderCommand } from './provider_command.js'

const connectOptions = vine.create({ alias: text(100).optional() })

/** Describes the result of a check of the credentials. */
const describeCheck = (check: CheckResult) =>
  check.ok
    ? missingSentence(check.missingPermissions)
    : ` The credentials could not be checked: ${check.message}.`

/** Refers to the command that connects in a browser. */
function inBrowser(plugin: string, org: string) {
  const command = `node ace.js provider:authorize ${plugin} --org=${org}`
  return { document: { command }, text: `Start it with:\n${command}` }
}

export class ProviderConnect extends ProviderCommand {
  static override commandName = 'provider:connect'
  static override description = 'Connect an organization with an account at a provider'
  static override help =
    'The credentials are checked before they are stored. At a terminal, the command asks for them if none are given.'

  @args.string({ description: 'Id or alias of the plugin; provider:plugins lists them' })
  declare plugin: string

  @flags.string({ description: 'Name by which configuration files may call it' })
  declare alias: string | undefined

  @flags.array({ flagName: 'set', description: 'A setting, as key=value; may be repeated' })
  declare settings: string[] | undefined

  @flags.array({
    flagName: 'credential',
    description: 'A credential, as key=value; may be repeated. Others on the machine may see it',
  })
  declare credentials: string[] | undefined

  @flags.string({ description: 'A file with the credentials as one JSON object; - is stdin' })
  declare credentialsFile: string | undefined

  @flags.boolean({
    description: 'Check the credentials first; on by default',
    default: true,
    showNegatedVariantInHelp: true,
  })
  declare check: boolean

  /** True if a person at a terminal gave no options, so that the command asks for everything. */
  get #isGuided(): boolean {
    const hasNoOptions = !this.settings && !this.credentials && this.credentialsFile === undefined
    return hasNoOptions && !this.json && this.isInteractive
  }

  get #fromOptions(): EnteredConnection {
    return { settings: this.settings ?? [], credentials: this.credentials ?? [] }
  }

  /** True if a person uses a terminal. */
  protected get isInteractive(): boolean {
    return process.stdin.isTTY === true
  }

  protected async work() {
    const { alias } = await this.checked(connectOptions, { alias: this.alias?.trim() })
    const plugin = pluginOption(this.plugin)
    const { manifest } = plugin
    const requested = this.#isGuided
      ? await askForConnection(this.prompt, plugin)
      : this.#fromOptions
    if (requested === null) return inBrowser(manifest.id, this.org)
    const settings = pairsOption('set', requested.settings, manifest.connectionSchema)
    const source = { pairs: requested.credentials, file: this.credentialsFile }
    const entered = await credentialsOption(source, manifest.credentialSchema)
    requireValidConnection(manifest, { settings, credentials: entered })
    const principal = await this.organizationPrincipal()
    const { organization } = principal
    const { check, credentials } = this.check
      ? await (await this.caller()).tryOut(plugin, { organization, settings, credentials: entered })
      : { check: null, credentials: entered }
    const secrets = await this.secrets()
    const connection = await this.inTransaction(principal, (scope) =>
      new ConnectProvider(scope, secrets).handle({
        manifest,
        alias: alias ?? null,
        settings,
        credentials,
        check,
      })
    )
    const missing = check?.ok ? check.missingPermissions : []
    const document = {
      ...{ id: connection.id, alias: connection.alias, plugin: connection.pluginId },
      ...(missing.length > 0 && { missingPermissions: missing }),
    }
    const checked = check === null ? '' : describeCheck(check)
    return { document, text: `${manifest.name} is connected as ${connection.id}.${checked}` }
  }
}
