import type { TProperties } from '@sinclair/typebox'
import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Instant } from '#foundation/core/clock'
import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { Who } from './engine/conditions.js'
import type { ReleaseFacts, StepPart } from './engine/facts.js'
import type { HeldOutside } from './engine/why_not_moving.js'
import type Release from './models/release.js'
import type { ReleaseRow } from './queries/read_release.js'
import type { RunRow } from './queries/run_rows.js'
import type { StepRow } from './queries/step_rows.js'
import type { EditCache } from './lifecycle/edit_cache.js'
import type { DataByType } from './schemas/union_by_type.js'

/** Members that extensions add to a release's entity; each extension declares its own. */
export interface ReleaseMembers {
  /** Builds and stores come with their modules. */
  readonly __extensions?: never
}

/** Members that extensions add to the whole representation of a release (`Release`) alone. */
export interface ReleaseDetailMembers {
  readonly __extensions?: never
}

/** Someone whose work is approved. */
export interface Author {
  actor: Actor
  /** The contribution, worded to follow a name: `added the item`. */
  did: string
}

/** The content of a release to approve, as far as one extension holds it. */
export interface ApprovedPart {
  /**
   * Plain data in members of its own name; the same content is the same JSON, whatever the
   * order it was made in. A member is left out while the extension has no content of it: approvals
   * are bound to all members there are, and those given before the extension came would fall.
   */
  content: Readonly<Record<string, unknown>>
  authors: Author[]
}

/** The content that an approval is bound to, and its authors. */
export interface ApprovedContent {
  hash: string
  /** The hashed content. */
  content: Readonly<Record<string, unknown>>
  authors: Author[]
}

/** The members that an extension adds to the steps of one release. */
export interface ShownSteps {
  /** The data of a step's type, where the extension gives it. */
  dataOf?(step: StepRow): Record<string, unknown> | undefined
  /** Members it adds to the step. */
  membersOf?(step: StepRow): Record<string, unknown>
}

/**
 * An extension of releases: items, builds, store state, features, fixes. Releases know none of
 * them by name; each module registers its own in its manifest.
 */
export interface ReleaseExtension {
  name: string
  facts?: FactsExtension
  lifecycle?: LifecycleExtension
  presentation?: PresentationExtension
}

/** The facts that one extension contributes to the statuses of a release. */
export interface FactsExtension {
  /** The facts it adds for the engine; read beside the steps. */
  of?(scope: Scope, release: ReleaseRow): Promise<Partial<ReleaseFacts>>
  /**
   * The facts of all steps of some types, where it knows them; nothing of a type while it knows
   * none. Deriving the release keeps them with the current runs of the steps.
   */
  ofSteps?(scope: Scope, release: ReleaseRow): Promise<StepPart[]>
  /** Asks ahead (`Scope.askAhead`) for what it reads later of the release; called beside `of` and `ofSteps`. */
  askAhead?(scope: Scope, release: ReleaseRow): void
  /** Returns the content to approve; null without content. A change invalidates given approvals. */
  approved?(release: ReleaseRow, steps: readonly StepRow[]): ApprovedPart | null
  /**
   * Corrects what it stores before the release is derived anew: lets go of what is not true any
   * more.
   * @returns whether anything changed; all facts are read again then
   */
  correct?(
    scope: Scope,
    release: Release,
    state: { steps: readonly StepRow[]; facts: ReleaseFacts }
  ): Promise<boolean>
}

/** The reactions of one extension to the life cycle of a release. */
export interface LifecycleExtension {
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
  /** Reads more of an imported release; nothing else is done or planned for one. */
  readImported?(scope: Scope, release: Release): Promise<void>
  /**
   * Plans what it will do later by itself, as the facts of the release now are; called each time
   * that the release was derived anew.
   */
  planAhead?(scope: Scope, release: Release, facts: ReleaseFacts): Promise<void>
  /**
   * Lets go of what was decided to bring it further: a person skips it, or completes it early.
   * @param reason why, as a sentence without its full stop
   */
  closed?(scope: Scope, release: Release, reason: string): Promise<void>
  /** Goes before the release does. */
  remove?(scope: Scope, release: Release): Promise<void>
}

/** The members and messages that one extension adds to what a release shows. */
export interface PresentationExtension {
  /** Returns what the release waits for outside of it, for `whyNotMoving`; null for nothing. */
  held?(scope: Scope, release: ReleaseRow): Promise<HeldOutside | null>
  /**
   * Returns the extension's own future actions that do not follow from the facts, for `whyNotMoving`.
   */
  expected?(scope: Scope, release: ReleaseRow): Promise<Expected[]>
  /** Returns what waits for people without blocking the release, for `whyNotMoving`. */
  stalled?(scope: Scope, release: ReleaseRow): Promise<Stalled[]>
  /** Its place in the release's entity. */
  entity?: {
    schema: TProperties
    /** By internal id. */
    of(scope: Scope, releases: readonly ReleaseRow[]): Promise<Map<string, Partial<ReleaseMembers>>>
    /** The members of a release that `of` does not return. */
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
    /** The data of a run, where the extension gives it; never what is stored as it is. */
    dataOf(
      scope: Scope,
      run: RunRow
    ): Record<string, unknown> | undefined | Promise<Record<string, unknown> | undefined>
  }
}

/** Something that will happen by itself, and its time. */
export interface Expected {
  at: Instant
  what: string
  message: string
  /** Share of users that it leads to; absent if it changes none. */
  percentage?: number
}

/** Something that waits for people and does not hold the release up. */
export interface Stalled {
  code: string
  message: string
  subject: { type: string; id: string; name: string }
  who: Who[]
}

export const releaseExtensions = new ExtensionPoint<ReleaseExtension>()
