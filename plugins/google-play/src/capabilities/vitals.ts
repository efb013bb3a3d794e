import {
  isSameVersion,
  type CrashMonitoring,
  type HealthWindow,
  type Page,
  type PluginContext,
} from '@tarmac/plugin-kit'
import { versionNameOf } from '../releases.js'
import { dayAfter, dayOf, hourOf, instantOf, PACIFIC, type ReportTime } from '../report_times.js'

/*
 * Android vitals count users by day (in Pacific time) and by version code. Google rounds the number
 * of users, and publishes a day about two days later.
 */

const API = 'https://playdeveloperreporting.googleapis.com/v1beta1/apps/{package}'

interface Decimal {
  value?: string
}
interface Row {
  startTime?: ReportTime
  dimensions?: { dimension?: string; int64Value?: string }[]
  metrics?: { metric?: string; decimalValue?: Decimal }[]
}
interface Issue {
  name?: string
  type?: string
  cause?: string
  location?: string
  errorReportCount?: string
  distinctUsers?: string
  lastErrorReportTime?: string
  issueUri?: string
}
interface ReleaseOptions {
  tracks?: { servingReleases?: { displayName?: string; versionCodes?: string[] }[] }[]
}

type Listed = Awaited<ReturnType<CrashMonitoring['listIssues']>>['items'][number]

const DAILY = 'DAILY'
/** Issues of a page. */
const PAGE = 100
/** Number of the most frequent issues among which the newest are searched. */
const MAX_SEARCHED = 1000

/** Health of versions and their crashes, as Android vitals report them. */
export default class AndroidVitals implements CrashMonitoring {
  constructor(protected readonly ctx: PluginContext) {}

  /**
   * Reads the days that a window touches: three calls. The share is Google's daily rate, weighted
   * by the day's users. The number of users is that of the day with the most, because users of
   * different days overlap.
   */
  async health(window: HealthWindow): ReturnType<CrashMonitoring['health']> {
    const reaches = await this.#reaches()
    const to = Date.parse(window.to)
    // If Google has counted nothing yet, the data reaches only to the beginning of the window.
    const sampledAt = new Date(Math.min(reaches.at || Date.parse(window.from), to)).toISOString()
    const codes = await this.#codesOf(window)
    const startTime = dayOf(window.from)
    // A window that ends at midnight touches no further day.
    const afterLast = dayAfter(dayOf(to - 1))
    const endTime = instantOf(afterLast) < reaches.at ? afterLast : reaches.day
    const isEmpty = Date.parse(window.from) >= to || instantOf(startTime) >= reaches.at
    if (codes.length === 0 || isEmpty) return { sampledAt }
    const { body } = await this.ctx.http.send<{ rows?: Row[] }>({
      method: 'POST',
      path: `${API}/crashRateMetricSet:query`,
      params: this.#package,
      json: {
        timelineSpec: { aggregationPeriod: DAILY, startTime, endTime },
        dimensions: ['versionCode'],
        metrics: ['crashRate', 'distinctUsers'],
        filter: codes.map((code) => `versionCode = ${code}`).join(' OR '),
        pageSize: 10_000,
      },
      // A query changes nothing.
      idempotent: true,
    })
    const counted = countOf(body.rows ?? [])
    return counted === null ? { sampledAt } : { ...counted, sampledAt }
  }

