import type { CapabilityMap } from '../capabilities/map.js'
import type { Exchange, ProviderFake } from '../fake/fake_provider.js'
import type { Kind } from '../kinds.js'
import type { Plugin } from '../plugin.js'
import type { Credentials } from '../port/door.js'

/** One operation of the vendor's API, as its own document describes it. */
export interface ContractOperation {
  /** As the report calls it. */
  id: string
  method: string
  /** Matches the path without host and query. */
  path: RegExp
  /** True if a document of the vendor states this; false if the author only believes it. */
  verified: boolean
  /** Returns the faults of a request, as sentences. */
  checkRequest?: (exchange: Exchange) => string[]
  /** Returns the faults of an answer of the fake. */
  checkResponse?: (exchange: Exchange) => string[]
}

/** The words of an issue tracker for its tickets. */
export interface TicketWords {
  /** The key of a ticket: `APP-1` by default. */
  keyOf(project: string, number: number): string
  /** Statuses; the first two may be one. */
  todo: string
  doing: string
  done: string
  /** Somebody whom a ticket is assigned to, as the tracker names people. */
  assignee: string
  /** A ticket has one version at most, and another takes its place. */
  hasOneVersion?: boolean
}

/** The words of a store for its testers and builds. */
export interface TesterWords {
  /** A group of the house, and one of everybody. */
  house: { id: string; name: string }
  everybody: { id: string; name: string }
  /** The id of a build by its number. */
  buildIdOf(number: string): string
}

/** Facts that no call of a provider reports: the suite does not ask for them. */
export type Unreported = 'buildStates' | 'issueStates'

export interface ConformanceOptions {
  plugin: Plugin
  /** A new fake, as it is before anything happened. */
  fake: () => ProviderFake
  credentials: {
    good: Credentials
    /** The fake refuses them. */
    bad: Credentials
    /** They work, and may not change anything; where the provider knows such. */
    readOnly?: Credentials
    /** Good ones of another account, to see that connections share nothing. */
    other?: Credentials
  }
  /** Settings of the connection, as `connectionSchema` has them. */
  settings?: Readonly<Record<string, unknown>>
  /** The `data` of an integration, by kind. */
  data: { [Each in keyof CapabilityMap]?: Readonly<Record<string, unknown>> }
  /**
   * It works with programs and files of the machine beside HTTP, as git does; its README informs
   * operators of that.
   */
  usesMachine?: true
  /** The words of a tracker that has others than Jira. */
  tickets?: Partial<TicketWords>
  /** The words of a store that has others than any text. */
  testers?: Partial<TesterWords>
  /**
   * The credential whose secret signs presses of buttons, where it is that of the vendor's App and
   * not one that the service made.
   */
  pressSecret?: string
  /** The facts that its provider does not report. */
  unreported?: readonly Unreported[]
  /**
   * Requests that change nothing, whatever their method, such as a query that is posted: those may
   * be sent to a real account.
   */
  alsoReads?: (request: { method: string; path: string }) => boolean
  /** The vendor's API, where a document of it is to be had. */
  contract?: () => Promise<{ default: readonly ContractOperation[] }>
  /** The published manifest before this one: what it has is still there. */
  before?: Plugin['manifest']
}

/**
 * Returns whether a plugin calls over HTTP. One that names no host cannot, and uses `ctx.reach` or
 * the machine instead; rules about HTTP do not apply to it.
 */
export function speaksHttp({ manifest }: Pick<Plugin, 'manifest'>): boolean {
  return manifest.hosts.allow.length > 0 || manifest.hosts.selfHosted
}

/** The kinds of a plugin that have code. */
export function kindsOf({ capabilities }: Pick<Plugin, 'capabilities'>): Kind[] {
  return Object.keys(capabilities) as Kind[]
}
