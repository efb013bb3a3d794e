import type { TProperties } from '@sinclair/typebox'
import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Instant } from '#foundation/core/clock'
import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { Who } from './engine/conditions.js'
import type { ReleaseFacts, ScheduledAction } from './engine/facts.js'
import type Release from './models/release.js'
import type { ReleaseRow } from './queries/read_release.js'
import type { RunRow } from './queries/run_rows.js'
import type { StepRow } from './queries/step_rows.js'
import type { EditCache } from './edit_cache.js'
import type { DataByType } from './union_by_type.js'
import type { IN_STORE_STATES } from './vocabulary.js'

/** Members that parts add to a release's entity; each part declares its own. */
export interface ReleaseMembers {
  /** Builds and stores come with their modules. */
  readonly __parts?: never
}

/** Members that parts add to the whole representation of a release (`Release`) alone. */
export interface ReleaseDetailMembers {
  readonly __parts?: never
}

/** Someone whose work is approved. */
export interface Author {
  actor: Actor
  /** What they did, as the end of a sentence about them. */
  did: string
}

/** What people approve when they approve a release, as far as one part holds it. */
export interface ApprovedPart {
  /**
   * Plain data in members of its own name; the same content is the same JSON, whatever the
   * order it was made in. A member is left out while the part has no content of it: approvals
   * are bound to all members there are, and those given before the part came would fall.
   */
  content: Readonly<Record<string, unknown>>
  authors: Author[]
}

/** What an approval is bound to, and whose work it is. */
export interface ApprovedContent {
  hash: string
  /** What the hash is of. */
  content: Readonly<Record<string, unknown>>
  authors: Author[]
}

/** What a part shows of the steps of one release. */
export interface ShownSteps {
  /** The data of a step's type, where the part gives it. */
  dataOf?(step: StepRow): Record<string, unknown> | undefined
  /** Members it adds to the step. */
  membersOf?(step: StepRow): Record<string, unknown>
}

/**
 * A part of a release: items, builds, store state, features, fixes. Releases know none of
 * them by name; each module registers its own in its manifest.
 */
export interface ReleasePart {
  name: string
  /** The facts it adds for the engine; read beside the steps. */
  facts?(scope: Scope, release: ReleaseRow): Promise<Partial<ReleaseFacts>>
  /** What it asks to be approved; null while it holds nothing, else given approvals fall. */
  approved?(release: ReleaseRow, steps: readonly StepRow[]): ApprovedPart | null
  /**
   * Corrects itself before the release is derived anew: lets go of what is not true any more.
   * @returns whether its facts changed
   */
  correct?(
    scope: Scope,
    release: Release,
    state: { steps: readonly StepRow[]; facts: ReleaseFacts }
  ): Promise<boolean>
  /** Asks ahead (`Scope.askAhead`) for what it reads later of the release; called beside `facts`. */
  askAhead?(scope: Scope, release: ReleaseRow): void
  /**
   * Plans what it will do later by itself, as the facts of the release now are; called each time
   * that the release was derived anew.
   */
  planAhead?(scope: Scope, release: Release, facts: ReleaseFacts): Promise<void>
  /** Learns that the train came to a release: it is the active one now. */
  activated?(scope: Scope, release: Release): Promise<void>
  /** What it will do next beside what follows from the facts, for whoever asks why it waits. */
  expected?(scope: Scope, release: ReleaseRow): Promise<Expected[]>
  /** What of it waits for people while the release goes on, for whoever asks why it waits. */
  stalled?(scope: Scope, release: ReleaseRow): Promise<Stalled[]>
  /** The builds of the release that stores have in review or with users. */
  outBuilds?(scope: Scope, release: Pick<ReleaseRow, 'id' | 'appId'>): Promise<OutBuild[]>
  /** What stores have of the release, or are being asked for. */
  inStores?(scope: Scope, release: Pick<ReleaseRow, 'id' | 'appId' | 'version'>): Promise<InStore[]>
  /** What whoever does something by hand is to know; it keeps nobody from it. */
  warnings?(scope: Scope, release: Release, action: ScheduledAction): Promise<ReleaseWarning[]>
  /** Ids of the users who are away at a time: the rotation of pilots passes them over. */
  away?(scope: Scope, appId: string, at: Instant): Promise<Iterable<string>>
  /** Who wants the version written into the code before the release is kicked off, if anybody. */
  bumpsBeforeKickoff?(scope: Scope, release: Release): Promise<Actor | null>
  /** Who has the newest build of a store chosen where no person chose one; null for nobody. */
  choosesBuilds?(scope: Scope, release: Release): Promise<Actor | null>
  /** The commit that what ships was built from, where it knows. */
  shippedCommit?(scope: Scope, release: Release): Promise<string | null>
  /**
   * What keeps something from being done now for who asked for it; null where nothing does. It
   * is asked again when a worker gets to it, which may be long after.
   */
  holds?(scope: Scope, release: ReleaseRow, askedBy: Actor): Promise<string | null>
  /** Learns how something ended that took its time, in the transaction that ends it. */
  ended?(scope: Scope, release: Release, ended: RequestedAction & Ended): Promise<void>
  /**
   * Brings what it holds in line with the steps of the release and the app's definitions, and
   * touches the release where facts changed by it.
   * @param context whether the release is being made, the edit of the app that reaches it, and
   *   ids of the steps that go next, with all that is left on them
   */
  adopt?(
    scope: Scope,
    release: Release,
    context: { isNew: boolean; cache: EditCache; leaving: ReadonlySet<string> }
  ): Promise<void>
  /** Ids of the steps of a release that hold something a person has touched. */
  touched?(scope: Scope, release: ReleaseRow): Promise<Iterable<string>>
  /**
   * Lets go of what was decided to bring it further: a person skips it, or completes it early.
   * @param reason why, as a sentence without its full stop
   */
  closed?(scope: Scope, release: Release, reason: string): Promise<void>
  /** Goes before the release does. */
  remove?(scope: Scope, release: Release): Promise<void>

