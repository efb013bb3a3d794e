import type { Instant } from '#foundation/core/clock'
import type { UserAction } from '#organizations/vocabulary'
import type { ItemKind } from '#releases/vocabulary'
import type { ReleaseStepType, ReleaseType } from '#workflow/vocabulary'
import type { GivenMetric } from '#rollouts/policy/policy'

/*
 * All that a rehearsal is of, as plain JSON: it is handed to a process of its own.
 */

export interface RehearsalPlan {
  /** The app as its configuration file describes it. */
  configuration: string
  people: readonly RehearsedPerson[]
  groups: readonly { name: string; userActions: readonly UserAction[] }[]
  items: readonly RehearsedItem[]
  /** Where the organization has events sent; nothing is sent there. */
  endpoints: readonly { url: string; events: readonly string[] }[]
  /** A scenario file. */
  scenario: string
  /** What chance follows from; that of the scenario where there is none. */
  seed: string | null
  begin: Instant
  days: number
  /** The first release, where no cadence drafts one. */
  version: string
  /** How rollouts grow, as `setRolloutPolicy` takes it; null where nobody said. */
  policy: (object & { guard?: { metrics: readonly GivenMetric[] } | null }) | null
  /** Whether version control is a real repository of git in the home of the rehearsal. */
  hasRepository: boolean
}

/** What of a plan an app or its file says. */
export type OfApp = Pick<
  RehearsalPlan,
  'configuration' | 'people' | 'groups' | 'items' | 'endpoints' | 'policy'
>

export interface RehearsedPerson {
  email: string
  name: string | null
  groups: readonly string[]
}

/** What people do for every release, as the app defines it. */
export interface RehearsedItem {
  kind: ItemKind
  title: string
  releaseTypes: readonly ReleaseType[]
  required: boolean
  stepType: ReleaseStepType | null
  requiredApprovals: number | null
  fourEyes: boolean | null
}

/** Begin of rehearsals that are not told another: a Monday morning. */
export const USUAL_BEGIN: Instant = '2026-01-05T08:00:00.000Z'
export const USUAL_DAYS = 30
export const MOST_DAYS = 366

/** Something of a rehearsal, when it was. */
export interface RehearsalEntry {
  at: Instant
  /** `world`: what became of a provider by the scenario. */
  kind: 'happened' | 'did' | 'refused' | 'sent' | 'world'
  text: string
}

/** Where a release waited, and for whom. */
export interface Waited {
  version: string
  what: string
  who: string
  hours: number
  /** Whether it waited still when the rehearsal ended. */
  isOpen: boolean
}

/** What a rehearsal came to. */
export interface Rehearsed {
  seed: string
  scenario: string
  begin: Instant
  end: Instant
  /** Integrations and what stood in for their providers. */
  standIns: readonly { integration: string; type: string; standIn: string }[]
  releases: readonly { version: string; status: string; phase: string }[]
  waited: readonly Waited[]
  sent: readonly { to: string; count: number; what: string }[]
  /** Calls that changed something at providers, by kind, and those refused. */
  asked: readonly { provider: string; changes: number; refused: number }[]
  happened: number
  audit: Audited
}

/** What was found of a rehearsal when it was over; all of it empty where nothing is wrong. */
export interface Audited {
  /** Kinds of work that was due and is not done. */
  stuck: readonly string[]
  /** Work that was given up after its last attempt, and why. */
  givenUp: readonly string[]
  brokenTimelines: readonly string[]
  /** Numbers of public events that do not follow on the one before. */
  missingEvents: readonly number[]
  /** Types of events that nobody caused. */
  withoutCause: readonly string[]
  /** Calls that a store refused, and got again although nothing had changed there. */
  refusedTwice: readonly string[]
}
