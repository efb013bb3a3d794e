import type { Mutation, Page, Ref } from '../context.js'

/** A version in a span of time. */
export interface HealthWindow {
  version: string
  build?: string
  environment?: string
  from: string
  to: string
}

export interface CrashMonitoring {
  health(window: HealthWindow): Promise<{
    sessions?: number
    users?: number
    /** Of the sessions or users, 0 to 1. */
    crashFreeSessions?: number
    crashFreeUsers?: number
    events?: number
    newIssues?: number
    openIssues?: number
    sampledAt: string
  }>
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

export interface ProductAnalytics {
  listEvents(query: string, cursor?: string): Promise<Page<{ name: string; params: string[] }>>
  series(query: {
    eventName: string
    paramName?: string
    version?: string
    from: string
    to: string
    granularity: 'hour' | 'day'
    metric: 'totals' | 'uniques'
  }): Promise<{ points: { at: string; value: number }[]; partial: boolean }>
  adoption?(version: string, from: string, to: string): Promise<{ share: number } | null>
}

export interface Flag extends Ref {
  key: string
  name: string
  enabled: boolean
  variations: { key: string; value: unknown }[]
  rules: { audience: string; versionRange?: string; weights?: Record<string, number> }[]
  /** Where the provider tells. */
  createdAt?: string
  archived?: boolean
  updatedAt?: string
  etag?: string
}

export interface Experimentation {
  listFlags(
    environment: string,
    filter: { versionAttribute?: string; version?: string; query?: string },
    cursor?: string
  ): Promise<Page<Flag>>
  getFlag(environment: string, key: string): Promise<Flag | null>
  setEnabled(
    environment: string,
    key: string,
    enabled: boolean,
    m: Mutation & { etag?: string; comment: string }
  ): Promise<Flag>
}

export interface OnCall {
  listSchedules(query: string, cursor?: string): Promise<Page<{ id: string; name: string }>>
  whoIsOnCall(
    scheduleId: string,
    at: string
  ): Promise<{ email?: string; name: string; from: string; until?: string }[]>
}
