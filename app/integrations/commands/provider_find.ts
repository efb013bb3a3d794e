import { args, flags } from '@adonisjs/core/ace'
import { closest } from 'fastest-levenshtein'
import { UsageError } from '#foundation/console/usage_error'
import { NOTHING } from '#plugin-kit/schema'
import {
  FINDABLE,
  findAtProvider,
  type FindableWord,
  type ProviderEntry,
} from '../connections/find_at_provider.js'
import { findConnection, pluginOfConnection } from '../queries/find_connection.js'
import { pairsOption } from './options.js'
import { ProviderCommand } from './provider_command.js'

const FINDABLE_WORDS = Object.keys(FINDABLE) as FindableWord[]

const TIMEOUT_MS = 30_000

export class ProviderFind extends ProviderCommand {
  static override commandName = 'provider:find'
  static override description =
    'Find what a configuration file names, such as channels, at a provider'
  static override help =
    'Some providers need data of the integration to look, such as `--data x-repository=acme/app` for workflows of GitHub.'

  @args.string({ description: 'Id or alias of the connection' })
  declare connection: string

  @args.string({ description: FINDABLE_WORDS.join(', ') })
  declare what: string

  @args.string({
    description: 'Part of the name; for statuses, the project',
    required: false,
  })
  declare query: string | undefined

  @flags.array({
    flagName: 'data',
    description: 'Data of the integration, as key=value, if the provider needs it to look',
  })
  declare data: string[] | undefined

  protected async work() {
    const what = findableOf(this.what)
    const principal = await this.organizationPrincipal()
    const scope = this.readScope(principal)
    const connection = await findConnection(scope, this.connection)
    const plugin = pluginOfConnection(connection)
    const { dataSchema } = plugin.manifest.capabilities[FINDABLE[what].kind] ?? {}
    const parts = { secrets: await this.secrets(), caller: await this.caller() }
    const { found, hasMore } = await findAtProvider(parts, scope, connection, {
      ...{ what, query: this.query ?? '', signal: AbortSignal.timeout(TIMEOUT_MS) },
      data: pairsOption('data', this.data ?? [], dataSchema ?? NOTHING),
    })
    return { document: { what: this.what, found, hasMore }, text: textOf(found, hasMore) }
  }
}

/** @throws UsageError that lists the known words */
function findableOf(what: string): FindableWord {
  if (Object.hasOwn(FINDABLE, what)) return what as FindableWord
  throw new UsageError(
    `"${what}" cannot be found; ${FINDABLE_WORDS.join(', ')} can. Did you mean ${closest(what, FINDABLE_WORDS)}?`
  )
}

function textOf(found: readonly ProviderEntry[], hasMore: boolean): string {
  if (found.length === 0) return 'Nothing was found.'
  const lines = found.map(({ id, label }) => (label === '' ? id : `${id}  ${label}`))
  return [...lines, ...(hasMore ? ['There are more; give a part of the name.'] : [])].join('\n')
}
