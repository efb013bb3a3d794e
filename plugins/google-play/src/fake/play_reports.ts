import type { CrashMonitoringScenario } from '@tarmac/plugin-kit/testing'
import { dayOf, instantOf, dayAfter, PACIFIC, type ReportTime } from '../report_times.js'
import { Refusal } from './refusals.js'

/*
 * The reports of Android vitals: users of each day, and crashes.
 */

const DAY_MS = 86_400_000
const FIRST_CODE = 101

interface Timeline {
  aggregationPeriod?: string
  startTime?: ReportTime
  endTime?: ReportTime
}

/** Returns the version codes in a filter. */
const codesIn = (filter: string) =>
  [...filter.matchAll(/versionCode = (\d+)/g)].map(([, code]) => Number(code))

export class PlayReports {
  /** Number of whole days that are not counted yet. */
  lateDays = 0
  readonly #codes = new Map<string, number>()

  constructor(
    private readonly app: string,
    private readonly now: () => number,
    readonly given: CrashMonitoringScenario = { versions: [], issues: [] }
  ) {
    const names = [...given.versions, ...given.issues].map(({ version }) => version)
    for (const name of new Set(names)) this.#codes.set(name, FIRST_CODE + this.#codes.size)
  }

  options(): object {
    const servingReleases = [...this.#codes].map(([version, code]) => ({
      displayName: `${code} (${version})`,
      versionCodes: [String(code)],
    }))
    return { tracks: [{ displayName: 'Production', type: 'Production', servingReleases }] }
  }

  metricSet(): object {
    const freshnesses = [{ aggregationPeriod: 'DAILY', latestEndTime: this.#reaches }]
    return { name: `apps/${this.app}/crashRateMetricSet`, freshnessInfo: { freshnesses } }
  }

  get #reaches(): ReportTime {
    return dayOf(this.now() - this.lateDays * DAY_MS)
  }

  query(body: { timelineSpec?: Timeline; filter?: string }): object {
    const { aggregationPeriod, startTime, endTime } = body.timelineSpec ?? {}
    if (aggregationPeriod !== 'DAILY' || !startTime || !endTime || startTime.hours !== undefined) {
      throw new Refusal(400, 'The timeline must be aligned to the aggregation period.')
    }
    if (instantOf(endTime) > instantOf(this.#reaches)) {
      throw new Refusal(400, 'The timeline ends after the freshness of the metric set.')
    }
    const codes = codesIn(body.filter ?? '')
    const rows: object[] = []
    for (let day = startTime; instantOf(day) < instantOf(endTime); day = dayAfter(day)) {
      for (const { version, sessions, crashedSessions } of this.given.versions) {
        const code = this.#codes.get(version)!
        if (!codes.includes(code)) continue
        const rate = String(crashedSessions / sessions)
        rows.push({
          aggregationPeriod,
          startTime: { ...day, timeZone: { id: PACIFIC } },
          dimensions: [{ dimension: 'versionCode', int64Value: String(code) }],
          metrics: [
            { metric: 'crashRate', decimalValue: { value: rate } },
            { metric: 'distinctUsers', decimalValue: { value: String(sessions) } },
          ],
        })
      }
    }
    return rows.length > 0 ? { rows } : {}
  }

  search(query: URLSearchParams): object {
    const codes = codesIn(query.get('filter') ?? '')
    const [from, to] = [timeIn(query, 'interval.startTime'), timeIn(query, 'interval.endTime')]
    const found = this.given.issues
      .filter(({ version }) => codes.includes(this.#codes.get(version)!))
      .filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < to)
      .toSorted((one, other) => other.events - one.events)
    const begin = Number(query.get('pageToken') ?? 0)
    const end = begin + Math.min(Number(query.get('pageSize') ?? 50), 1000)
    const errorIssues = found.slice(begin, end).map((each) => ({
      name: `apps/${this.app}/${each.id}`,
      type: 'CRASH',
      cause: each.title,
      errorReportCount: String(each.events),
      distinctUsers: String(each.users),
      lastErrorReportTime: each.at,
    }))
    return {
      ...(errorIssues.length > 0 ? { errorIssues } : {}),
      ...(end < found.length ? { nextPageToken: String(end) } : {}),
    }
  }
}

function timeIn(query: URLSearchParams, name: string): number {
  const [year, month, day, hours] = ['year', 'month', 'day', 'hours'].map((part) =>
    Number(query.get(`${name}.${part}`) ?? 0)
  )
  return Date.UTC(year, month - 1, day, hours)
}
