import type { Instant } from '#foundation/core/clock'
import type { UserAction } from '#organizations/vocabulary'
import type { ItemKind, ItemOwnerType, ItemStatus } from '#releases/vocabulary'
import type { ReleaseStepType, ReleaseType } from '#workflow/vocabulary'
import type { Story } from './story.js'

/*
 * The input and output of a rehearsal as plain JSON, because it runs in a process of its own.
 */

export interface RehearsalPlan {
  /** The app as its configuration file describes it. */
  configuration: string
  people: readonly RehearsedPerson[]
  groups: readonly RehearsedGroup[]
  items: readonly RehearsedItem[]
  /** Endpoints of the organization; nothing is sent there. */
  endpoints: readonly { url: string; events: readonly string[] }[]
  /** A scenario file. */
  scenario: string
  /** Random seed; null for that of the scenario. */
  seed: string | null
  begin: Instant
  days: number
  /** Version of the first release, if no cadence drafts one. */
  version: string
  /** The version that was released before; null for none. */
  after: string | null
  /** Existing releases, those under way first. */
  ahead: readonly ReleaseAhead[]
  /** The day from which trains of the cadence are undecided; null to decide all of them. */
  undecidedFrom: string | null
  /** True if version control is a real git repository in the home of the rehearsal. */
  hasRepository: boolean
}

/** A release that is planned or under way, and in no store yet. */
export interface ReleaseAhead {
  version: string
  releaseName: string | null
  isHotfix: boolean
  isKickedOff: boolean
  /** E-mail address of its pilot; null for the next of the rotation. */
  pilot: string | null
  targetKickoffAt: Instant | null
  targetSubmitAt: Instant | null
  targetReleaseAt: Instant | null
  /** The statuses of its items, and the approvers. */
  items: readonly {
    kind: ItemKind
    title: string
    status: ItemStatus
    approvedBy: readonly string[]
  }[]
}

/** The releases of a plan that begins without any. */
export const NO_RELEASES = { after: null, ahead: [], undecidedFrom: null } as const

/** The members of a plan that come from an app or its configuration file. */
export type OfApp = Pick<
  RehearsalPlan,
  'configuration' | 'people' | 'groups' | 'items' | 'endpoints'
>

export interface RehearsedPerson {
  email: string
  name: string | null
  groups: readonly string[]
  /** The person has left: references to them stay, but they do nothing. */
  hasLeft?: boolean
}

export interface RehearsedGroup {
  name: string
  userActions: readonly UserAction[]
  /** People without groups are members. */
  hasEverybody?: boolean
}

/** An owner of an item: a user by e-mail address, a group by name, or the release pilot. */
export interface RehearsedOwner {
  type: ItemOwnerType
  name: string | null
}

/** An item that people handle for every release, as the app defines it. */
export interface RehearsedItem {
  kind: ItemKind
  title: string
  releaseTypes: readonly ReleaseType[]
  required: boolean
  stepType: ReleaseStepType | null
  /** Position in the workflow of the step that it belongs to; null for any step of the type. */
  step: { group: number; position: number } | null
  owners: readonly RehearsedOwner[]
  requiredApprovals: number | null
  fourEyes: boolean | null
}

/** The default start of rehearsals: a Monday morning. */
export const USUAL_BEGIN: Instant = '2026-01-05T08:00:00.000Z'
export const USUAL_DAYS = 30
export const MAX_DAYS = 366

/** One entry of a rehearsal's report. */
export interface RehearsalEntry {
  at: Instant
  /** `world` is something that the scenario does to a provider. */
  kind: 'happened' | 'did' | 'refused' | 'sent' | 'world'
  text: string
}

/** A wait of a release: the reason, and who had to act. */
export interface Wait {
  version: string
  what: string
  who: string
  hours: number
  /** True if it was still open when the rehearsal ended. */
  isOpen: boolean
}

/** The result of a rehearsal. */
export interface Rehearsed {
  seed: string
  scenario: string
  begin: Instant
  end: Instant
  /** Integrations and the stand-ins for their providers. */
  standIns: readonly { integration: string; type: string; standIn: string }[]
  releases: readonly { version: string; status: string; phase: string }[]
  waited: readonly Wait[]
  sent: readonly { to: string; count: number; what: string }[]
  /** Changing calls to providers, by kind, and the number of refused ones. */
  asked: readonly { provider: string; changes: number; refused: number }[]
  happened: number
  story: Story
  audit: Audited
}

/** The findings about a finished rehearsal; all empty if nothing is wrong. */
export interface Audited {
  /** Kinds of overdue work. */
  stuck: readonly string[]
  /** Work that failed for good, with the reason. */
  givenUp: readonly string[]
  brokenTimelines: readonly string[]
  /** Numbers of public events that do not follow their predecessor. */
  missingEvents: readonly number[]
  /** Types of events without an actor. */
  withoutCause: readonly string[]
  /** Calls that were repeated after a refusal, although nothing had changed in the store. */
  refusedTwice: readonly string[]
}
