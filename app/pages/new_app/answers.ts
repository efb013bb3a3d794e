import type { PlanEntity } from '#configuration/entities'
import type { ConnectionEntity, ProviderPluginDetails } from '#integrations/connection_entities'
import type { Refused, Typed } from '../frame/page.js'

/** The answers that the page for a new app shows. */
export interface NewAppAnswers {
  connections: readonly ConnectionEntity[]
  plugins: readonly ProviderPluginDetails[]
  /** The form that led here, refused or not; null if the page was opened. */
  typed: Typed | Refused | null
  /** The plan for the submitted text; null if none was asked for. */
  plan: PlanEntity | null
}
