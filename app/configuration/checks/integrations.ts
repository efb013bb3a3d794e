import { DATA_FIELDS, type DataFields, type Kind } from '#plugin-kit/kinds'
import { PLATFORM_NAMES, suitsPlatform, type AppPlatform } from '#apps/vocabulary'
import { didYouMean } from '#foundation/core/did_you_mean'
import type { KnownProvider, ProviderType } from '#integrations/known_provider'
import type {
  IntegrationConfiguration,
  IntegrationData,
  SelectedEvent,
} from '#integrations/settings'
import type { CheckContext } from './context.js'
import type { Fields, Inspector, KeyedElement, Element } from './inspector.js'
import type { Path } from './path.js'
import { named, quote, type Location } from './problems.js'

const MAX_INTEGRATIONS = 100
const MAX_LIST = 200

/** The integrations a file declares, valid or not, with their kind if it is known. */
export type DeclaredIntegrations = ReadonlyMap<string, Kind | null>

export interface CheckedIntegrations {
  declared: DeclaredIntegrations
  integrations: IntegrationConfiguration[]
}

/**
 * Checks `integrations`. Each names a provider of the organization by id or alias, a type of that
 * provider (optional if it has only one) that is for the platform of the app, and data with only the
 * fields of that type.
 * @param platform undefined where the file has none that is valid
 */
export function checkIntegrations(
  inspector: Inspector,
  element: Element,
  context: CheckContext,
  platform: AppPlatform | undefined
): CheckedIntegrations {
  const checker = new IntegrationChecker(inspector, context, platform)
  const declared = new Map<string, Kind | null>()
  const integrations: IntegrationConfiguration[] = []
  const entries = inspector.entries(element, 'integration to its settings', MAX_INTEGRATIONS)
  for (const entry of entries) {
    const { kind, integration } = checker.check(entry)
    declared.set(entry.key, kind)
    if (integration) integrations.push(integration)
  }
  return { declared, integrations }
}

interface CheckedIntegration {
  kind: Kind | null
  integration?: IntegrationConfiguration
}

class IntegrationChecker {
  /** All known types of all providers. */
  readonly #types: readonly string[]
  /** The list of providers for messages. */
  readonly #shown: string
  /** Names that identify a provider: ids, and aliases that only one has. */
  readonly #names: readonly string[]

