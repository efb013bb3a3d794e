import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'
import type { Kind } from '#plugin-kit/kinds'

/** A change reported by a provider. It says where to look, and is never trusted as a state. */
export interface Hint {
  appId: string
  integrationId: string
  kind: Kind
  /** As the plugin's manifest names it. */
  type: string
  /** The subject, by the provider's id. */
  subject: string
}

/** A module that observes something of integrations. */
export interface IntegrationObserver {
  /** Plans its next look for now where the hint is about what it observes. */
  hinted?(scope: Scope, hint: Hint): Promise<unknown>
  /** Learns that a connection has new credentials: what was refused with others may be asked. */
  renewed?(scope: Scope, connectionId: string): Promise<unknown>
}

/** Higher modules register their observers of providers here. */
export const integrationObservers = new ExtensionPoint<IntegrationObserver>()
