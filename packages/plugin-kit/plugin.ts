import type { CapabilityMap } from './capabilities/map.js'
import type { ContextApp, PluginContext, Ref } from './context.js'
import type { DescribedError } from './described_error.js'
import type { Kind } from './kinds.js'
import type { PluginManifest } from './manifest.js'
import type { Credentials } from './port/door.js'

/** The abilities of every plugin with a connection, whatever its kinds. */
export interface Lifecycle {
  /**
   * Asks for as little as possible, to see whether the credentials work.
   * @throws ProviderError `unauthorized` when they do not
   */
  check(ctx: PluginContext): Promise<{
    account: string
    missingPermissions: string[]
    /** When the credentials end, as the provider says; absent if it says nothing. */
    endsAt?: string
  }>
  /** The meaning of an error of the vendor; undefined leaves it to the status. */
  describeError?(status: number, body: unknown, headers: Headers): DescribedError | undefined
}

/** The next address of a person's browser on the way to a key. */
export interface BrowserStep {
  /** At the provider. */
  url: string
  /** Fields that the browser posts there; without them it opens the address. */
  form?: Readonly<Record<string, string>>
  /** Credentials so far. They are kept, encrypted, until the person comes back. */
  credentials?: Credentials
}

/** The data that a step needs to lead back. */
export interface BrowserReturn {
  /** The address of the service that the provider sends the browser back to. */
  returnTo: string
  /** Comes back with the browser as the parameter `state`. */
  state: string
  /** The address of the service itself. */
  serviceUrl: string
}

/**
 * Connecting in a browser where the provider makes the key itself, such as GitHub of the manifest
 * of an App. Nothing is authenticated yet: requests of it are `anonymous`.
 */
export interface BrowserSetup {
  /**
   * Describes what a person does at the provider before: a text for people, the address to do it
   * at, and the names of the credentials that it gives. Absent if nothing is to be done.
   */
  preparation?(back: Pick<BrowserReturn, 'returnTo'>): {
    text: string
    url: string
    gives: readonly string[]
  }
  begin(ctx: PluginContext, back: BrowserReturn): BrowserStep
  /**
   * Goes on with what the browser brought back.
   * @returns the next step, or the whole credentials
   */
  proceed(
    ctx: PluginContext,
    brought: Readonly<Record<string, string>>,
    back: BrowserReturn & { credentials: Credentials }
  ): Promise<{ step: BrowserStep } | { credentials: Credentials }>
}

export interface InboundRequest {
  headers: Record<string, string>
  rawBody: Uint8Array
  receivedAt: Date
}

export interface InboundEvent {
  deliveryId: string
  type: string
  occurredAt: string
  subject: Ref
  hint: unknown
}

/** The immediate answer to a delivery, sent as JSON with 200: a challenge, for example. */
export interface InboundAnswer {
  body: Record<string, unknown>
}

/** An integration of the connection that a delivery came to. */
export interface InboundTarget {
  data: Readonly<Record<string, unknown>>
  app: ContextApp | null
}

/** Webhooks of the provider; they only say where to look, and are never believed as a state. */
export interface InboundWebhooks {
  /**
   * Makes the webhook that an integration needs, or finds it: integrations of one connection have
   * one address and one secret, so those of one repository share a webhook.
   * @returns null where the vendor's App sends to the address by itself
   */
  ensure(ctx: PluginContext, callbackUrl: string, secret: string): Promise<Ref | null>
  /** Removes a webhook that no integration needs any more. */
  remove(ctx: PluginContext, ref: Ref): Promise<void>
  /**
   * Returns whether the provider has sent a delivery, or the answer that it wants at once.
   * @param secrets those that the service made for the address, newest first
   * @param credentials those of the connection: the App of a vendor has a secret of its own
   */
  verify(
    request: InboundRequest,
    secrets: string[],
    credentials: Credentials
  ): boolean | { answer: InboundAnswer }
  parse(request: InboundRequest): InboundEvent[]
  /** Returns whether an event is about an integration; without this method it is about each. */
  concerns?(event: InboundEvent, target: InboundTarget): boolean
}

/** A pressed button of a message that the service sent. */
export interface Interaction {
  deliveryId: string
  occurredAt: string
  /** The provider's id of the person who pressed. */
  memberId: string
  /** Name and value of the button, as the service gave them. */
  action: string
  value: string
  /** Plain data that `reply` needs to answer this press. */
  replyTo: Readonly<Record<string, unknown>>
}

/** The person who pressed, as the provider knows them. */
export interface InteractionMember {
  /** Guests, bots and people of other workspaces have no say. */
  is: 'member' | 'guest' | 'bot' | 'stranger'
  /** Null if the provider has none that it has verified. */
  verifiedEmail: string | null
}

/**
 * Buttons of the provider. What was pressed is carried out with the rights of the person who
 * pressed it, never with those of the connection.
 */
export interface Interactions {
  /**
   * Returns whether presses can be verified with these credentials; without this method they can.
   * Otherwise the service sends buttons that lead to its pages.
   */
  arePossible?(credentials: Credentials): boolean
  /** Reads a verified delivery; null for one that is no press of a button. */
  read(request: InboundRequest): Interaction | null
  /** @throws ProviderError */
  member(ctx: PluginContext, memberId: string): Promise<InteractionMember>
  /** Sends a text to the person who pressed, and to nobody else. @throws ProviderError */
  reply(ctx: PluginContext, replyTo: Interaction['replyTo'], text: string): Promise<void>
}

/** Imports a capability when it is first used. */
export type CapabilityLoader<Capability> = () => Promise<{
  default: new (ctx: PluginContext) => Capability
}>

/** The entry of a plugin: its manifest, and how to import the rest. */
export interface Plugin {
  manifest: PluginManifest
  lifecycle: () => Promise<{ default: Lifecycle }>
  webhooks?: () => Promise<{ default: InboundWebhooks }>
  /** They come to the address of its webhooks, and are verified as those are. */
  interactions?: () => Promise<{ default: Interactions }>
  setup?: () => Promise<{ default: BrowserSetup }>
  capabilities: { [Each in Kind]?: CapabilityLoader<CapabilityMap[Each]> }
  /** The place of the conformance suite's report; `integrations:doctor` shows it. */
  conformance?: URL
}

/** Gives the entry of a plugin its types. */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin
}
