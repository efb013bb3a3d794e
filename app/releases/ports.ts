import type { Instant } from '#foundation/core/clock'
import { Port } from '#foundation/core/port'
import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type { ScheduledAction } from './engine/facts.js'
import type Release from './models/release.js'
import type { ReleaseRow } from './queries/read_release.js'
import type { IN_STORE_STATES } from './vocabulary.js'

/*
 * Ports: interfaces that exactly one higher module implements for releases.
 */

/** The plans of automatic actions. */
export interface Planning {
  /**
   * Returns the reason why the requester may not act now; null without one. A worker checks again
   * before it acts, which may be much later.
   */
  whyHeld(scope: Scope, release: ReleaseRow, askedBy: Actor): Promise<string | null>
  /** Returns the day of an instant in the time zone of the people of an app, `YYYY-MM-DD`. */
  dayOf(scope: Scope, appId: string, at: Instant): Promise<string>
  /** Returns the ids of the users who are away at a time, whom the rotation of pilots skips. */
  away(scope: Scope, appId: string, at: Instant): Promise<Iterable<string>>
  /**
   * Returns the automation that writes the version into the code before the kickoff; null for none.
   */
  bumpsBeforeKickoff(scope: Scope, release: Release): Promise<Actor | null>
  /**
   * Returns the automation that chooses the newest build of a store if no person chose one; null
   * for none.
   */
  choosesBuilds(scope: Scope, release: Release): Promise<Actor | null>
  /** Called with the result of a requested action, in the transaction that ends it. */
  ended(scope: Scope, release: Release, ended: RequestedAction & Ended): Promise<void>
  /** Returns warnings for a manual action; they do not block it. */
  warnings(scope: Scope, release: Release, action: ScheduledAction): Promise<ReleaseWarning[]>
}

/** The state of releases in stores. */
export interface Stores {
  /** Returns the state of the release in each store, including pending calls to stores. */
  inStores(scope: Scope, release: Pick<ReleaseRow, 'id' | 'appId' | 'version'>): Promise<InStore[]>
  /** Returns the builds of the release that are in review or with users. */
  outBuilds(scope: Scope, release: Pick<ReleaseRow, 'id' | 'appId'>): Promise<OutBuild[]>
  /**
   * Returns, by app, the highest version that a store has shown with users and that is not halted.
   */
  highestReleased(scope: Scope, appIds: readonly string[]): Promise<Map<string, string>>
}

/** The changes to the code of an app that its releases need. */
export interface Code {
  /** Returns whether the app has version control. */
  isKnown(scope: Scope, appId: string): Promise<boolean>
  /**
   * Requests a worker to cut or find the branch of a release and then kick the release off.
   * @param options.ending id of the command that this transaction ends
   */
  requestBranch(
    scope: Scope,
    release: Release,
    options?: { ending?: string }
  ): Promise<BranchCommand>
  /** Requests the changes to the release branch that the draft's kickoff options name. */
  requestKickoffOptions(scope: Scope, release: Release): Promise<void>
}

/** The builds that releases ship. */
export interface Candidates {
  /** Returns the commit of the build that ships; null if unknown. */
  shippedCommit(scope: Scope, release: Release): Promise<string | null>
}

export const planningPort = new Port<Planning>('planning')
export const storesPort = new Port<Stores>('stores')
export const codePort = new Port<Code>('code')
export const candidatesPort = new Port<Candidates>('candidates')

/** The result of a request: a worker carries it out, or it is blocked. */
export type CodeCommand = { kind: 'underWay' } | { kind: 'blocked'; reason: string }

/** The result of a request for a branch. `none` means that the release needs no branch. */
export type BranchCommand = { kind: 'none' } | CodeCommand

/** The state of a release in one store. */
export interface InStore {
  destinationId: string | null
  state: (typeof IN_STORE_STATES)[number]
  /** Share of users who are offered it, in percent. */
  percentage: number
  /** The time at which it reached that state; null if unknown. */
  since: Instant | null
  /** The expected outcome there once the service no longer controls it, as a sentence. */
  outlook: string
}

/** A build of a release that a store has in review or with users. */
export interface OutBuild {
  number: string
  /** The commit it was built from. */
  commit: string
  standing: 'submitted' | 'rolling out' | 'with all users'
}

/** A warning about an action that was carried out nevertheless. */
export interface ReleaseWarning {
  code: string
  message: string
}

/**
 * The end of a requested action. `held`: not allowed now, may be requested again. A transient
 * failure (`isRetried`) is retried later.
 */
export type Ended =
  | { result: 'done'; what?: string }
  | { result: 'failed'; reason: string; isRetried?: true }
  | { result: 'held'; reason: string }

/** A requested action: one that has a target date, or an accompanying one with its requester. */
export type RequestedAction =
  | { action: ScheduledAction }
  | { action: 'tag' | 'bump' | 'backMerge' | 'markTickets' | 'selectBuild'; askedBy: Actor }
