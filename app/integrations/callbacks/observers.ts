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
  /** Plans its next look for now if it observes the subject of the hint. */
  hinted?(scope: Scope, hint: Hint): Promise<unknown>
  /**
   * Called when a connection has new credentials: calls that were refused before may be retried.
   */
  renewed?(scope: Scope, connectionId: string): Promise<unknown>
}

/** Higher modules register their observers of providers here. */
export const integrationObservers = new ExtensionPoint<IntegrationObserver>()
