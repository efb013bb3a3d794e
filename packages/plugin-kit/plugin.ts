import type { CapabilityMap } from './capabilities/map.js'
import type { ContextApp, PluginContext, Ref } from './context.js'
import type { DescribedError } from './described_error.js'
import type { Kind } from './kinds.js'
import type { PluginManifest } from './manifest.js'
import type { Credentials } from './port/door.js'

/** The functions that every plugin has, whatever its kinds. */
export interface Lifecycle {
  /**
   * Checks whether the credentials work, with as few requests as possible.
   * @throws ProviderError `unauthorized` when they do not
   */
  check(ctx: PluginContext): Promise<{
    account: string
    missingPermissions: string[]
    /** When the credentials expire; absent if the provider does not say. */
    endsAt?: string
  }>
  /** Returns the meaning of a vendor's error; undefined if its status says enough. */
  describeError?(status: number, body: unknown, headers: Headers): DescribedError | undefined
}

/** The next step of a person's browser on the way to credentials. */
export interface BrowserStep {
  /** An address at the provider. */
  url: string
  /** Fields that the browser posts there; without them, it only opens the address. */
  form?: Readonly<Record<string, string>>
  /** Credentials obtained so far. They are stored encrypted until the person returns. */
  credentials?: Credentials
}

/** The data that a step needs so that the browser returns. */
export interface BrowserReturn {
  /** The address of the service that the provider sends the browser back to. */
  returnTo: string
  /** Returned by the browser as the parameter `state`. */
  state: string
  /** The base address of the service. */
  serviceUrl: string
}

/**
 * Connecting in a browser, for a provider that creates the credentials itself, as GitHub does from
 * an App manifest. Its requests are `anonymous`, since there are no credentials yet.
 */
export interface BrowserSetup {
  /**
   * Describes what a person has to do at the provider first: a text, the address, and the names of
   * the credentials that it yields. Absent if there is nothing to do.
   */
  preparation?(back: Pick<BrowserReturn, 'returnTo'>): {
    text: string
    url: string
    gives: readonly string[]
  }
  begin(ctx: PluginContext, back: BrowserReturn): BrowserStep
  /**
   * Continues with the parameters that the browser returned with.
   * @returns the next step, or the complete credentials
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

/**
 * Webhooks of the provider. They only tell the service what to read again; their content is not
 * trusted as a state.
 */
export interface InboundWebhooks {
  /**
   * Creates or finds the webhook that an integration needs. Integrations of one connection have one
   * address and one secret, so those of one repository share a webhook.
   * @returns null if the vendor's App already sends to the address
   */
  ensure(ctx: PluginContext, callbackUrl: string, secret: string): Promise<Ref | null>
  /** Removes a webhook that no integration needs any more. */
  remove(ctx: PluginContext, ref: Ref): Promise<void>
  /**
   * Returns whether a delivery is from the provider, or the immediate answer that it requires.
   * @param secrets secrets that the service made for the address, newest first
   * @param credentials the connection's credentials, since a vendor's App has a secret of its own
   */
  verify(
    request: InboundRequest,
    secrets: string[],
    credentials: Credentials
  ): boolean | { answer: InboundAnswer }
  parse(request: InboundRequest): InboundEvent[]
  /**
   * Returns whether an event concerns an integration. Without this method it concerns every one.
   */
  concerns?(event: InboundEvent, target: InboundTarget): boolean
}

/** A pressed button of a message that the service sent. */
export interface Interaction {
  deliveryId: string
  occurredAt: string
  /** The provider's id of the person who pressed. */
  memberId: string
  /** Name and value of the button, as the service set them. */
  action: string
  value: string
  /** Plain data that `reply` needs to answer this press. */
  replyTo: Readonly<Record<string, unknown>>
}

/** The person who pressed, as the provider knows them. */
export interface InteractionMember {
  /** Only members may act; guests, bots and people of other workspaces may not. */
  kind: 'member' | 'guest' | 'bot' | 'stranger'
  /** Null if the provider knows no verified address. */
  verifiedEmail: string | null
}

/**
 * Buttons in messages. A press is carried out with the rights of the person who pressed, never with
 * those of the connection.
 */
export interface Interactions {
  /**
   * Returns whether presses can be verified with these credentials; without this method, they can.
   * If not, the service sends buttons that link to its pages.
   */
  arePossible?(credentials: Credentials): boolean
  /** Reads a verified delivery; null if it is not a press of a button. */
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
  /** Presses arrive at the address of the webhooks, and are verified in the same way. */
  interactions?: () => Promise<{ default: Interactions }>
  setup?: () => Promise<{ default: BrowserSetup }>
  capabilities: { [Each in Kind]?: CapabilityLoader<CapabilityMap[Each]> }
  /** The place of the conformance suite's report; `integrations:doctor` shows it. */
  conformance?: URL
}

/** Returns the plugin unchanged; gives its entry the types. */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin
}
