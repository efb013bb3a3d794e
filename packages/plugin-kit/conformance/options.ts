import type { CapabilityMap } from '../capabilities/map.js'
import type { PluginContext } from '../context.js'
import type { Exchange, ProviderFake } from '../fake/fake_provider.js'
import type { Kind } from '../kinds.js'
import type { Plugin } from '../plugin.js'
import type { Credentials } from '../port/door.js'

/** One operation of the vendor's API, according to the vendor's documentation. */
export interface ContractOperation {
  /** Its name in the report. */
  id: string
  method: string
  /** Matches the path without host and query. */
  path: RegExp
  /** True if the vendor documents this; false if the plugin's author assumes it. */
  verified: boolean
  /** Returns the errors of a request, as sentences. */
  checkRequest?: (exchange: Exchange) => string[]
  /** Returns the errors of the fake's response. */
  checkResponse?: (exchange: Exchange) => string[]
}

/** An undocumented assumption about the provider, which a read can confirm. */
export interface PluginAssumption {
  title: string
  /** The kind of the integration whose data the context has. */
  kind: Kind
  /**
   * Checks it with a real account, only by reading.
   * @returns false if the account has no data that shows it
   * @throws an error that contradicts it
   */
  holds(context: PluginContext): Promise<boolean>
}

/** An issue tracker's vocabulary for its tickets. */
export interface TicketWords {
  /** Returns the key of a ticket: `APP-1` by default. */
  keyOf(project: string, number: number): string
  /** Statuses; the first two may be equal. */
  todo: string
  doing: string
  done: string
  /** The assignee of a ticket, as the tracker names people. */
  assignee: string
  /** A ticket has at most one version, which a new one replaces. */
  hasOneVersion?: boolean
}

/** A store's names for its testers and builds. */
export interface TesterWords {
  /** An internal group, and an external one. */
  house: { id: string; name: string }
  everybody: { id: string; name: string }
  /** Returns the id of a build by its number. */
  buildIdOf(number: string): string
}

/** Facts that a provider does not report: the suite does not test them. */
export type Unreported = 'buildStates' | 'issueStates'

export interface ConformanceOptions {
  plugin: Plugin
  /** Creates a fake in its initial state. */
  fake: () => ProviderFake
  credentials: {
    good: Credentials
    /** The fake refuses them. */
    bad: Credentials
    /** Valid but read-only credentials, if the provider supports them. */
    readOnly?: Credentials
    /** Valid credentials of another account, to check that connections share nothing. */
    other?: Credentials
  }
  /** Settings of the connection, according to `connectionSchema`. */
  settings?: Readonly<Record<string, unknown>>
  /** The `data` of an integration, by kind. */
  data: { [Each in keyof CapabilityMap]?: Readonly<Record<string, unknown>> }
  /**
   * True if the plugin uses programs and files of the machine in addition to HTTP, like git. Its
   * README must tell operators.
   */
  usesMachine?: true
  /** The vocabulary of a tracker, where it differs from Jira's. */
  tickets?: Partial<TicketWords>
  /** The names for a store that does not allow any text. */
  testers?: Partial<TesterWords>
  /**
   * The credential that signs button presses, if the secret belongs to the vendor's app instead of
   * the service.
   */
  pressSecret?: string
  /** Facts that the provider does not report. */
  unreported?: readonly Unreported[]
  /**
   * Returns whether a request changes nothing despite its method, such as a query sent with POST,
   * so that it may be sent to a real account.
   */
  alsoReads?: (request: { method: string; path: string }) => boolean
  /** The vendor's API, if a document of it is available. */
  contract?: () => Promise<{ default: readonly ContractOperation[] }>
  /** Assumptions beyond the contract. The report lists them as unverified. */
  assumptions?: readonly PluginAssumption[]
  /** The previously published manifest, to check that nothing was removed from it. */
  before?: Plugin['manifest']
}

/**
 * Returns whether a plugin makes HTTP calls. A plugin that names no host cannot; it uses
 * `ctx.reach` or the machine instead, and rules about HTTP do not apply to it.
 */
export function speaksHttp({ manifest }: Pick<Plugin, 'manifest'>): boolean {
  return manifest.hosts.allow.length > 0 || manifest.hosts.selfHosted
}

/** Returns the kinds that a plugin implements. */
export function kindsOf({ capabilities }: Pick<Plugin, 'capabilities'>): Kind[] {
  return Object.keys(capabilities) as Kind[]
}
