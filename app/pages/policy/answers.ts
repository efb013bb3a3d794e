import type { RolloutPolicyEntity } from '#rollouts/entities'
import type { RolloutOutlookEntity } from '#rollouts/outlook_entity'
import type { NamedApp } from '../app/head.js'
import type { Refused, Typed } from '../frame/page.js'

export type Policy = NonNullable<RolloutPolicyEntity['policy']>

export interface PolicyAnswers {
  /** The first of its destinations is the store that null means. */
  app: NamedApp & { destinations: readonly { id: string; name: string }[] }
  /** The destination whose store it is; null for the first one. */
  destinationId: string | null
  stored: RolloutPolicyEntity['policy']
  /** The entity tag of what is stored. */
  tag: string
  /** By the policy that stands, or by the one that was sent for a preview. */
  outlook: RolloutOutlookEntity
  /** True if it is of a policy that nobody has set. */
  isPreview: boolean
  typed: Typed | Refused | null
}
