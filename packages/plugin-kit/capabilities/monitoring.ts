import type { Mutation, Page, Ref } from '../context.js'

/** A version in a span of time. */
export interface HealthWindow {
  version: string
  build?: string
  environment?: string
  from: string
  to: string
}

/** Health of versions with users, as the provider counts it. */
export interface CrashMonitoring {
  /**
   * Counts of a version in a span of time; a member is absent where the provider does not count it.
   */
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
     * To when the data reaches: `to` or now where all of it is there, earlier where it is late, also
     * before `from`. What comes after it is asked for again.
     */
    sampledAt: string
  }>
  /** Crashes of a version in a span of time, the newest or the most frequent first. */
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
  /** Events whose name holds a text, with the parameters they have. */
  listEvents(query: string, cursor?: string): Promise<Page<{ name: string; params: string[] }>>
  /** Values of an event over time; `partial` where the provider has not counted all of it yet. */
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
   * The share of users that had a version in a span of time, 0 to 1; null if the provider does not
   * report it.
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
  /** Flags of an environment: those that ask for a version, or whose name holds a text. */
  listFlags(
    environment: string,
    filter: { versionAttribute?: string; version?: string; query?: string },
    cursor?: string
  ): Promise<Page<Flag>>
  /** A flag by its key; null if there is none. */
  getFlag(environment: string, key: string): Promise<Flag | null>
  /**
   * Switches a flag on or off, with a comment. `conflict` where it is not any more what `etag`
   * says.
   */
  setEnabled(
    environment: string,
    key: string,
    enabled: boolean,
    m: Mutation & { etag?: string; comment: string }
  ): Promise<Flag>
}

/** Schedules of who is on call. */
export interface OnCall {
  /** Schedules whose name holds a text. */
  listSchedules(query: string, cursor?: string): Promise<Page<{ id: string; name: string }>>
  /** Returns who is on call at a time, the first responder first. */
  whoIsOnCall(
    scheduleId: string,
    at: string
  ): Promise<{ email?: string; name: string; from: string; until?: string }[]>
}
