import { Refusal } from './answers.js'

/** Maximum requests to one endpoint per second, by method. */
const BURST: Readonly<Record<string, number>> = { GET: 100, POST: 100, PUT: 50 }
/** Limits on changes of one issue. All of them apply. */
const ISSUE_LIMITS = [
  { max: 20, seconds: 2 },
  { max: 100, seconds: 30 },
]
/** Points per hour with OAuth; API tokens have no such limit. */
const POINTS_PER_HOUR = 65_000

const SECOND_MS = 1000
const HOUR_MS = 3_600_000

/** Jira's limits for one site, as Atlassian documents them. */
export class FakeLimits {
  readonly #bursts = new Map<string, number[]>()
  readonly #writes = new Map<string, number[]>()
  #hour = { began: 0, points: 0 }
  /** Remaining points of this hour, which tests lower. */
  quota = POINTS_PER_HOUR

  constructor(private readonly now: () => number) {}

  /** @throws Refusal if the request exceeds a limit */
  admit(endpoint: string, method: string, issue: string | null): void {
    if (this.#isTooMany(this.#bursts, `${method} ${endpoint}`, BURST[method], SECOND_MS)) {
      throw tooMany('jira-burst-based', 1, this.now())
    }
    if (issue === null || method === 'GET') return
    for (const { max, seconds } of ISSUE_LIMITS) {
      if (this.#isTooMany(this.#writes, `${seconds} ${issue}`, max, seconds * SECOND_MS)) {
        throw tooMany('jira-per-issue-on-write', seconds, this.now())
      }
    }
  }

  /** @throws Refusal if the points of this hour are used up */
  requirePoints(): void {
    const began = Math.floor(this.now() / HOUR_MS) * HOUR_MS
    if (this.#hour.began !== began) this.#hour = { began, points: 0 }
    if (this.#hour.points < this.quota) return
    const wait = Math.ceil((began + HOUR_MS - this.now()) / 1000)
    throw tooMany('jira-quota-global-based', wait, this.now())
  }

  /** Deducts the points of an answer: one, and one for each returned object. */
  spend(objects: number): void {
    this.#hour.points += 1 + objects
  }

  #isTooMany(log: Map<string, number[]>, key: string, max: number, milliseconds: number): boolean {
    const now = this.now()
    const recent = (log.get(key) ?? []).filter((at) => at > now - milliseconds)
    const isOverLimit = recent.length >= max
    log.set(key, isOverLimit ? recent : [...recent, now])
    return isOverLimit
  }
}

/** Returns Jira's response to too many requests. */
export const tooMany = (reason: string, waitSeconds: number, now: number) =>
  new Refusal(
    429,
    ['Rate limit exceeded.'],
    {},
    {
      'retry-after': String(waitSeconds),
      'ratelimit-reason': reason,
      'x-ratelimit-reset': new Date(now + waitSeconds * 1000).toISOString(),
    }
  )
