import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'
import type { Kind } from '#plugin-kit/kinds'

/** A change reported by a provider. It says what to poll, and is never trusted as a state. */
export interface Hint {
  appId: string
  integrationId: string
  kind: Kind
  /** The type of the subject, as the plugin's manifest names it. */
  type: string
  /** The provider's id of what changed. */
  subject: string
}

/** A module that polls integrations. */
export interface IntegrationObserver {
  /** Schedules an immediate poll if the module observes the subject of the hint. */
  hinted?(scope: Scope, hint: Hint): Promise<unknown>
  /**
   * Called when a connection has new credentials: calls that were refused before may be retried.
   */
  renewed?(scope: Scope, connectionId: string): Promise<unknown>
}

/** Higher modules register their observers of providers here. */
export const integrationObservers = new ExtensionPoint<IntegrationObserver>()