  constructor(
    readonly inspector: Inspector,
    readonly context: CheckContext,
    readonly platform: AppPlatform | undefined
  ) {
    const { providers, integrationTypes } = context
    const own = providers.flatMap(({ types }) => types.map((each) => each.type))
    this.#types = [...new Set([...integrationTypes.keys(), ...own])]
    this.#shown = named(
      providers.map(({ id, alias }) => (alias === null ? id : `${id} (${alias})`))
    )
    const byAlias = Map.groupBy(providers, ({ alias }) => alias)
    this.#names = providers.flatMap(({ id, alias }) =>
      alias !== null && byAlias.get(alias)?.length === 1 ? [id, alias] : [id]
    )
  }

  check({ key, value }: KeyedElement): CheckedIntegration {
    const fields = this.inspector.fields(value, ['type', 'provider', 'data'])
    if (!fields) return { kind: null }
    const provider = this.inspector.required(value, 'provider', fields.provider, (element) =>
      this.#provider(element)
    )
    const type = this.inspector.optional(fields.type, (element) => this.#type(element, provider))
    const offered = provider && this.#offered(value, fields, provider, type)
    const kind = offered?.kind ?? (type ? this.#kindOf(type) : null)
    const data = this.#data(value, fields.data, kind, offered)
    if (!provider || !offered || !data) return { kind }
    const { type: offeredType } = offered
    const integration = { key, type: offeredType, kind: offered.kind, provider: provider.id, data }
    this.#requirePlatform(fields.type ?? fields.provider ?? value, offered, integration)
    return { kind, integration }
  }

  /** Refuses a type that is for other platforms, unless the app has that integration already. */
  #requirePlatform(
    at: Element,
    { type, platforms }: ProviderType,
    { key, provider }: IntegrationConfiguration
  ): void {
    const { platform } = this
    if (platform === undefined || suitsPlatform(platforms, platform)) return
    const before = this.context.current?.integrations.find((each) => each.key === key)
    if (before?.type === type && before.provider === provider) return
    const platformNames = named(
      platforms!.map((each) => (each === 'ota' ? 'over the air' : PLATFORM_NAMES[each]))
    )
    const message = `The type ${type} is for apps on ${platformNames}; this one is on ${PLATFORM_NAMES[platform]}`
    this.inspector.problems.add(at, 'integration_mismatch', message)
  }

  /** Reads a known type. Suggestions come from the types of the provider. */
  #type(element: Element, provider: KnownProvider | undefined): string | undefined {
    const text = this.inspector.text(element)
    if (text === undefined || this.#types.includes(text)) return text
    const offered = provider?.types.map((each) => each.type)
    // The types of simulated providers are of use to those alone who are connected to them.
    const likely = offered ?? this.#types.filter((type) => !type.startsWith('sim-'))
    const [vendor] = text.toLowerCase().split('-')
    const near = likely.filter((type) => type.startsWith(`${vendor}-`))
    const message = `${quote(text)} is not an integration type`
    const nearest = didYouMean(text, likely)
    if (near.length < 2 || nearest !== undefined) {
      const all = 'the console command provider:plugins lists all types'
      const listed = `${message}; ${all}`
      this.inspector.problems.add(element, 'unknown_value', listed, nearest ?? near[0])
      return undefined
    }
    const meant = `${near.slice(0, -1).map(quote).join(', ')} or ${quote(near.at(-1)!)}`
    this.inspector.problems.add(element, 'unknown_value', `${message}; did you mean ${meant}?`)
    return undefined
  }

  #kindOf(type: string): Kind | null {
    return this.context.integrationTypes.get(type)?.kind ?? null
  }

  #provider(element: Element): KnownProvider | undefined {
    const name = this.inspector.text(element)
    if (name === undefined) return undefined
    const { providers } = this.context
    const byId = providers.find((provider) => provider.id === name)
    if (byId) return byId
    const byAlias = providers.filter((provider) => provider.alias === name)
    if (byAlias.length === 1) return byAlias[0]
    if (byAlias.length > 1) {
      const ids = named(byAlias.map((provider) => provider.id))
      const message = `${byAlias.length} providers have the alias ${quote(name)}; name one by its id: ${ids}`
      this.inspector.problems.add(element, 'provider_ambiguous', message)
      return undefined
    }
    this.#unknownProvider(element, name)
    return undefined
  }

  #unknownProvider(element: Element, name: string): void {
    const { providers } = this.context
    if (providers.length === 0) {
      const message =
        `No provider ${quote(name)}: the organization has no connected integration providers yet; ` +
        'connect one on the page Providers or with the console command provider:connect; a file only names it'
      this.inspector.problems.add(element, 'provider_unknown', message)
      return
    }
    const message = `No provider ${quote(name)}; the organization has ${this.#shown}, and others are connected on the page Providers`
    this.inspector.problems.addUnknown(element, 'provider_unknown', message, name, this.#names)
  }

  /** Returns the provider's type: the named one, or its only one. */
  #offered(
    owner: Element,
    fields: Fields<'type' | 'provider'>,
    provider: KnownProvider,
    type: string | null | undefined
  ): ProviderType | undefined {
    if (provider.types.length === 0) {
      const message = `The plugin ${provider.vendor} of ${quote(provider.id)} does not run here`
      this.inspector.problems.add(fields.provider ?? owner, 'provider_unavailable', message)
      return undefined
    }
    const types = provider.types.map((offered) => offered.type).join(', ')
    if (type) {
      const offered = provider.types.find((each) => each.type === type)
      if (!offered) {
        const message = `The provider ${provider.id} is of ${provider.vendor} and offers ${types}, not ${type}`
        this.inspector.problems.add(fields.provider ?? owner, 'provider_mismatch', message)
      }
      return offered
    }
    // An invalid type has already been reported.
    if (type === undefined && fields.type) return undefined
    if (provider.types.length === 1) return provider.types[0]
    const message = `The provider ${provider.id} offers several types; type has to be one of ${types}`
    const at = { path: [...owner.path, 'type'], place: owner.place }
    this.inspector.problems.add(at, 'required', message)
    return undefined
  }

  #data(
    owner: Element,
    element: Element | undefined,
    kind: Kind | null,
    offered: ProviderType | undefined
  ): IntegrationData | undefined {
    const input = this.inspector.optional(element, (each) => each)
    const fields = offered?.fields ?? (kind ? DATA_FIELDS[kind] : null)
    if (!fields) return undefined
    const before = this.inspector.problems.size
    const data = input ? this.#fields(input, fields) : {}
    if (!data || this.inspector.problems.size > before) return undefined
    const errors = offered?.check?.(data) ?? []
    for (const { path, message } of errors) {
      this.inspector.problems.add(locationOf(owner, ['data', ...path]), 'invalid_data', message)
    }
    return errors.length === 0 ? data : undefined
  }

  #fields(element: Element, fields: DataFields): IntegrationData | undefined {
    const input = this.inspector.fields(element, Object.keys(fields))
    if (!input) return undefined
    const data: IntegrationData = {}
    for (const [name, kind] of Object.entries(fields)) {
      const value = this.inspector.optional(input[name], (each) => this.#field(each, kind))
      const empty = Array.isArray(value) && value.length === 0
      if (value !== null && value !== undefined && !empty) data[name] = value
    }
    return data
  }

  #field(element: Element, kind: DataFields[string]): IntegrationData[string] | undefined {
    if (kind === 'text') return this.inspector.text(element)
    if (kind === 'texts') return this.inspector.texts(element, 'texts', MAX_LIST)
    return this.inspector
      .items(element, 'events with eventName and optional paramName', MAX_LIST)
      .flatMap((item) => this.#event(item) ?? [])
  }

  #event(element: Element): SelectedEvent | undefined {
    const fields = this.inspector.fields(element, ['eventName', 'paramName'])
    if (!fields) return undefined
    const text = (each: Element) => this.inspector.text(each)
    const eventName = this.inspector.required(element, 'eventName', fields.eventName, text)
    const paramName = this.inspector.optional(fields.paramName, text)
    return eventName === undefined ? undefined : { eventName, ...(paramName ? { paramName } : {}) }
  }
}

/** Returns the location of a nested value, or of its nearest existing ancestor. */
function locationOf({ node, path, place }: Element, below: Path): Location {
  let [found, at] = [node, place]
  for (const step of below) {
    const next = childOf(found, step)
    if (!next) break
    found = next
    at = next
  }
  return { path: [...path, ...below], place: at }
}

function childOf(node: Element['node'], step: Path[number]): Element['node'] | undefined {
  if (node.kind === 'map') return node.entries.find(({ key }) => key === step)?.value
  return node.kind === 'list' ? node.items[Number(step)] : undefined
}
