import type { PlanEntity } from '#configuration/entities'
import type { ConnectionEntity, ProviderPluginDetails } from '#integrations/connection_entities'
import type { Refused, Typed } from '../frame/page.js'

/** The things an app may be made of. */
export interface NewAppAnswers {
  connections: readonly ConnectionEntity[]
  plugins: readonly ProviderPluginDetails[]
  /** The form that led here, refused or not; null for a page that is asked for. */
  typed: Typed | Refused | null
  /** The app that the text would create; null if nobody asked. */
  plan: PlanEntity | null
}
