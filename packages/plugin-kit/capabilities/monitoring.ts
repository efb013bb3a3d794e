import type { Mutation, Page, Ref } from '../context.js'

/** A version in a period. */
export interface HealthWindow {
  version: string
  build?: string
  environment?: string
  from: string
  to: string
}

/** The health of released versions, as the provider counts it. */
export interface CrashMonitoring {
  /** Counts of a version in a period; a member is absent if the provider does not count it. */
  health(window: HealthWindow): Promise<{
    sessions?: number
    users?: number
    /** Share of sessions or users, from 0 to 1. */
    crashFreeSessions?: number
    crashFreeUsers?: number
    events?: number
    newIssues?: number
    openIssues?: number
    /**
     * The time up to which the data is complete: `to` or now if all of it has arrived, earlier
     * (even before `from`) if the provider lags. Later data is read again.
     */
    sampledAt: string
  }>
  /** Crashes of a version in a period, the newest or the most frequent first. */
  listIssues(
    window: HealthWindow,
    order: 'new' | 'frequent',
    cursor?: string
  ): Promise<
    Page<
      Ref & { title: string; users: number; events: number; firstVersion?: string; open: boolean }
    >
  >
}

/** Events that apps send, and how many users have a version. */
export interface ProductAnalytics {
  /** Returns events whose name contains a text, with their parameters. */
  listEvents(query: string, cursor?: string): Promise<Page<{ name: string; params: string[] }>>
  /**
   * Returns values of an event over time; `partial` if the provider has not counted all of them
   * yet.
   */
  series(query: {
    eventName: string
    paramName?: string
    version?: string
    from: string
    to: string
    granularity: 'hour' | 'day'
    metric: 'totals' | 'uniques'
  }): Promise<{ points: { at: string; value: number }[]; partial: boolean }>
  /**
   * Returns the share of users that had a version in a period, from 0 to 1; null if the provider
   * does not report it.
   */
  adoption?(version: string, from: string, to: string): Promise<{ share: number } | null>
}

/** A feature flag in one environment. */
export interface Flag extends Ref {
  key: string
  name: string
  enabled: boolean
  variations: { key: string; value: unknown }[]
  rules: { audience: string; versionRange?: string; weights?: Record<string, number> }[]
  /** Present if the provider reports it. */
  createdAt?: string
  archived?: boolean
  updatedAt?: string
  etag?: string
}

/** Feature flags, and whether they are on. */
export interface Experimentation {
  /** Flags of an environment: those with a rule about a version, or whose name contains a text. */
  listFlags(
    environment: string,
    filter: { versionAttribute?: string; version?: string; query?: string },
    cursor?: string
  ): Promise<Page<Flag>>
  /** Returns a flag by its key; null if there is none. */
  getFlag(environment: string, key: string): Promise<Flag | null>
  /** Switches a flag on or off, with a comment. `conflict` if it has changed since `etag`. */
  setEnabled(
    environment: string,
    key: string,
    enabled: boolean,
    m: Mutation & { etag?: string; comment: string }
  ): Promise<Flag>
}

/** Schedules of who is on call. */
export interface OnCall {
  /** Schedules whose name contains a text. */
  listSchedules(query: string, cursor?: string): Promise<Page<{ id: string; name: string }>>
  /** Returns who is on call at a time, the first responder first. */
  whoIsOnCall(
    scheduleId: string,
    at: string
  ): Promise<{ email?: string; name: string; from: string; until?: string }[]>
}
