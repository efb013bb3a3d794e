import type { CapabilityMap } from './capabilities/map.js'
import type { Page, PluginContext, Ref } from './context.js'
import type { Kind } from './kinds.js'
import type { PluginManifest } from './manifest.js'
import type { ProviderErrorCode } from './provider_error.js'

/** What every plugin can do with a connection, whatever its kinds. */
export interface Lifecycle {
  /**
   * Asks for as little as possible, to see whether the credentials work.
   * @throws ProviderError `unauthorized` when they do not
   */
  check(ctx: PluginContext): Promise<{ account: string; missingPermissions: string[] }>
  /** Returns the options of a setting, for forms. */
  discover?(
    ctx: PluginContext,
    what: string,
    query: string,
    cursor?: string
  ): Promise<Page<{ id: string; label: string }>>
  describeError?(
    status: number,
    body: unknown
  ): { code: ProviderErrorCode; reason: string } | undefined
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

/** Webhooks of the provider; they only say where to look, and are never believed as a state. */
export interface InboundWebhooks {
  ensure(ctx: PluginContext, callbackUrl: string, secret: string): Promise<Ref>
  remove(ctx: PluginContext, ref: Ref): Promise<void>
  verify(request: InboundRequest, secrets: string[]): boolean
  parse(request: InboundRequest): InboundEvent[]
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
  capabilities: { [Each in Kind]?: CapabilityLoader<CapabilityMap[Each]> }
  /** Where the conformance suite wrote its report; `integrations:doctor` shows it. */
  conformance?: URL
}

/** Gives the entry of a plugin its types. */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin
}