  /**
   * Lists crashes of a version: two calls. Google sorts only by frequency, and has no closed
   * issues.
   */
  async listIssues(
    window: HealthWindow,
    order: 'new' | 'frequent',
    cursor?: string
  ): Promise<Page<Listed>> {
    const codes = await this.#codesOf(window)
    if (codes.length === 0) return { items: [] }
    const versions = codes.map((code) => `versionCode = ${code}`).join(' OR ')
    const isNewest = order === 'new'
    const { body } = await this.ctx.http.send<{ errorIssues?: Issue[]; nextPageToken?: string }>({
      method: 'GET',
      path: `${API}/errorIssues:search`,
      params: this.#package,
      query: {
        ...hourOf('interval.startTime', window.from),
        ...hourOf('interval.endTime', window.to, 'end'),
        filter: `errorIssueType = CRASH AND (${versions})`,
        orderBy: 'errorReportCount desc',
        pageSize: isNewest ? MAX_SEARCHED : PAGE,
        pageToken: cursor,
      },
    })
    const { errorIssues = [], nextPageToken } = body
    const timeOf = ({ lastErrorReportTime }: Issue) => lastErrorReportTime ?? ''
    const issues = isNewest
      ? errorIssues.toSorted((one, other) => timeOf(other).localeCompare(timeOf(one)))
      : errorIssues
    return { items: issues.map(issueOf), ...(nextPageToken ? { next: nextPageToken } : {}) }
  }

  /** Returns the end of the last day that Google has counted. */
  async #reaches(): Promise<{ day: ReportTime; at: number }> {
    interface MetricSet {
      freshnessInfo?: {
        freshnesses?: { aggregationPeriod?: string; latestEndTime?: ReportTime }[]
      }
    }
    const { body } = await this.ctx.http.send<MetricSet>({
      method: 'GET',
      path: `${API}/crashRateMetricSet`,
      params: this.#package,
    })
    const daily = body.freshnessInfo?.freshnesses?.find(
      ({ aggregationPeriod }) => aggregationPeriod === DAILY
    )
    const { year, month, day } = daily?.latestEndTime ?? {}
    const end = { year, month, day, timeZone: { id: PACIFIC } }
    // `at` is 0 if Google has counted nothing yet.
    return { day: end, at: year === undefined ? 0 : instantOf(end) }
  }

  /** Returns the version codes of a version, by the names of the releases that users get. */
  async #codesOf({ version, build }: HealthWindow): Promise<string[]> {
    if (build !== undefined && /^\d+$/.test(build)) return [build]
    const { body } = await this.ctx.http.send<ReleaseOptions>({
      method: 'GET',
      path: `${API}:fetchReleaseFilterOptions`,
      params: this.#package,
    })
    const releases = (body.tracks ?? []).flatMap(({ servingReleases = [] }) => servingReleases)
    const codes = releases
      .filter(({ displayName, versionCodes = [] }) =>
        isSameVersion(versionNameOf(displayName, versionCodes.map(Number)), version)
      )
      .flatMap(({ versionCodes = [] }) => versionCodes)
    return [...new Set(codes)]
  }

  get #package() {
    return { package: String(this.ctx.data.projectId ?? '') }
  }
}

/** Returns null if nobody has used the version. */
function countOf(rows: readonly Row[]): { users: number; crashFreeUsers: number } | null {
  const days = new Map<string, number>()
  let users = 0
  let crashed = 0
  for (const { startTime, metrics = [] } of rows) {
    const valueOf = (name: string) =>
      Number(metrics.find(({ metric }) => metric === name)?.decimalValue?.value ?? 0)
    const count = valueOf('distinctUsers')
    users += count
    crashed += count * valueOf('crashRate')
    const day = JSON.stringify([startTime?.year, startTime?.month, startTime?.day])
    days.set(day, (days.get(day) ?? 0) + count)
  }
  if (users === 0) return null
  return { users: Math.max(...days.values()), crashFreeUsers: 1 - crashed / users }
}

function issueOf({ name = '', cause = '', location = '', issueUri, ...issue }: Issue): Listed {
  return {
    id: name.slice(name.lastIndexOf('/') + 1),
    title: [cause, location].filter((each) => each !== '').join(' in '),
    users: Number(issue.distinctUsers ?? 0),
    events: Number(issue.errorReportCount ?? 0),
    open: true,
    ...(issueUri ? { url: issueUri } : {}),
  }
}
