import type { Instant } from '#foundation/core/clock'
import type { Actor } from '#foundation/core/principal'
import type { ItemStatus } from '#releases/vocabulary'

/** The number of approvals needed, and whether an author of the approved content may approve. */
export interface ApprovalRules {
  requiredApprovals: number
  fourEyes: boolean
}

export const MAX_REQUIRED_APPROVALS = 20

/**
 * Returns the rules of an approval; by default one approval. The order of the members is fixed,
 * because stored JSON is compared as text.
 */
export function rulesOf(settings: Partial<ApprovalRules>): ApprovalRules {
  return {
    requiredApprovals: settings.requiredApprovals ?? 1,
    fourEyes: settings.fourEyes ?? false,
  }
}

/** One person's approval of an item in a release. */
export interface Vote {
  actor: Actor
  /** The key that voted on behalf of the actor. */
  askedBy?: Actor
  at: Instant
  comment: string | null
  /** Hash of the approved content (`approvedContent`). */
  hash: string
  /** An admin approved alone, against the rules; `comment` is the reason. */
  brokenGlass?: true
}

/** Returns the number of approvals an item still needs. */
export function approvalsMissing({ requiredApprovals }: ApprovalRules, votes: readonly Vote[]) {
  if (votes.some((vote) => vote.brokenGlass)) return 0
  return Math.max(0, requiredApprovals - votes.length)
}

/** Returns the status of an approval that follows from its votes. */
export function statusByVotes(rules: ApprovalRules, votes: readonly Vote[]): ItemStatus {
  if (votes.length === 0) return 'notStarted'
  return approvalsMissing(rules, votes) === 0 ? 'approved' : 'inProgress'
}