  /** Its place in the release's entity. */
  entity?: {
    schema: TProperties
    /** By internal id. */
    of(scope: Scope, releases: readonly ReleaseRow[]): Promise<Map<string, Partial<ReleaseMembers>>>
    /** Of a release that `of` does not answer. */
    none: Partial<ReleaseMembers>
  }
  /** Its place in the whole representation of one release. */
  detail?: {
    schema: TProperties
    of(scope: Scope, release: ReleaseRow): Promise<Partial<ReleaseDetailMembers>>
    /** For the documents. */
    example: Partial<ReleaseDetailMembers>
  }
  /** Its place in the steps of a release. */
  steps?: {
    /** Models of the data of steps by their type, each named `…ReleaseStepData`. */
    data?: DataByType
    /** Members of every step. */
    members?: TProperties
    of(scope: Scope, release: ReleaseRow): Promise<ShownSteps>
    /** The same of the release of the documents. */
    example: {
      data?: Partial<Record<ReleaseStepType, Record<string, unknown>>>
      members?(type: ReleaseStepType): Record<string, unknown>
    }
  }
  /** Its sections of the evidence of a release, which nothing but its file is needed to prove. */
  evidence?: {
    schema: TProperties
    of(scope: Scope, release: ReleaseRow, approved: ApprovedContent): Promise<object>
    /** For the documents. */
    example: object
  }
  /** Its place in the runs of steps, present and past. */
  runs?: {
    /** Models of the data of runs by the type of their step, each named `…StepRunData`. */
    data: DataByType
    /** The data of a run, where the part gives it; never what is stored as it is. */
    dataOf(
      scope: Scope,
      run: RunRow
    ): Record<string, unknown> | undefined | Promise<Record<string, unknown> | undefined>
  }
}

/** What one store has of a release. */
export interface InStore {
  destinationId: string | null
  state: (typeof IN_STORE_STATES)[number]
  /** Share of users who are offered it, in percent. */
  percentage: number
  /** When it came that far; null where nobody saw it. */
  since: Instant | null
  /** What comes of it where nobody here drives it any more, as a sentence. */
  outlook: string
}

/** A build that a store has of a release, in review or with users. */
export interface OutBuild {
  number: string
  /** What it was built from. */
  commit: string
  standing: 'submitted' | 'rolling out' | 'with all users'
}

/** What happens by itself, and when. */
export interface Expected {
  at: Instant
  what: string
  message: string
}

/** Something that waits for people and does not hold the release up. */
export interface Stalled {
  code: string
  message: string
  subject: { type: string; id: string; name: string }
  who: Who[]
}

/** Something that stands against what was done, and did not stop it. */
export interface ReleaseWarning {
  code: string
  message: string
}

/**
 * How something ended that was asked for: `held` is not to be done now, and may be asked again;
 * what failed in passing is to be tried again after a while.
 */
export type Ended =
  | { result: 'done'; what?: string }
  | { result: 'failed'; reason: string; isRetried?: true }
  | { result: 'held'; reason: string }

/** What was asked for: what target dates are for, or what goes with it, by whom. */
export type RequestedAction =
  | { action: ScheduledAction }
  | { action: 'tag' | 'bump' | 'backMerge' | 'markTickets' | 'selectBuild'; askedBy: Actor }

export const releaseParts = new ExtensionPoint<ReleasePart>()
