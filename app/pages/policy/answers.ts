import type { RolloutPolicyEntity } from '#rollouts/entities'
import type { RolloutOutlookEntity } from '#rollouts/outlook_entity'
import type { NamedApp } from '../app/head.js'
import type { Refused, Typed } from '../frame/page.js'

export type Policy = NonNullable<RolloutPolicyEntity['policy']>

export interface PolicyAnswers {
  /** The app; a destination of null means the first one. */
  app: NamedApp & { destinations: readonly { id: string; name: string }[] }
  /** The destination that the policy is for; null for the first one. */
  destinationId: string | null
  stored: RolloutPolicyEntity['policy']
  /** The entity tag of the stored policy. */
  tag: string
  /** The outlook for the stored policy, or for the one that was sent for a preview. */
  outlook: RolloutOutlookEntity
  /** True if the outlook is a preview of a policy that is not set. */
  isPreview: boolean
  typed: Typed | Refused | null
}
