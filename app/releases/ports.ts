import type { Instant } from '#foundation/core/clock'
import { Port } from '#foundation/core/port'
import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type { ScheduledAction } from './engine/facts.js'
import type Release from './models/release.js'
import type { ReleaseRow } from './queries/read_release.js'
import type { IN_STORE_STATES } from './vocabulary.js'

/*
 * What releases ask of one module above each.
 */

/** Who plans what happens to releases by itself. */
export interface Planning {
  /**
   * What keeps something from being done now for who asked for it; null where nothing does. It
   * is asked again when a worker gets to it, which may be long after.
   */
  holds(scope: Scope, release: ReleaseRow, askedBy: Actor): Promise<string | null>
  /** Ids of the users who are away at a time: the rotation of pilots passes them over. */
  away(scope: Scope, appId: string, at: Instant): Promise<Iterable<string>>
  /** Who wants the version written into the code before the release is kicked off, if anybody. */
  bumpsBeforeKickoff(scope: Scope, release: Release): Promise<Actor | null>
  /** Who has the newest build of a store chosen where no person chose one; null for nobody. */
  choosesBuilds(scope: Scope, release: Release): Promise<Actor | null>
  /** Learns how something ended that took its time, in the transaction that ends it. */
  ended(scope: Scope, release: Release, ended: RequestedAction & Ended): Promise<void>
  /** What whoever does something by hand is to know; it keeps nobody from it. */
  warnings(scope: Scope, release: Release, action: ScheduledAction): Promise<ReleaseWarning[]>
}

/** Who knows what stores have of releases. */
export interface Stores {
  /** What stores have of the release, or are being asked for. */
  inStores(scope: Scope, release: Pick<ReleaseRow, 'id' | 'appId' | 'version'>): Promise<InStore[]>
  /** The builds of the release that stores have in review or with users. */
  outBuilds(scope: Scope, release: Pick<ReleaseRow, 'id' | 'appId'>): Promise<OutBuild[]>
}

/** Who does to the code of an app what its releases need. */
export interface Code {
  /** Whether the app has version control at all. */
  isKnown(scope: Scope, appId: string): Promise<boolean>
  /**
   * Has the branch of a release cut, or found, by a worker, which then kicks the release off.
   * @param options.ending the wish that this transaction ends
   */
  wishBranch(scope: Scope, release: Release, options?: { ending?: string }): Promise<BranchWish>
  /** Has done to the branch of a release what was asked for when it was drafted. */
  wishKickoffOptions(scope: Scope, release: Release): Promise<void>
}

/** Who knows what ships. */
export interface Candidates {
  /** The commit that what ships was built from; null where it is not known. */
  shippedCommit(scope: Scope, release: Release): Promise<string | null>
}

export const planningPort = new Port<Planning>('planning')
export const storesPort = new Port<Stores>('stores')
export const codePort = new Port<Code>('code')
export const candidatesPort = new Port<Candidates>('candidates')

/** What asking for something comes to: a worker does it, or it cannot be done. */
export type CodeWish = { is: 'underWay' } | { is: 'blocked'; reason: string }

/** The same of a branch, where none may have to be cut. */
export type BranchWish = { is: 'none' } | CodeWish

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
