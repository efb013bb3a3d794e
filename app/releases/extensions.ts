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

/** Members that extensions add to a release's entity. Each extension declares its own. */
export interface ReleaseMembers {
  readonly __extensions?: never
}

/** Members that extensions add only to the full representation of a release (`Release`). */
export interface ReleaseDetailMembers {
  readonly __extensions?: never
}

/** Someone whose work is approved. */
export interface Author {
  actor: Actor
  /** The contribution, worded to follow a name: `added the item`. */
  did: string
}

/** The part of a release's approved content that one extension holds. */
export interface ApprovedPart {
  /**
   * Plain data under names of the extension's own. Equal content has to give equal JSON. A member
   * without content has to be absent: approvals are bound to all members, so an additional empty
   * one would invalidate earlier approvals.
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
  /** Returns the data of a step; undefined if the extension has none for its type. */
  dataOf?(step: StepRow): Record<string, unknown> | undefined
  /** Returns the members that it adds to the step. */
  membersOf?(step: StepRow): Record<string, unknown>
}

/**
 * An extension of releases, such as items, builds or fixes. The releases module knows none of them
 * by name. Each module registers its own in its manifest.
 */
export interface ReleaseExtension {
  name: string
  facts?: FactsExtension
  lifecycle?: LifecycleExtension
  presentation?: PresentationExtension
}

/** The facts that one extension contributes to the statuses of a release. */
export interface FactsExtension {
  /** Returns the facts that it adds for the engine, other than facts of steps. */
  of?(scope: Scope, release: ReleaseRow): Promise<Partial<ReleaseFacts>>
  /**
   * Returns the facts of all steps of certain types. Types without known facts are left out.
   * Deriving the release stores the facts in the current runs of the steps.
   */
  ofSteps?(scope: Scope, release: ReleaseRow): Promise<StepPart[]>
  /** Prefetches rows that it reads later (`Scope.prefetch`). Called before `of` and `ofSteps`. */
  prefetch?(scope: Scope, release: ReleaseRow): void
  /** Returns the content to approve; null without content. A change invalidates given approvals. */
  approved?(release: ReleaseRow, steps: readonly StepRow[]): ApprovedPart | null
  /**
   * Corrects its stored data before the release is derived, where it is no longer true.
   * @returns whether anything changed; all facts are then read again
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
   * Makes its data match the steps of the release and the app's definitions. Touches the release if
   * facts change.
   * @param context.isNew whether the release is being created
   * @param context.cache the cache of the edit that is applied
   * @param context.leaving ids of the steps that are deleted next, with all data on them
   */
  adopt?(
    scope: Scope,
    release: Release,
    context: { isNew: boolean; cache: EditCache; leaving: ReadonlySet<string> }
  ): Promise<void>
  /** Returns the ids of the steps that hold data of its own which a person has touched. */
  touched?(scope: Scope, release: ReleaseRow): Promise<Iterable<string>>
  /** Reads more about an imported release. It is the only hook called when one is derived. */
  readImported?(scope: Scope, release: Release): Promise<void>
  /**
   * Plans its future work, based on the facts of the release. Called each time that the release has
   * been derived.
   */
  planAhead?(scope: Scope, release: Release, facts: ReleaseFacts): Promise<void>
  /**
   * Withdraws decisions about the future of the release, because a person skips it or completes it.
   * @param reason a sentence without a full stop
   */
  closed?(scope: Scope, release: Release, reason: string): Promise<void>
  /**
   * Called after the other release of its pair has changed, which records no event of this one.
   * The apps of both are locked.
   */
  otherMoved?(scope: Scope, release: Release): Promise<void>
  /** Deletes its data before the release is deleted. */
  remove?(scope: Scope, release: Release): Promise<void>
}

/** The members and messages that one extension adds to what a release shows. */
export interface PresentationExtension {
  /** Returns conditions of other releases, for `whyNotMoving`; null for none. */
  held?(scope: Scope, release: ReleaseRow): Promise<HeldOutside | null>
  /**
   * Returns the extension's own future actions that do not follow from the facts, for `whyNotMoving`.
   */
  expected?(scope: Scope, release: ReleaseRow): Promise<Expected[]>
  /** Returns work for people that does not block the release, for `whyNotMoving`. */
  stalled?(scope: Scope, release: ReleaseRow): Promise<Stalled[]>
  /** Members of the release's entity. */
  entity?: {
    schema: TProperties
    /** Returns the members by internal id. */
    of(scope: Scope, releases: readonly ReleaseRow[]): Promise<Map<string, Partial<ReleaseMembers>>>
    /** The members of a release that `of` does not return. */
    none: Partial<ReleaseMembers>
  }
  /** Members of the full representation of one release. */
  detail?: {
    schema: TProperties
    of(scope: Scope, release: ReleaseRow): Promise<Partial<ReleaseDetailMembers>>
    /** Example for the API documents. */
    example: Partial<ReleaseDetailMembers>
  }
  /** Data and members of the steps of a release. */
  steps?: {
    /** Schemas of the data of steps by type, each named `…ReleaseStepData`. */
    data?: DataByType
    /** Members of every step. */
    members?: TProperties
    of(scope: Scope, release: ReleaseRow): Promise<ShownSteps>
    /** Example for the API documents. */
    example: {
      data?: Partial<Record<ReleaseStepType, Record<string, unknown>>>
      members?(type: ReleaseStepType): Record<string, unknown>
    }
  }
  /** Sections of the evidence of a release. The file alone has to suffice to verify them. */
  evidence?: {
    schema: TProperties
    of(scope: Scope, release: ReleaseRow, approved: ApprovedContent): Promise<object>
    /** Example for the API documents. */
    example: object
  }
  /** Data of the runs of steps, current and past. */
  runs?: {
    /** Schemas of the data of runs by the type of their step, each named `…StepRunData`. */
    data: DataByType
    /** Returns the data of a run, never its stored notes as such; undefined for other types. */
    dataOf(
      scope: Scope,
      run: RunRow
    ): Record<string, unknown> | undefined | Promise<Record<string, unknown> | undefined>
  }
}

/** Something that will happen automatically at a certain time. */
export interface Expected {
  at: Instant
  what: string
  message: string
  /** The share of users afterwards, in percent; absent if it does not change. */
  percentage?: number
  /** Parties that can act on it before; absent if nobody has to. */
  who?: Who[]
}

/** Something that waits for people without blocking the release. */
export interface Stalled {
  code: string
  message: string
  subject: { type: string; id: string; name: string }
  who: Who[]
}

export const releaseExtensions = new ExtensionPoint<ReleaseExtension>()
